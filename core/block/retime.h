// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A block drawn anew with other durations: the order of every device stays, the times follow.

#include "core/block/building_block.h"

#include <optional>

namespace pipeloom {

/// The block with `durations` and the shortest interval with which its order repeats. It keeps its shape: every pass starts
/// where it comes to when the block is stretched to that interval, or as soon after as its inputs and the order of its
/// device allow. The order is the one of the repeated block: by tick of the interval, ties: the earlier
/// copy, then the lower stage (core/schedule/repeat.h). So nothing collides or is early afterwards, even if it was before.
/// Nothing if that order cannot run at any interval, or sums go beyond 2^60. Mostly a few milliseconds; in blocks of more than some thousand passes
/// a search that goes on too long ends with a longer interval, or nothing.
[[nodiscard]] std::optional<BuildingBlock> retimed(
    const BuildingBlock& block, const Pipeline& pipeline, const ByKindAndStage<Ticks>& durations);

} // namespace pipeloom
