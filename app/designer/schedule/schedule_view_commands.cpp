// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the schedule's actions do to the view.

#include "app/designer/schedule/schedule_view.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

void ScheduleView::fit()
{
    if (!axis_.isFitted()) // so that the way back leads here
        axis_.show(axis_.map().begin, axis_.map().timeAt(scene().plotWidth()));
    axis_.fit();
}

void ScheduleView::focusSelection()
{
    if (overlays_.selected.empty())
        return;
    Ticks from = data_->at(overlays_.selected.front()).start;
    Ticks to = data_->at(overlays_.selected.front()).end;
    for (const PassIndex pass : overlays_.selected) {
        from = std::min(from, data_->at(pass).start);
        to = std::max(to, data_->at(pass).end);
    }
    const auto begin = static_cast<double>(from);
    const auto end = static_cast<double>(to);
    const double width = scene().plotWidth();
    const double shown = width / axis_.map().pixelsPerTick;
    const double middle = (begin + end) / 2;
    const double off = axis_.map().xOf(middle) - width / 2;
    const double before = axis_.map().begin;
    axis_.panBy(off);
    reveal(primary());
    const bool moved = std::abs(axis_.map().begin - before) * axis_.map().pixelsPerTick > 1;
    if (moved || end - begin >= shown)
        return;
    const double around = std::max((end - begin) * 8, 4.0);
    axis_.show(middle - around / 2, middle + around / 2);
}

void ScheduleView::zoomBy(double factor)
{
    if (!data_)
        return;
    const double width = scene().plotWidth();
    const double x = mouse_ ? std::clamp(mouse_->x() - labelWidth_, 0.0, width) : width / 2;
    axis_.zoomAt(x, factor);
}

void ScheduleView::selectNeighbour(int by)
{
    if (!data_)
        return;
    PassIndex pass = primary();
    if (pass < 0) {
        pass = 0;
        by = 0;
    }
    const DeviceId device = data_->deviceOf(pass);
    const PassIndex next = std::clamp(pass + by, data_->rowBegin(device), data_->rowEnd(device) - 1);
    select({ data_->at(next).pass });
    reveal(next);
}

void ScheduleView::selectAlong(int by)
{
    const PassIndex pass = primary();
    if (pass < 0)
        return;
    const std::vector<PassIndex> next = by > 0 ? data_->feeds(pass) : data_->needs(pass);
    if (next.empty())
        return;
    select({ data_->at(next.front()).pass });
    reveal(next.front());
}

void ScheduleView::cycleAlong(int by)
{
    // The others that the same pass feeds, or that feed the same pass.
    const PassIndex pass = primary();
    if (pass < 0)
        return;
    const std::vector<PassIndex> sources = by > 0 ? data_->needs(pass) : data_->feeds(pass);
    std::vector<PassIndex> others;
    for (const PassIndex source : sources)
        for (const PassIndex other : by > 0 ? data_->feeds(source) : data_->needs(source))
            if (std::find(others.begin(), others.end(), other) == others.end())
                others.push_back(other);
    const auto at = std::find(others.begin(), others.end(), pass);
    if (at == others.end() || others.size() < 2)
        return;
    const PassIndex next = at + 1 == others.end() ? others.front() : *(at + 1);
    select({ data_->at(next).pass });
    reveal(next);
}

void ScheduleView::selectMicroBatch()
{
    const PassIndex pass = primary();
    if (pass < 0)
        return;
    std::vector<Pass> passes;
    for (const PassIndex other : data_->ofMicroBatch(data_->at(pass).pass.microBatch))
        if (other != pass)
            passes.push_back(data_->at(other).pass);
    passes.push_back(data_->at(pass).pass);
    select(std::move(passes));
}

void ScheduleView::selectRow()
{
    if (!data_)
        return;
    const DeviceId device = data_->deviceOf(std::max(primary(), 0));
    std::vector<Pass> row;
    for (PassIndex i = data_->rowBegin(device); i < data_->rowEnd(device); ++i)
        row.push_back(data_->at(i).pass);
    if (row != selection_) {
        select(std::move(row));
        return;
    }
    std::vector<Pass> all;
    for (const TimedPass& pass : data_->timeline().passes)
        all.push_back(pass.pass);
    select(std::move(all));
}

void ScheduleView::rangeFromSelection()
{
    if (overlays_.selected.empty())
        return;
    TimeRange range { data_->at(primary()).start, data_->at(primary()).end };
    for (const PassIndex pass : overlays_.selected) {
        range.from = std::min(range.from, data_->at(pass).start);
        range.to = std::max(range.to, data_->at(pass).end);
    }
    setRange(range);
}

void ScheduleView::keepMark()
{
    if (!range_)
        rangeFromSelection();
    if (!range_)
        return;
    if (std::find(overlays_.marks.begin(), overlays_.marks.end(), *range_) == overlays_.marks.end())
        overlays_.marks.push_back(*range_);
    setRange(std::nullopt);
}

void ScheduleView::deleteMarks()
{
    if (range_)
        setRange(std::nullopt);
    else if (!overlays_.marks.empty())
        overlays_.marks.pop_back();
    update();
}

void ScheduleView::zoomToRange()
{
    if (!range_)
        return;
    const double margin = static_cast<double>(range_->length()) * 0.05;
    axis_.show(static_cast<double>(range_->from) - margin, static_cast<double>(range_->to) + margin);
}

} // namespace pipeloom::designer
