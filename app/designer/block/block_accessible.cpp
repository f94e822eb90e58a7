// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the block editor tells screen readers.
#include "app/designer/block/block_links.h"
#include "app/designer/block/block_view.h"

#include <algorithm>

namespace pipeloom::designer {

int BlockView::accessibleRowCount() const { return block() ? document_.shown()->pipeline.devices : 0; }

int BlockView::accessibleCellCount(int row) const
{
    return static_cast<int>(tables_->row(DeviceId { static_cast<std::int32_t>(row) }).size());
}

QString BlockView::accessibleRowName(int row) const
{
    const auto& bounds = figures_.figures()->bounds;
    const QString name = accessibleCellCount(row) == 1
        ? tr("device %1, one pass").arg(row)
        : tr("device %1, %2 passes").arg(row).arg(accessibleCellCount(row));
    const auto at = static_cast<std::size_t>(row);
    return at < bounds.size() && bounds[at] ? tr("%1, holds at most %2").arg(name).arg(*bounds[at]) : name;
}

std::optional<std::int32_t> BlockView::passOf(AccessiblePlace place) const
{
    if (place.row < 0 || place.row >= accessibleRowCount() || place.column < 0
        || place.column >= accessibleCellCount(place.row))
        return std::nullopt;
    return tables_->row(DeviceId { static_cast<std::int32_t>(place.row) })[static_cast<std::size_t>(place.column)];
}

QString BlockView::accessibleCellName(AccessiblePlace place) const
{
    const auto pass = passOf(place);
    return pass ? sentenceOf(*block(), document_.shown()->pipeline, *pass) : QString();
}

QRect BlockView::accessibleCellRect(AccessiblePlace place) const
{
    const auto pass = passOf(place);
    if (!pass)
        return {};
    const QRect seen = rectOf(*pass).toAlignedRect().intersected(layout_.time.toAlignedRect());
    return seen.isEmpty() ? QRect() : seen.translated(viewport()->pos());
}

AccessiblePlace BlockView::accessibleCellAt(QPoint at) const
{
    const auto pass = passAt(at - viewport()->pos());
    if (!pass)
        return {};
    const DeviceId device = block()->passes[static_cast<std::size_t>(*pass)].device;
    const auto& row = tables_->row(device);
    return { device.value, static_cast<int>(std::find(row.begin(), row.end(), *pass) - row.begin()) };
}

bool BlockView::isAccessibleCellSelected(AccessiblePlace place) const
{
    const auto pass = passOf(place);
    return pass && selected_.count(*pass) > 0;
}

AccessiblePlace BlockView::accessibleCurrent() const
{
    if (!block() || selected_.empty())
        return {};
    const DeviceId device = block()->passes[static_cast<std::size_t>(*selected_.begin())].device;
    const auto& row = tables_->row(device);
    return { device.value, static_cast<int>(std::find(row.begin(), row.end(), *selected_.begin()) - row.begin()) };
}

void BlockView::selectAccessibleCell(AccessiblePlace place)
{
    if (const auto pass = passOf(place))
        select({ *pass });
}

} // namespace pipeloom::designer
