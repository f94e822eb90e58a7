// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/reordered.h"

#include "core/program/lower.h"
#include "core/program/program_memory.h"
#include "core/schedule/reorder.h"
#include "core/simulate/simulator.h"

#include <algorithm>
#include <tuple>

namespace pipeloom {

std::optional<Realised> realise(const Schedule& schedule, const Design& design, QueueModel queue)
{
    Realised made;
    std::optional<Program> program = lower(schedule, design.pipeline, design.network, queue);
    if (!program)
        return std::nullopt;
    std::optional<Timeline> timeline = simulate(*program, design.pipeline, design.costs, design.network, queue);
    if (!timeline)
        return std::nullopt;
    made.schedule = schedule;
    made.program = std::move(*program);
    made.timeline = std::move(*timeline);
    made.metrics = metrics(made.timeline, design.memory);
    const std::vector<Bytes> high = peaks(made.program, design.pipeline, design.memory, design.network);
    for (std::size_t d = 0; d < high.size(); ++d)
        made.metrics.devices[d].peak = high[d];
    return made;
}

namespace {

std::tuple<Ticks, Ticks> key(const Metrics& metrics, ReorderAim aim)
{
    return aim == ReorderAim::Makespan ? std::tuple(metrics.makespan(), metrics.ownSpan)
                                       : std::tuple(metrics.ownSpan, metrics.makespan());
}

/// What a device may hold, reordered: its limit, the highest squeezed peak where none is given, its own squeezed peak.
std::vector<Bytes> allowedPeaks(const Metrics& squeezed, const MemoryModel& memory)
{
    Bytes highest = 0;
    for (const DeviceMetrics& device : squeezed.devices)
        highest = std::max(highest, device.peak);
    std::vector<Bytes> allowed;
    for (std::size_t d = 0; d < squeezed.devices.size(); ++d)
        allowed.push_back(std::max(memory.limit[d].value_or(highest), squeezed.devices[d].peak));
    return allowed;
}

/// Takes what a device holds too much off what reordering may use there. True if there was any.
bool tighten(MemoryModel& memory, const Metrics& found, const std::vector<Bytes>& allowed)
{
    bool tightened = false;
    for (std::size_t d = 0; d < allowed.size(); ++d)
        if (const Bytes over = found.devices[d].peak - allowed[d]; over > 0) {
            memory.limit[d] = memory.limit[d].value_or(allowed[d]) - over;
            tightened = true;
        }
    return tightened;
}

} // namespace

Realised reordered(Realised squeezed, const Design& design, QueueModel queue)
{
    const Reorder how = design.reorder.value_or(Reorder {});
    const std::vector<Bytes> allowed = allowedPeaks(squeezed.metrics, design.memory);
    MemoryModel memory = design.memory;
    for (std::size_t d = 0; d < allowed.size(); ++d)
        if (!memory.limit[d])
            memory.limit[d] = allowed[d];
    Reorderer reorderer;
    OrderFigures figures;
    // Reordering does not see receive buffers. Where they lift a peak too high, it is given that much less to use.
    constexpr int tries = 4;
    for (int i = 0; i < tries; ++i) {
        reorderer.prepare(design.pipeline, design.costs, memory, design.network);
        std::optional<Realised> made = realise(reorderer.reorder(squeezed.schedule, how, figures), design, queue);
        if (!made)
            break;
        if (tighten(memory, made->metrics, allowed))
            continue;
        return key(made->metrics, how.aim) <= key(squeezed.metrics, how.aim) ? std::move(*made) : std::move(squeezed);
    }
    return squeezed;
}

} // namespace pipeloom
