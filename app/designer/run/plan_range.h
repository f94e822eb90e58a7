// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a stretch of a measured step comes to on each device.

#include "app/designer/run/run_picture.h"
#include "app/designer/schedule/range_figures.h"

#include <vector>

namespace pipeloom::designer {

/// In nanoseconds. They add up to the part of the range in which the step is known.
struct PlanDeviceRange {
    Ticks compute = 0;
    Ticks transfer = 0;
    Ticks waiting = 0;
    Ticks own = 0;
    std::int32_t passes = 0;

    [[nodiscard]] Ticks whole() const { return compute + transfer + waiting + own; }
};

struct PlanRange {
    TimeRange range;
    std::vector<PlanDeviceRange> devices;
    PlanDeviceRange all; ///< sums over devices
};

/// O(devices * log passes + passes and gaps in the range).
[[nodiscard]] PlanRange planRange(const RunPicture& picture, const TimeRange& range);

} // namespace pipeloom::designer
