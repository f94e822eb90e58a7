// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_range.h"

#include <algorithm>

namespace pipeloom::designer {

namespace {

PlanDeviceRange rangeOf(const RunPicture& picture, DeviceId device, const TimeRange& range)
{
    PlanDeviceRange made;
    const TimelineRow row = picture.actual(device);
    for (std::size_t i = row.firstAfter(static_cast<double>(range.from)); i < row.passes.size(); ++i) {
        const TimedPass& pass = row.passes[i];
        if (pass.start >= range.to)
            break;
        if (pass.end > range.from)
            ++made.passes;
    }
    const std::vector<RunGap>& gaps = picture.gaps(device);
    auto gap = std::ranges::partition_point(gaps, [&](const RunGap& g) { return g.to <= range.from; });
    for (; gap != gaps.end() && gap->from < range.to; ++gap) {
        const Ticks length = std::min(gap->to, range.to) - std::max(gap->from, range.from);
        (gap->why == RunGap::Why::Transfer     ? made.transfer
                : gap->why == RunGap::Why::Own ? made.own
                                               : made.waiting)
            += length;
    }
    // Gaps and passes cover the step, so what is no gap is compute; a pair counts once.
    const Ticks known = std::max<Ticks>(0, std::min(range.to, picture.end()) - std::max<Ticks>(range.from, 0));
    made.compute = known - made.transfer - made.own - made.waiting;
    return made;
}

} // namespace

PlanRange planRange(const RunPicture& picture, const TimeRange& range)
{
    PlanRange made { range, {}, {} };
    for (std::int32_t d = 0; picture.step() && d < picture.devices(); ++d) {
        made.devices.push_back(rangeOf(picture, DeviceId { d }, range));
        const PlanDeviceRange& own = made.devices.back();
        made.all.compute += own.compute;
        made.all.transfer += own.transfer;
        made.all.waiting += own.waiting;
        made.all.own += own.own;
        made.all.passes += own.passes;
    }
    return made;
}

} // namespace pipeloom::designer
