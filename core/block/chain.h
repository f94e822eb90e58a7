// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The chain of F and B of a route, cut into legs and turns by the way from device to device. What legs.h is made of.

#include "core/block/building_block.h"

#include <vector>

namespace pipeloom {

/// Boundaries [begin, end) of the chain.
struct ChainPart {
    std::int32_t begin = 0;
    std::int32_t end = 0;
    bool isLeg = false;    ///< else a turn, of one boundary
    std::int32_t leg = -1; ///< number of the leg among those of F, of a leg of B too
};

/// All boundaries, F first, the turn at the last stage, then B: 2S - 1 in all.
[[nodiscard]] std::vector<ChainPart> chainParts(const Pipeline& pipeline, RouteId route);

/// The place in the chain of F, and of B, BW and W, which goes with its B.
[[nodiscard]] std::int32_t chainPlace(const Pass& pass, std::int32_t stages);

/// True if the pass takes the route: member k of the group takes route k mod routes.
[[nodiscard]] bool takesRoute(const Pass& pass, const Pipeline& pipeline, RouteId route);

/// `by` is added at each boundary of [begin, end) of the route's chain; everything later moves along, W with its B, a pair
/// with its F. `by` is cut to what keeps all starts at or above 0 and below 2^40.
void shiftChain(
    BuildingBlock& block, const Pipeline& pipeline, RouteId route, std::int32_t begin, std::int32_t end, Ticks by);

} // namespace pipeloom
