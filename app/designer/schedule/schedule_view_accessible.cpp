// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The schedule as screen readers see it: devices are rows, their passes cells.

#include "app/designer/schedule/pass_text.h"
#include "app/designer/schedule/row_labels.h"
#include "app/designer/schedule/schedule_view.h"

#include <algorithm>

namespace pipeloom::designer {

int ScheduleView::accessibleRowCount() const { return data_ ? data_->devices() : 0; }

int ScheduleView::accessibleCellCount(int row) const
{
    return data_ ? data_->rowEnd(DeviceId { row }) - data_->rowBegin(DeviceId { row }) : 0;
}

PassIndex ScheduleView::passAt(AccessiblePlace place) const
{
    const bool isThere = place.row >= 0 && place.row < accessibleRowCount() && place.column >= 0
        && place.column < accessibleCellCount(place.row);
    return isThere ? data_->rowBegin(DeviceId { place.row }) + place.column : -1;
}

QString ScheduleView::accessibleRowName(int row) const
{
    const DeviceMetrics& metrics = data_->metrics().devices[static_cast<std::size_t>(row)];
    return tr("device %1, %2 passes, busy %3 ticks, peak %4")
        .arg(row)
        .arg(accessibleCellCount(row))
        .arg(metrics.busy)
        .arg(levelText(metrics.peak, data_->design().memory.unit));
}

QString ScheduleView::accessibleCellName(AccessiblePlace place) const
{
    const PassIndex pass = passAt(place);
    return pass >= 0 ? passSentence(*data_, pass) : QString();
}

QRect ScheduleView::accessibleCellRect(AccessiblePlace place) const
{
    const PassIndex pass = passAt(place);
    if (pass < 0)
        return {};
    const TimelineScene now = scene();
    const QRectF plot(
        now.labelWidth, TimelineScene::rulerHeight, now.plotWidth(), now.height - TimelineScene::rulerHeight);
    return now.rectOf(pass).intersected(plot).toAlignedRect();
}

AccessiblePlace ScheduleView::accessibleCellAt(QPoint at) const
{
    if (!data_)
        return {};
    const TimelineHit hit = hitTest(scene(), at);
    return hit.pass >= 0 ? AccessiblePlace { hit.device.value, hit.pass - data_->rowBegin(hit.device) }
                         : AccessiblePlace {};
}

bool ScheduleView::isAccessibleCellSelected(AccessiblePlace place) const
{
    const PassIndex pass = passAt(place);
    const std::vector<PassIndex>& selected = overlays_.selected;
    return pass >= 0 && std::find(selected.begin(), selected.end(), pass) != selected.end();
}

AccessiblePlace ScheduleView::accessibleCurrent() const
{
    const PassIndex pass = primary();
    if (pass < 0)
        return {};
    const DeviceId device = data_->deviceOf(pass);
    return { device.value, pass - data_->rowBegin(device) };
}

void ScheduleView::selectAccessibleCell(AccessiblePlace place)
{
    const PassIndex pass = passAt(place);
    if (pass < 0)
        return;
    select({ data_->at(pass).pass });
    reveal(pass);
}

} // namespace pipeloom::designer
