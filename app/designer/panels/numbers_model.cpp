// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/numbers_model.h"

#include "app/designer/export/quantities.h"
#include "app/designer/panels/quantity.h"

#include <algorithm>

namespace pipeloom::designer {

void NumbersModel::setFigures(FiguresPtr figures)
{
    figures_ = std::move(figures);
    make();
}

void NumbersModel::setView(NumbersView view)
{
    if (view == view_)
        return;
    view_ = view;
    make();
}

int NumbersModel::size() const
{
    return static_cast<int>(view_ == NumbersView::Lifespans ? lifespans_.size() : devices_.size());
}

void NumbersModel::make()
{
    std::vector<DeviceRow> devices;
    std::vector<LifespanRow> lifespans;
    std::int64_t most = 1;
    if (view_ == NumbersView::Lifespans) {
        lifespans = lifespanRows(*figures_);
        for (const LifespanRow& row : lifespans)
            most = std::max({ most, row.inBlock.value_or(0) });
    } else {
        devices = deviceRows(*figures_, view_);
        most = std::max<Ticks>(figures_->plan.metrics.makespan(), 1);
        if (view_ == NumbersView::Memory) {
            most = 1;
            for (const DeviceRow& row : devices)
                most = std::max({ most, row.peak, row.bound.value_or(0), row.limit.value_or(0) });
            most += most / 7 + 1; // so that the limit's mark does not stand at the very end
        }
    }
    const bool sameSize = std::max(devices.size(), lifespans.size()) == static_cast<std::size_t>(size());
    if (!sameSize)
        beginResetModel();
    devices_ = std::move(devices);
    lifespans_ = std::move(lifespans);
    scale_ = most;
    if (!sameSize)
        endResetModel();
    else if (size() > 0)
        Q_EMIT dataChanged(index(0), index(size() - 1));
}

QStringList NumbersModel::titles() const
{
    switch (view_) {
    case NumbersView::Time:
        return { tr("device"), tr("busy"), tr("idle"), tr("idle %"), tr("span"), tr("bubble") };
    case NumbersView::Memory:
        return { tr("device"), tr("busy"), tr("idle"), tr("peak"), tr("bound"), tr("limit") };
    case NumbersView::Lifespans:
        return { tr("stage"), tr("device"), tr("lives"), tr("⌈l / T⌉"), tr("real"), tr("time") };
    }
    return {};
}

QStringList NumbersModel::cells(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    if (view_ == NumbersView::Lifespans) {
        const LifespanRow& life = lifespans_[at];
        const auto number
            = [](const std::optional<std::int64_t>& value) { return value ? wholeText(*value) : QString(noFigure); };
        const bool grouped = figures_->design->block() && figures_->design->block()->group > 1;
        return { grouped ? tr("s%1 of %2").arg(life.stage).arg(life.member) : QString("s%1").arg(life.stage),
            QString::number(life.device), number(life.inBlock), number(life.holds), number(life.longest),
            life.longest ? timeText(*life.longest, figures_->design->costs.tickUs) : QString(noFigure) };
    }
    const DeviceRow& device = devices_[at];
    const MemoryUnit unit = figures_->planned->memory.unit;
    const QString name = QString("dev %1").arg(device.device);
    if (view_ == NumbersView::Time)
        return { name, wholeText(device.busy), wholeText(device.idle), shareText(device.idleShare),
            wholeText(device.span), shareText(device.ownSpanBubble) };
    return { name, wholeText(device.busy), wholeText(device.idle), figureText(device.peak, unit),
        figureText(device.bound, unit), figureText(device.limit, unit) };
}

QString NumbersModel::sentence(int row) const
{
    QStringList parts = cells(row);
    const QStringList names = titles();
    for (qsizetype column = 1; column < parts.size(); ++column)
        parts[column] = names[column] + " " + parts[column];
    return parts.join(", ");
}

int NumbersModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : size(); }

QVariant NumbersModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return sentence(index.row());
    case Qt::ToolTipRole:
        return view_ == NumbersView::Lifespans
            ? tr("Lives: as the block is drawn, in ticks. Real: the longest of its micro-batches with the real costs.")
            : view_ == NumbersView::Memory
            ? tr("Peak against bound (dark mark) and limit (red mark).\nBound = static + sum of a · ⌈l / T⌉ over the "
                 "stages.")
            : tr("Idle share = 1 − busy / step time.\nBubble = 1 − busy / own span, first start to last end.");
    case DeviceRole:
        return view_ == NumbersView::Lifespans ? lifespans_[row].device : devices_[row].device;
    case CellsRole:
        return cells(index.row());
    default:
        return {};
    }
}

} // namespace pipeloom::designer
