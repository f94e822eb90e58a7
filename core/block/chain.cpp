// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/chain.h"

#include <algorithm>

namespace pipeloom {

namespace {

/// Boundaries in a row whose devices step in one direction; direction 0: one boundary that stays on its device.
struct Run {
    std::int32_t begin = 0;
    std::int32_t end = 0;
    int direction = 0;

    [[nodiscard]] bool isOne() const { return end - begin == 1; }
};

std::vector<Run> runsOf(const Placement& route)
{
    std::vector<Run> runs;
    for (std::size_t s = 0; s + 1 < route.size(); ++s) {
        const auto boundary = static_cast<std::int32_t>(s);
        const int direction = route[s + 1] > route[s] ? 1 : route[s + 1] < route[s] ? -1 : 0;
        if (direction != 0 && !runs.empty() && runs.back().direction == direction)
            ++runs.back().end;
        else
            runs.push_back({ boundary, boundary + 1, direction });
    }
    return runs;
}

/// A single step back between two runs of the other direction is the way from a chunk to the next, not a leg.
std::vector<bool> areLegs(const std::vector<Run>& runs)
{
    std::vector<bool> legs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool stepBack = runs[i].isOne() && i > 0 && legs[i - 1] && i + 1 < runs.size()
            && runs[i - 1].direction == -runs[i].direction && runs[i + 1].direction == -runs[i].direction;
        legs.push_back(runs[i].direction != 0 && !stepBack);
    }
    return legs;
}

} // namespace

std::vector<ChainPart> chainParts(const Pipeline& pipeline, RouteId route)
{
    const std::vector<Run> runs = runsOf(pipeline.routes[route.index()]);
    const std::vector<bool> isLeg = areLegs(runs);
    std::vector<ChainPart> parts;
    std::int32_t leg = 0;
    for (std::size_t i = 0; i < runs.size(); ++i)
        parts.push_back({ runs[i].begin, runs[i].end, isLeg[i], isLeg[i] ? leg++ : -1 });
    const std::int32_t boundaries = 2 * pipeline.stages - 1;
    parts.push_back({ pipeline.stages - 1, pipeline.stages, false, -1 });
    for (std::size_t i = runs.size(); i-- > 0;) {
        const ChainPart forward = parts[i];
        parts.push_back({ boundaries - forward.end, boundaries - forward.begin, forward.isLeg, forward.leg });
    }
    return parts;
}

std::int32_t chainPlace(const Pass& pass, std::int32_t stages)
{
    return pass.kind == PassKind::F ? pass.stage.value : 2 * stages - 1 - pass.stage.value;
}

bool takesRoute(const Pass& pass, const Pipeline& pipeline, RouteId route)
{
    return pass.microBatch.value % pipeline.routeCount() == route.value;
}

void shiftChain(
    BuildingBlock& block, const Pipeline& pipeline, RouteId route, std::int32_t begin, std::int32_t end, Ticks by)
{
    const auto times = [&](const BlockPass& placed) -> Ticks {
        if (!takesRoute(placed.slot.first, pipeline, route))
            return 0;
        return std::clamp(chainPlace(placed.slot.first, pipeline.stages) - begin, 0, end - begin);
    };
    by = std::clamp(by, -maxTicks, maxTicks);
    for (const BlockPass& placed : block.passes)
        if (const Ticks n = times(placed); n > 0)
            by = std::clamp(by, -(placed.start / n), (maxTicks - 1 - placed.start) / n);
    for (BlockPass& placed : block.passes)
        placed.start += by * times(placed);
}

} // namespace pipeloom
