// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/weights.h"

#include "core/block/block_index.h"
#include "core/block/fit.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace pipeloom {

namespace {

/// A W to be placed, and when it may start.
struct Waiting {
    std::int32_t weights = 0; ///< index into block.passes
    Ticks ready = 0;          ///< its B ends
    Ticks order = 0;          ///< its B starts
};

/// The first start from `ready` on at which it takes nothing that is taken. Only ends of taken times need a look.
std::optional<Ticks> firstFree(const std::vector<TakenTicks>& taken, Ticks ready, Ticks ticks, Ticks interval)
{
    if (ticks > interval)
        return std::nullopt;
    std::vector<Ticks> starts { ready };
    for (const TakenTicks& other : taken)
        starts.push_back(ready + ((other.residue + other.ticks - ready) % interval + interval) % interval);
    std::sort(starts.begin(), starts.end());
    for (const Ticks start : starts)
        if (!overlaps(taken, start % interval, ticks, interval))
            return start;
    return std::nullopt;
}

std::vector<Waiting> waiting(const BuildingBlock& block, const Pipeline& pipeline)
{
    const BlockIndex index(block, pipeline);
    std::vector<Waiting> found;
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        const Pass& pass = block.passes[i].slot.first;
        if (pass.kind != PassKind::W || block.passes[i].slot.isPair() || pass.stage.value >= pipeline.stages
            || pass.microBatch.value >= block.group)
            continue;
        const std::int32_t backward = index.find(pass.stage, pass.microBatch.value, Work::InputGradient);
        if (backward == BlockIndex::none)
            continue;
        const BlockPass& input = block.passes[static_cast<std::size_t>(backward)];
        if (index.find(pass.stage, pass.microBatch.value, Work::WeightGradient) == static_cast<std::int32_t>(i))
            found.push_back({ static_cast<std::int32_t>(i), input.start + block.duration(input.slot), input.start });
    }
    std::sort(found.begin(), found.end(), [&](const Waiting& a, const Waiting& b) {
        const BlockPass& left = block.passes[static_cast<std::size_t>(a.weights)];
        const BlockPass& right = block.passes[static_cast<std::size_t>(b.weights)];
        return std::tuple(left.device, a.order, -left.slot.first.stage.value, left.slot.first.microBatch)
            < std::tuple(right.device, b.order, -right.slot.first.stage.value, right.slot.first.microBatch);
    });
    return found;
}

} // namespace

BuildingBlock placeWeights(BuildingBlock block, const Pipeline& pipeline)
{
    const std::vector<Waiting> all = waiting(block, pipeline);
    std::vector<bool> moves(block.passes.size(), false);
    for (const Waiting& one : all)
        moves[static_cast<std::size_t>(one.weights)] = true;
    std::vector<std::vector<TakenTicks>> taken(static_cast<std::size_t>(pipeline.devices));
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        const BlockPass& placed = block.passes[i];
        if (const Ticks ticks = block.duration(placed.slot); !moves[i] && ticks > 0)
            taken[placed.device.index()].push_back(
                { placed.start % block.interval, ticks, static_cast<std::int32_t>(i) });
    }
    for (const Waiting& one : all) {
        BlockPass& placed = block.passes[static_cast<std::size_t>(one.weights)];
        const Ticks ticks = block.duration(placed.slot);
        auto& row = taken[placed.device.index()];
        placed.start = ticks == 0 ? one.ready : firstFree(row, one.ready, ticks, block.interval).value_or(one.ready);
        if (ticks > 0)
            row.push_back({ placed.start % block.interval, ticks, one.weights });
    }
    return block;
}

BuildingBlock withAllWeights(BuildingBlock block, const Pipeline& pipeline)
{
    const BlockIndex index(block, pipeline);
    for (std::size_t i = 0, placed = block.passes.size(); i < placed; ++i) {
        const BlockPass backward = block.passes[i];
        const auto add = [&](const Pass& pass) {
            if (pass.kind != PassKind::B || pass.stage.value >= pipeline.stages || pass.microBatch.value >= block.group
                || index.find(pass.stage, pass.microBatch.value, Work::InputGradient) != static_cast<std::int32_t>(i)
                || index.find(pass.stage, pass.microBatch.value, Work::WeightGradient) != BlockIndex::none)
                return;
            block.passes.push_back({ backward.device, { { pass.stage, pass.microBatch, PassKind::W }, {} },
                backward.start + block.duration(backward.slot) });
        };
        add(backward.slot.first);
        add(backward.slot.second);
    }
    return placeWeights(std::move(block), pipeline);
}

} // namespace pipeloom
