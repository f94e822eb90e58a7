// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/diff_model.h"

#include "app/designer/run/drift_model.h"
#include "app/designer/run/figure_table.h"
#include "app/designer/run/run_texts.h"

#include <algorithm>

namespace pipeloom::designer {

namespace {

double partOf(const TimeSplit& split, int column)
{
    const std::array<Nanos, 4> parts { split.compute, split.transfer, split.waiting, split.own };
    return static_cast<double>(parts[static_cast<std::size_t>(column - 1)]) / 1e6;
}

} // namespace

void PassDiffModel::setRatios(ByKindAndStage<double> ratios, RunPlanPtr plan)
{
    beginResetModel();
    ratios_ = std::move(ratios);
    plan_ = std::move(plan);
    kinds_ = plan_ ? kindsWith(ratios_) : std::vector<PassKind> {};
    endResetModel();
}

int PassDiffModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || kinds_.empty() ? 0 : plan_->pipeline.stages;
}

int PassDiffModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(kinds_.size());
}

QVariant PassDiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    return section == 0 ? tr("stage") : QString(text(kinds_[static_cast<std::size_t>(section - 1)]));
}

QVariant PassDiffModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const StageId stage { index.row() };
    if (index.column() == 0)
        return role == Qt::DisplayRole ? QVariant(stageText(plan_->pipeline, stage)) : QVariant();
    const PassKind kind = kinds_[static_cast<std::size_t>(index.column() - 1)];
    const double ratio = ratios_.of(kind, stage);
    switch (role) {
    case Qt::DisplayRole:
        return ratioText(ratio);
    case Qt::ToolTipRole:
        return ratio > 0 ? tr("%1 of stage %2 took %3 its time here in the other run")
                               .arg(text(kind))
                               .arg(stage.value)
                               .arg(ratioText(ratio))
                         : tr("One of the runs has no %1 of stage %2").arg(text(kind)).arg(stage.value);
    case figureMarkRole:
        return ratio <= 0 ? 0 : ratio > 1 + marked ? 1 : ratio < 1 - marked ? -1 : 0;
    default:
        return {};
    }
}

void DeviceDiffModel::setSplits(std::vector<TimeSplit> here, std::vector<TimeSplit> there)
{
    beginResetModel();
    const std::size_t both = std::min(here.size(), there.size());
    here.resize(both);
    there.resize(both);
    here_ = std::move(here);
    there_ = std::move(there);
    endResetModel();
}

int DeviceDiffModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(here_.size());
}

int DeviceDiffModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 5; }

QVariant DeviceDiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case 0:
        return tr("device");
    case 1:
        return tr("compute");
    case 2:
        return tr("transfer");
    case 3:
        return tr("waiting");
    case 4:
        return tr("own");
    default:
        return {};
    }
}

QVariant DeviceDiffModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole)
        return {};
    if (index.column() == 0)
        return tr("dev %1").arg(index.row());
    const auto row = static_cast<std::size_t>(index.row());
    const double here = partOf(here_[row], index.column());
    const double there = partOf(there_[row], index.column());
    const int decimals = std::min(decimalsFor(std::max(here, there)), 1);
    return QString("%1 → %2").arg(here, 0, 'f', decimals).arg(there, 0, 'f', decimals);
}

} // namespace pipeloom::designer
