// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/costs_edits.h"
#include "app/designer/edit/finished.h"
#include "app/designer/edit/tables.h"

#include <fmt/format.h>

namespace pipeloom::designer {

namespace {

/// Why there is no such boundary; empty if there is, or all are meant and there is one.
std::string boundaryFault(const Design& design, std::optional<StageId> boundary)
{
    const std::int32_t boundaries = design.pipeline.stages - 1;
    if (boundaries == 0)
        return "There is one stage, and so no transfer.";
    if (boundary && (boundary->value < 0 || boundary->value >= boundaries))
        return fmt::format("There is no boundary {}; the last one is {}, between the last two stages.", boundary->value,
            boundaries - 1);
    return {};
}

std::string boundaryName(const char* what, std::optional<StageId> boundary)
{
    return boundary ? fmt::format("{} {}→{}", what, boundary->value, boundary->value + 1) : what;
}

/// Transfers by their ticks, all 0.
void freeTransfers(Design& design)
{
    design.network.bytesPerTick = 0;
    design.network.latency = 0;
    design.network.transfer.assign(static_cast<std::size_t>(design.pipeline.stages - 1), 0);
}

} // namespace

Edited setTransfer(const Design& design, std::optional<StageId> boundary, Ticks ticks)
{
    if (std::string why = boundaryFault(design, boundary); !why.empty())
        return refused(std::move(why));
    Design edited = design;
    if (edited.network.bytesPerTick != 0)
        freeTransfers(edited);
    if (std::string why = setEntry(edited.network.transfer, boundary, ticks, tickRange); !why.empty())
        return refused(std::move(why));
    return finished(std::move(edited), fmt::format("{} = {}", boundaryName("Transfer", boundary), ticks));
}

Edited setBandwidth(const Design& design, Bytes bytesPerTick)
{
    if (std::string why = outOfRange(bytesPerTick, { 0, maxBytes - 1, "Bytes per tick" }); !why.empty())
        return refused(std::move(why));
    Design edited = design;
    if (bytesPerTick == 0) {
        if (design.network.bytesPerTick != 0)
            freeTransfers(edited);
        return finished(std::move(edited), "Transfers by ticks");
    }
    edited.network.bytesPerTick = bytesPerTick;
    edited.network.transfer.clear();
    return finished(std::move(edited), fmt::format("Bandwidth = {} bytes per tick", bytesPerTick));
}

Edited setLatency(const Design& design, Ticks ticks)
{
    if (std::string why = outOfRange(ticks, tickRange); !why.empty())
        return refused(std::move(why));
    if (design.network.bytesPerTick == 0)
        return refused("Transfers are given by their ticks; give a bandwidth first, then the latency counts.");
    Design edited = design;
    edited.network.latency = ticks;
    return finished(std::move(edited), fmt::format("Latency = {}", ticks));
}

Edited setMessageBytes(const Design& design, std::optional<StageId> boundary, std::optional<Bytes> bytes)
{
    if (std::string why = boundaryFault(design, boundary); !why.empty())
        return refused(std::move(why));
    Design edited = design;
    auto& table = edited.network.bytes;
    if (!bytes && !boundary) {
        table.clear();
        return finished(std::move(edited), "Message bytes not given");
    }
    if (table.empty())
        table.assign(static_cast<std::size_t>(design.pipeline.stages - 1), 0);
    if (std::string why = setEntry(table, boundary, bytes.value_or(0), heldRange); !why.empty())
        return refused(std::move(why));
    return finished(
        std::move(edited), fmt::format("{} = {} bytes", boundaryName("Message", boundary), bytes.value_or(0)));
}

Edited setQueue(const Design& design, QueueModel queue)
{
    Design edited = design;
    edited.network.queue = queue;
    return finished(std::move(edited), fmt::format("Queues: {}", text(queue)));
}

Edited setWindow(const Design& design, std::int32_t slots)
{
    if (std::string why = outOfRange(slots, { 0, maxPasses, "Slots ahead" }); !why.empty())
        return refused(std::move(why));
    Design edited = design;
    edited.network.window = slots;
    return finished(std::move(edited), fmt::format("Window = {}", slots));
}

} // namespace pipeloom::designer
