// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Plan and actual as screen readers see them: devices are rows, their passes cells.

#include "app/designer/run/plan_text.h"
#include "app/designer/run/plan_view.h"

#include <algorithm>

namespace pipeloom::designer {

TimelineRow PlanView::cells(std::int32_t device) const
{
    const RunPicture& shown = picture();
    return shown.plan() ? shown.planned(DeviceId { device }) : shown.actual(DeviceId { device });
}

int PlanView::accessibleRowCount() const { return picture().devices(); }

int PlanView::accessibleCellCount(int row) const { return static_cast<int>(cells(row).passes.size()); }

std::optional<Pass> PlanView::passAt(AccessiblePlace place) const
{
    const bool isThere = place.row >= 0 && place.row < accessibleRowCount() && place.column >= 0
        && place.column < accessibleCellCount(place.row);
    return isThere ? std::optional(cells(place.row).passes[static_cast<std::size_t>(place.column)].pass) : std::nullopt;
}

QString PlanView::accessibleRowName(int row) const
{
    const RunPicture& shown = picture();
    const PlanLabel& label = labels_[static_cast<std::size_t>(row)];
    QStringList parts { tr("device %1").arg(row) };
    if (!label.process.isEmpty())
        parts << label.process;
    parts << tr("%1 of %2 passes have run")
                 .arg(shown.actual(DeviceId { row }).passes.size())
                 .arg(accessibleCellCount(row));
    if (!label.memory.isEmpty())
        parts << tr("memory %1").arg(label.memory);
    return parts.join(QStringLiteral(", "));
}

QString PlanView::accessibleCellName(AccessiblePlace place) const
{
    const std::optional<Pass> pass = passAt(place);
    return pass ? passSentence(picture(), *pass) : QString();
}

QRect PlanView::accessibleCellRect(AccessiblePlace place) const
{
    const std::optional<Pass> pass = passAt(place);
    if (!pass)
        return {};
    const PlanScene now = scene();
    const PassPlace actual = picture().findActual(*pass);
    const QRectF rect = actual.isThere() ? now.actualRect(actual) : now.plannedRect(picture().findPlanned(*pass));
    const QRectF plot(now.labelWidth, PlanScene::rulerHeight, now.plotWidth(), now.height - PlanScene::rulerHeight);
    return rect.intersected(plot).toAlignedRect();
}

AccessiblePlace PlanView::accessibleCellAt(QPoint at) const
{
    const PlanHit hit = hitTest(scene(), at);
    if (!hit.pass.isThere())
        return {};
    if (hit.what == PlanHit::What::Planned || hit.what == PlanHit::What::MergedPlanned || !picture().plan())
        return { hit.device.value, hit.pass.at };
    const PassPlace planned = picture().findPlanned(picture().actualAt(hit.pass).pass);
    return planned.isThere() ? AccessiblePlace { planned.device.value, planned.at } : AccessiblePlace {};
}

bool PlanView::isAccessibleCellSelected(AccessiblePlace place) const
{
    return place.row >= 0 && accessibleCurrent() == place;
}

AccessiblePlace PlanView::accessibleCurrent() const
{
    if (!overlays_.selected)
        return {};
    const PassPlace place
        = picture().plan() ? picture().findPlanned(*overlays_.selected) : picture().findActual(*overlays_.selected);
    return place.isThere() ? AccessiblePlace { place.device.value, place.at } : AccessiblePlace {};
}

void PlanView::selectAccessibleCell(AccessiblePlace place)
{
    if (const std::optional<Pass> pass = passAt(place))
        showPass(*pass);
}

} // namespace pipeloom::designer
