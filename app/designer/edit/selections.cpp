// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/selections.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace pipeloom::designer {

namespace {

/// Passes of which one (of a pair) is wanted.
template <class Wanted> std::vector<std::int32_t> select(const Design& design, Wanted wanted)
{
    std::vector<std::int32_t> found;
    if (const BuildingBlock* block = design.block())
        for (std::size_t i = 0; i < block->passes.size(); ++i)
            if (const Slot& slot = block->passes[i].slot; wanted(slot.first) || (slot.isPair() && wanted(slot.second)))
                found.push_back(static_cast<std::int32_t>(i));
    return found;
}

/// The chunk of each stage of a route.
std::vector<std::int32_t> chunksOf(const Pipeline& pipeline, RouteId route)
{
    std::vector<std::int32_t> held(static_cast<std::size_t>(pipeline.devices), 0);
    std::vector<std::int32_t> chunks;
    for (const DeviceId device : pipeline.routes[route.index()])
        chunks.push_back(held[device.index()]++);
    return chunks;
}

} // namespace

std::int32_t chunkOf(const Pipeline& pipeline, StageId stage, RouteId route)
{
    const Placement& placement = pipeline.routes[route.index()];
    const auto end = placement.begin() + stage.value;
    return static_cast<std::int32_t>(std::count(placement.begin(), end, *end));
}

std::vector<std::int32_t> selectChunk(const Design& design, std::int32_t chunk)
{
    std::vector<std::vector<std::int32_t>> chunks;
    for (std::int32_t r = 0; r < design.pipeline.routeCount(); ++r)
        chunks.push_back(chunksOf(design.pipeline, RouteId { r }));
    return select(design,
        [&](const Pass& pass) { return chunks[pass.microBatch.index() % chunks.size()][pass.stage.index()] == chunk; });
}

std::vector<std::int32_t> selectKind(const Design& design, PassKind kind)
{
    return select(design, [kind](const Pass& pass) { return pass.kind == kind; });
}

std::vector<std::int32_t> selectStage(const Design& design, StageId stage)
{
    return select(design, [stage](const Pass& pass) { return pass.stage == stage; });
}

std::vector<std::int32_t> selectDevice(const Design& design, DeviceId device)
{
    std::vector<std::int32_t> found;
    if (const BuildingBlock* block = design.block())
        for (std::size_t i = 0; i < block->passes.size(); ++i)
            if (block->passes[i].device == device)
                found.push_back(static_cast<std::int32_t>(i));
    return found;
}

std::vector<std::int32_t> sameOfAllMembers(const Design& design, std::span<const std::int32_t> passes)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return {};
    std::set<std::tuple<StageId, PassKind>> wanted;
    for (const std::int32_t pass : passes) {
        if (pass < 0 || static_cast<std::size_t>(pass) >= block->passes.size())
            continue;
        const Slot& slot = block->passes[static_cast<std::size_t>(pass)].slot;
        wanted.emplace(slot.first.stage, slot.first.kind);
        if (slot.isPair())
            wanted.emplace(slot.second.stage, slot.second.kind);
    }
    return select(design, [&](const Pass& pass) { return wanted.contains({ pass.stage, pass.kind }); });
}

} // namespace pipeloom::designer
