// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The offsets that a block is made of. The passes F of stage 0, 1, .., S-1 and then B of stage S-1, .., 1, 0 are a chain; a
// *leg* is a part of it that goes from device to device in one direction, a *turn* is a step between legs. V has the legs
// δF0, δF1, δB1, δB0 and three turns (arXiv 2405.15362, tables 8 and 9); a linear pipeline has δF and δB and one turn; in an
// interleaved one each chunk is a leg. BW stands for B. With several routes each has a chain of its own, and all members of
// the group that take it move alike.

#include "core/block/building_block.h"

#include <optional>
#include <string>
#include <vector>

namespace pipeloom {

/// Part of the chain. Its boundaries are counted along the chain: boundary c lies between place c and c + 1, F of stage s is
/// place s, B of stage s is place 2S - 1 - s.
struct Leg {
    std::string name;            ///< `δF0`; `δF` if there is but one leg
    PassKind kind = PassKind::F; ///< F or B
    StageId first, last;         ///< where it begins and ends: of F ascending, of B descending
    DeviceId from, to;           ///< the devices of the two
    std::int32_t boundary = 0;   ///< its first boundary
    std::int32_t boundaries = 0; ///< 1 or more
    std::optional<Ticks> offset; ///< start to start, at every boundary; none: mixed, or passes are missing
    bool whole = true;           ///< all its passes are placed; with no offset: it is mixed
};

/// A step between two legs, or between two stages of one device.
struct Turn {
    std::string name; ///< `F0→F1`, `F1→B1`, `B1→B0`; `F→B`; between stages: `3F→4F`
    PassKind fromKind = PassKind::F, toKind = PassKind::F;
    StageId from, to;
    std::int32_t boundary = 0;
    std::optional<Ticks> offset; ///< start to start; none: members differ, or passes are missing
    bool whole = true;
};

/// The legs of a route in the order of the chain. None on one device.
[[nodiscard]] std::vector<Leg> legs(
    const BuildingBlock& block, const Pipeline& pipeline, RouteId route = RouteId { 0 });
/// The turns of a route in the order of the chain; at least that from F to B of the last stage.
[[nodiscard]] std::vector<Turn> turns(
    const BuildingBlock& block, const Pipeline& pipeline, RouteId route = RouteId { 0 });

/// What becomes of turns and W when something is shifted.
enum class AfterShift : std::uint8_t {
    Fit,   ///< turns take the nearest legal values, W is placed again
    Leave, ///< turns stay, W goes along with its B
};

struct Shifted {
    BuildingBlock block;
    bool fits = false; ///< no collisions, nothing early among F and B; or AfterShift::Leave was asked for
};

/// Adds `by` at every boundary of the leg (index into `legs`), so that uneven legs keep their unevenness; everything later
/// in the chain moves along. Then the other offsets of the legs stay, and the turns take the legal values for which the sum
/// of their changes is least (ties: an earlier turn gives way first, and becomes shorter rather than longer), and W is
/// placed again. If none are found in a bounded search (some milliseconds), the shift stands as it is. No start falls below
/// 0: `by` stops there.
[[nodiscard]] Shifted shiftLeg(const BuildingBlock& block, const Pipeline& pipeline, RouteId route, std::size_t leg,
    Ticks by, AfterShift after = AfterShift::Fit);

/// The same for a turn (index into `turns`), which keeps the value that it is given.
[[nodiscard]] Shifted shiftTurn(const BuildingBlock& block, const Pipeline& pipeline, RouteId route, std::size_t turn,
    Ticks by, AfterShift after = AfterShift::Fit);

/// The block fitted to the interval: as it stands if only W must move; else with the offsets of its legs and the shortest
/// turns that are legal (ties: the earliest end of the block, then the least lifespans); else with legs changed by as few
/// ticks as possible, each as a whole. W is placed again. Nothing if none is found in a bounded search.
[[nodiscard]] std::optional<BuildingBlock> refit(const BuildingBlock& block, const Pipeline& pipeline, Ticks interval);

} // namespace pipeloom
