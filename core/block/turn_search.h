// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The search for turns with which a block repeats: the legs stay as they are, only the steps between them change. What
// legs.h is made of.

#include "core/block/building_block.h"

#include <optional>
#include <vector>

namespace pipeloom {

/// A boundary of a route's chain that may change.
struct FreeTurn {
    RouteId route;
    std::int32_t boundary = 0;
};

enum class TurnChoice : std::uint8_t {
    Nearest,  ///< the least sum of changes; ties: an earlier turn gives way first, shorter before longer
    Shortest, ///< the least sum of turns; ties: the earliest end of the block, then the least lifespans
};

/// Work that a search may do, in comparisons of two passes, a nanosecond or two each. Shared by searches that follow.
struct SearchBudget {
    std::int64_t left = 1'000'000;
};

/// The block with legal turns and W placed again: no collisions, nothing early among F and B. The passes of routes without
/// free turns stay. `free`: by route, ascending along the chain. Nothing if there are none, or none are found within the
/// budget. Intervals of more than 32 ticks are too long to try every tick; there only turns are tried at which a leg just
/// clears what stands before it.
[[nodiscard]] std::optional<BuildingBlock> searchTurns(const BuildingBlock& block, const Pipeline& pipeline,
    const std::vector<FreeTurn>& free, TurnChoice choice, SearchBudget& budget);

/// True if no passes collide and none stands before its input. Passes may be missing.
[[nodiscard]] bool repeats(const BuildingBlock& block, const Pipeline& pipeline);

} // namespace pipeloom
