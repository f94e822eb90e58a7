// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/drift_model.h"

#include "app/designer/run/figure_table.h"
#include "app/designer/run/run_texts.h"

#include <QStringList>

#include <algorithm>

namespace pipeloom::designer {

QString stageText(const Pipeline& pipeline, StageId stage)
{
    QStringList devices;
    for (const DeviceId device : pipeline.devicesOf(stage))
        devices += QString::number(device.value);
    return DriftModel::tr("%1 dev %2").arg(stage.value).arg(devices.join(", "));
}

std::vector<PassKind> kindsWith(const ByKindAndStage<double>& figures)
{
    std::vector<PassKind> kinds;
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW }) {
        const std::vector<double>& stages = figures.values[index(kind)];
        if (std::any_of(stages.begin(), stages.end(), [](double figure) { return figure > 0; }))
            kinds.push_back(kind);
    }
    return kinds;
}

void DriftModel::setDrift(Drift drift, RunPlanPtr plan)
{
    std::vector<PassKind> kinds = plan ? kindsWith(drift.ratio) : std::vector<PassKind> {};
    const auto rows = [](const RunPlanPtr& of) { return of ? of->pipeline.stages : 0; };
    const bool same = kinds == kinds_ && rows(plan) == rows(plan_);
    if (!same)
        beginResetModel();
    drift_ = std::move(drift);
    plan_ = std::move(plan);
    kinds_ = std::move(kinds);
    if (!same)
        endResetModel();
    else if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

PassKind DriftModel::kindOf(int column) const
{
    return column > 0 && static_cast<std::size_t>(column) <= kinds_.size()
        ? kinds_[static_cast<std::size_t>(column - 1)]
        : PassKind::None;
}

int DriftModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !plan_ || kinds_.empty() ? 0 : plan_->pipeline.stages;
}

int DriftModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(kinds_.size());
}

QVariant DriftModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    return section == 0 ? tr("stage") : QString(text(kindOf(section)));
}

double DriftModel::ratio(const QModelIndex& index) const
{
    const PassKind kind = kindOf(index.column());
    if (kind == PassKind::None)
        return 0;
    const std::vector<double>& stages = drift_.ratio.values[pipeloom::index(kind)];
    const auto stage = static_cast<std::size_t>(index.row());
    return stage < stages.size() ? stages[stage] : 0;
}

int DriftModel::mark(const QModelIndex& index) const
{
    const double here = ratio(index);
    if (here <= 0 || drift_.overall <= 0)
        return 0;
    return here > drift_.overall * (1 + marked) ? 1 : here < drift_.overall * (1 - marked) ? -1 : 0;
}

QString DriftModel::tip(const QModelIndex& index) const
{
    const PassKind kind = kindOf(index.column());
    const double here = ratio(index);
    if (here <= 0)
        return {};
    const StageId stage { index.row() };
    QString said = tr("%1 of stage %2: %3 its planned time").arg(text(kind)).arg(stage.value).arg(ratioText(here));
    const std::int32_t place = plan_->find(Pass { stage, MicroBatch { 0 }, kind });
    if (place >= 0) {
        const TimedPass& planned = plan_->timeline.passes[static_cast<std::size_t>(place)];
        const double plannedMs = static_cast<double>(planned.end - planned.start) / 1e6;
        said += "\n" + tr("planned %1 ms, measured %2 ms").arg(msText(plannedMs), msText(plannedMs * here));
    }
    said += "\n"
        + tr("spread %1 %: one in ten is higher, one in ten lower by that much in all")
              .arg(100 * drift_.spread.of(kind, stage), 0, 'f', 1);
    return said + "\n" + tr("all passes together: %1").arg(ratioText(drift_.overall));
}

QVariant DriftModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !plan_)
        return {};
    const bool isName = index.column() == 0;
    switch (role) {
    case Qt::DisplayRole:
        return isName ? stageText(plan_->pipeline, StageId { index.row() }) : ratioText(ratio(index));
    case Qt::ToolTipRole:
        return isName ? QVariant() : tip(index);
    case Qt::AccessibleTextRole:
        if (isName)
            return stageText(plan_->pipeline, StageId { index.row() });
        return mark(index) > 0 ? tr("%1, slower than the others").arg(ratioText(ratio(index)))
            : mark(index) < 0  ? tr("%1, faster than the others").arg(ratioText(ratio(index)))
                               : ratioText(ratio(index));
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter | (isName ? Qt::AlignLeft : Qt::AlignRight));
    case figureMarkRole:
        return mark(index);
    default:
        return {};
    }
}

} // namespace pipeloom::designer
