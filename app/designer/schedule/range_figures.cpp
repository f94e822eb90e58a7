// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/range_figures.h"

#include <algorithm>

namespace pipeloom::designer {

namespace {

/// Idle stretches of a device in the range, in order.
struct Gaps {
    std::vector<TimeRange> gaps;
    Ticks at; ///< up to here all is known

    void busyUntil(Ticks start, Ticks end)
    {
        if (start > at)
            gaps.push_back({ at, start });
        at = std::max(at, end);
    }
};

/// How much of the gaps something is on its way in; transfers come by start.
Ticks coveredByTransfers(const ScheduleData& data, DeviceId device, const std::vector<TimeRange>& gaps)
{
    Ticks covered = 0;
    std::size_t gap = 0;
    Ticks done = gaps.empty() ? 0 : gaps.front().from; // time before it is counted
    for (const std::int32_t i : data.transfersTo(device)) {
        const TimedTransfer& transfer = data.timeline().transfers[static_cast<std::size_t>(i)];
        if (gaps.empty() || transfer.start >= gaps.back().to)
            break;
        Ticks from = std::max(transfer.start, done);
        while (gap < gaps.size() && from < transfer.end) {
            if (from >= gaps[gap].to) {
                ++gap;
                continue;
            }
            const Ticks start = std::max(from, gaps[gap].from);
            const Ticks end = std::min(transfer.end, gaps[gap].to);
            if (end <= start)
                break;
            covered += end - start;
            from = end;
        }
        done = std::max(done, transfer.end);
    }
    return covered;
}

DeviceRange figuresOf(const ScheduleData& data, DeviceId device, const TimeRange& range)
{
    DeviceRange found;
    Gaps gaps { {}, range.from };
    found.peak = levelAt(data, device, static_cast<double>(range.from));
    for (PassIndex i = data.firstAfter(device, static_cast<double>(range.from)); i < data.rowEnd(device); ++i) {
        const TimedPass& pass = data.at(i);
        if (pass.start >= range.to)
            break;
        if (pass.end <= range.from && pass.end > pass.start)
            continue;
        ++found.passes;
        found.peak = std::max(found.peak, data.levelDuring(i));
        const Ticks start = std::max(pass.start, range.from);
        const Ticks end = std::min(pass.end, range.to);
        if (!pass.joined)
            found.busy += end - start;
        gaps.busyUntil(start, end);
        if (pass.end < range.to)
            found.peak = std::max(found.peak, data.levelAfter(i));
    }
    gaps.busyUntil(range.to, range.to);
    found.transfer = coveredByTransfers(data, device, gaps.gaps);
    found.idle = -found.transfer;
    for (const TimeRange& gap : gaps.gaps)
        found.idle += gap.length();
    return found;
}

} // namespace

Bytes levelAt(const ScheduleData& data, DeviceId device, double time)
{
    const MemoryModel& memory = data.design().memory;
    Bytes level = memory.fixed[device.index()] + memory.communication[device.index()];
    if (data.rowBegin(device) == data.rowEnd(device))
        return level;
    if (const PassIndex running = data.runningAt(device, time); running >= 0)
        return data.levelDuring(running);
    PassIndex next = data.firstAfter(device, time);
    while (next < data.rowEnd(device) && static_cast<double>(data.at(next).end) <= time)
        ++next;
    if (next > data.rowBegin(device))
        level = data.levelAfter(next - 1);
    return level;
}

RangeFigures rangeFigures(const ScheduleData& data, const TimeRange& range)
{
    RangeFigures found;
    found.range = range;
    for (std::int32_t d = 0; d < data.devices(); ++d) {
        found.devices.push_back(figuresOf(data, DeviceId { d }, range));
        const DeviceRange& device = found.devices.back();
        found.busy += device.busy;
        found.idle += device.idle;
        found.transfer += device.transfer;
        found.peak = std::max(found.peak, device.peak);
        found.passes += device.passes;
    }
    return found;
}

} // namespace pipeloom::designer
