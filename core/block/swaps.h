// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which pass a dragged one meets, and what the block is when the two change places. In a full block hardly any move of one
// pass is legal, a swap often is.

#include "core/block/building_block.h"

#include <cstdint>
#include <optional>
#include <span>

namespace pipeloom {

/// A pass that takes ticks which another wants.
struct Meeting {
    std::int32_t pass = 0; ///< index into block.passes
    Ticks copies = 0; ///< the copy met stands that many intervals later in time than the block itself; may be below 0
    Ticks from = 0, to = 0; ///< what both take, in block time
};

/// The pass that a pass of `ticks` at `start` on the device meets when the block repeats; of several the one with which it
/// shares most, then the first. `except`: indices of passes that do not count, as those that are dragged. Nothing if the
/// ticks are free or `ticks` is 0.
[[nodiscard]] std::optional<Meeting> meets(
    const BuildingBlock& block, DeviceId device, Ticks start, Ticks ticks, std::span<const std::int32_t> except = {});

/// Pass `a` goes to `start`, and `b` of the same device, which it meets there, to the ticks of the interval that `a` leaves,
/// in the copy nearest to where it stood at which both are legal. With other durations each may also end where the other
/// ended. If no way is legal: `a` at `start`, `b` at the nearest start >= 0 on those ticks. `start` >= 0.
[[nodiscard]] BuildingBlock swapped(
    const BuildingBlock& block, const Pipeline& pipeline, std::int32_t a, std::int32_t b, Ticks start);

} // namespace pipeloom
