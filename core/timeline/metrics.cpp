// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/timeline/metrics.h"

#include <algorithm>

namespace pipeloom {

namespace {

double share(Ticks part, Ticks whole)
{
    return whole > 0 ? 1.0 - static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

/// Level before a pass, and what the pass makes of it. Passes of a device run one after the other, so the order alone
/// says how high the level goes; a positive change counts from the start, a negative one from the end.
struct Walk {
    const MemoryModel& memory;
    Bytes level;

    /// Highest level while the slot of `count` joined passes runs.
    Bytes highest(const TimedPass* pass, std::size_t count) const
    {
        Bytes high = level;
        for (std::size_t i = 0; i < count; ++i)
            high += std::max<Bytes>(0, memory.change.of(pass[i].pass.kind, pass[i].pass.stage))
                + memory.transient.of(pass[i].pass.kind, pass[i].pass.stage);
        return high;
    }

    void finish(const TimedPass* pass, std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
            level += memory.change.of(pass[i].pass.kind, pass[i].pass.stage);
    }
};

std::size_t joinedCount(std::span<const TimedPass> row, std::size_t at)
{
    return at + 1 < row.size() && row[at + 1].joined ? 2 : 1;
}

} // namespace

double Metrics::idleShare() const { return share(busy, static_cast<Ticks>(devices.size()) * makespan()); }

double Metrics::ownSpanBubble() const
{
    Ticks busiest = 0;
    for (const DeviceMetrics& device : devices)
        busiest = std::max(busiest, device.busy);
    return share(busiest, ownSpan);
}

double Metrics::idleShare(DeviceId device) const { return share(devices[device.index()].busy, makespan()); }

Metrics metrics(const Timeline& timeline, const MemoryModel& memory)
{
    Metrics found;
    found.devices.resize(static_cast<std::size_t>(timeline.devices()));
    bool any = false;
    for (std::size_t d = 0; d < found.devices.size(); ++d) {
        const std::span<const TimedPass> row = timeline.row(DeviceId { d });
        DeviceMetrics& device = found.devices[d];
        Walk walk { memory, memory.fixed[d] + memory.communication[d] };
        device.peak = walk.level;
        for (std::size_t i = 0; i < row.size();) {
            const std::size_t count = joinedCount(row, i);
            device.busy += row[i].end - row[i].start;
            device.lastEnd = std::max(device.lastEnd, row[i].end);
            device.peak = std::max(device.peak, walk.highest(&row[i], count));
            walk.finish(&row[i], count);
            i += count;
        }
        if (row.empty())
            continue;
        device.firstStart = row.front().start;
        found.firstStart = any ? std::min(found.firstStart, device.firstStart) : device.firstStart;
        any = true;
        found.lastEnd = std::max(found.lastEnd, device.lastEnd);
        found.busy += device.busy;
        found.ownSpan = std::max(found.ownSpan, device.span());
    }
    return found;
}

std::vector<LevelChange> memoryOverTime(const Timeline& timeline, const MemoryModel& memory, DeviceId device)
{
    std::vector<LevelChange> changes;
    const auto set = [&](Ticks time, Bytes level) {
        if (!changes.empty() && changes.back().time == time)
            changes.back().level = level;
        else if (changes.empty() || changes.back().level != level)
            changes.push_back({ time, level });
    };
    const std::span<const TimedPass> row = timeline.row(device);
    Walk walk { memory, memory.fixed[device.index()] + memory.communication[device.index()] };
    if (!row.empty())
        set(row.front().start, walk.level);
    for (std::size_t i = 0; i < row.size();) {
        const std::size_t count = joinedCount(row, i);
        set(row[i].start, walk.highest(&row[i], count));
        walk.finish(&row[i], count);
        set(row[i].end, walk.level);
        i += count;
    }
    return changes;
}

} // namespace pipeloom
