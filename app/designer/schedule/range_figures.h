// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a stretch of time comes to on each device: busy, idle, waiting for a transfer, the most memory held.

#include "app/designer/schedule/schedule_data.h"

namespace pipeloom::designer {

/// [from, to), in ticks.
struct TimeRange {
    Ticks from = 0;
    Ticks to = 0;

    [[nodiscard]] Ticks length() const { return to - from; }
    friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// busy + idle + transfer is the length of the range.
struct DeviceRange {
    Ticks busy = 0;
    Ticks idle = 0;     ///< nothing runs and nothing is on its way to the device
    Ticks transfer = 0; ///< nothing runs, but something is on its way
    Bytes peak = 0;     ///< receive buffers not counted
    std::int32_t passes = 0;
};

struct RangeFigures {
    TimeRange range;
    std::vector<DeviceRange> devices;
    Ticks busy = 0; ///< sums over devices
    Ticks idle = 0;
    Ticks transfer = 0;
    Bytes peak = 0; ///< highest of any device
    std::int32_t passes = 0;
};

/// O(log passes + passes and transfers in the range).
[[nodiscard]] RangeFigures rangeFigures(const ScheduleData& data, const TimeRange& range);

/// The memory that a device holds at a time; its static level before it starts.
[[nodiscard]] Bytes levelAt(const ScheduleData& data, DeviceId device, double time);

} // namespace pipeloom::designer
