// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the timeline's actions do to the view.

#include "app/designer/run/plan_text.h"
#include "app/designer/run/plan_view.h"
#include "app/designer/run/run_session.h"

#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

void PlanView::select(std::optional<Pass> pass)
{
    if (pass == overlays_.selected)
        return;
    overlays_.selected = pass;
    if (pass)
        Q_EMIT statusText(passSentence(picture(), *pass));
    update();
    tellCurrentCell(this);
    Q_EMIT selectionChanged();
}

void PlanView::showPass(const Pass& pass)
{
    select(pass);
    reveal(pass);
}

void PlanView::showDevice(DeviceId device)
{
    overlays_.device = device.value;
    const double top = device.value * rowHeight_;
    const double seen = height() - PlanScene::rulerHeight;
    if (top < scrollBar_->value() || top + rowHeight_ > scrollBar_->value() + seen)
        scrollBar_->setValue(static_cast<int>(std::max(0.0, top + rowHeight_ / 2 - seen / 2)));
    update();
}

void PlanView::reveal(const Pass& pass)
{
    const PassPlace planned = picture().findPlanned(pass);
    const PassPlace actual = picture().findActual(pass);
    if (!planned.isThere() && !actual.isThere())
        return;
    const TimedPass& timed = actual.isThere() ? picture().actualAt(actual) : picture().plannedAt(planned);
    const DeviceId device = actual.isThere() ? actual.device : planned.device;
    const double width = scene().plotWidth();
    const double margin = std::min(40.0, width / 4);
    const double left = axis_.map().xOf(timed.start);
    const double right = axis_.map().xOf(timed.end);
    if (left < margin)
        axis_.panBy(left - margin);
    else if (right > width - margin)
        axis_.panBy(std::min(right - width + margin, left - margin));
    const double top = device.value * rowHeight_;
    const double seen = height() - PlanScene::rulerHeight;
    if (top < scrollBar_->value())
        scrollBar_->setValue(static_cast<int>(top));
    else if (top + rowHeight_ > scrollBar_->value() + seen)
        scrollBar_->setValue(static_cast<int>(std::ceil(top + rowHeight_ - seen)));
}

std::optional<TimeRange> PlanView::range() const
{
    return overlays_.range ? std::optional(overlays_.range->range) : std::nullopt;
}

void PlanView::setRange(std::optional<TimeRange> range)
{
    if (range && range->to <= range->from)
        range.reset();
    overlays_.range.reset();
    if (range && !picture().isEmpty()) {
        overlays_.range = planRange(picture(), *range);
        Q_EMIT statusText(rangeSentence(*overlays_.range));
    }
    update();
    Q_EMIT rangeChanged();
}

void PlanView::fit()
{
    if (!axis_.isFitted()) // so that the way back leads here
        axis_.show(axis_.map().begin, axis_.map().timeAt(scene().plotWidth()));
    axis_.setBounds(0, std::max<Ticks>(picture().last(), 1));
    axis_.fit();
}

void PlanView::focusSelection()
{
    if (!overlays_.selected)
        return;
    const PassPlace planned = picture().findPlanned(*overlays_.selected);
    const PassPlace actual = picture().findActual(*overlays_.selected);
    if (!planned.isThere() && !actual.isThere())
        return;
    const TimedPass& one = actual.isThere() ? picture().actualAt(actual) : picture().plannedAt(planned);
    const TimedPass& other = planned.isThere() ? picture().plannedAt(planned) : one;
    const auto begin = static_cast<double>(std::min(one.start, other.start));
    const auto end = static_cast<double>(std::max(one.end, other.end));
    const double width = scene().plotWidth();
    const double shown = width / axis_.map().pixelsPerTick;
    const double middle = (begin + end) / 2;
    const double before = axis_.map().begin;
    axis_.panBy(axis_.map().xOf(middle) - width / 2);
    reveal(*overlays_.selected);
    const bool moved = std::abs(axis_.map().begin - before) * axis_.map().pixelsPerTick > 1;
    const double around = std::max((end - begin) * 8, 4.0);
    if (!moved && around < shown)
        axis_.show(middle - around / 2, middle + around / 2);
}

void PlanView::zoomBy(double factor)
{
    if (picture().isEmpty())
        return;
    const double width = scene().plotWidth();
    const double x = mouse_ ? std::clamp(mouse_->x() - labelWidth_, 0.0, width) : width / 2;
    axis_.zoomAt(x, factor);
}

void PlanView::selectNeighbour(int by)
{
    if (picture().isEmpty())
        return;
    if (!overlays_.selected) {
        const TimelineRow first = cells(0);
        if (!first.passes.empty())
            showPass(first.passes.front().pass);
        return;
    }
    // Along the row in which it stands: in the order that was planned, or that it ran in where there is no plan.
    const PassPlace place
        = picture().plan() ? picture().findPlanned(*overlays_.selected) : picture().findActual(*overlays_.selected);
    if (!place.isThere())
        return;
    const TimelineRow row = cells(place.device.value);
    const int last = static_cast<int>(row.passes.size()) - 1;
    showPass(row.passes[static_cast<std::size_t>(std::clamp(place.at + by, 0, last))].pass);
}

void PlanView::selectAlong(int by)
{
    if (!overlays_.selected)
        return;
    const std::vector<Pass> next = by > 0 ? picture().feeds(*overlays_.selected) : picture().needs(*overlays_.selected);
    if (!next.empty())
        showPass(next.front());
}

void PlanView::rangeFromSelection()
{
    if (!overlays_.selected)
        return;
    const PassPlace planned = picture().findPlanned(*overlays_.selected);
    const PassPlace actual = picture().findActual(*overlays_.selected);
    if (actual.isThere())
        setRange(TimeRange { picture().actualAt(actual).start, picture().actualAt(actual).end });
    else if (planned.isThere())
        setRange(TimeRange { picture().plannedAt(planned).start, picture().plannedAt(planned).end });
}

void PlanView::zoomToRange()
{
    const std::optional<TimeRange> shown = range();
    if (!shown)
        return;
    const double margin = static_cast<double>(shown->length()) * 0.05;
    axis_.show(static_cast<double>(shown->from) - margin, static_cast<double>(shown->to) + margin);
}

} // namespace pipeloom::designer
