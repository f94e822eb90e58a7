// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The block repeated every T for all micro-batches: where a schedule comes from. Source: arXiv 2405.15362, section 3.

#include "core/block/building_block.h"
#include "core/schedule/schedule.h"
#include "core/timeline/timeline.h"

namespace pipeloom {

/// Each device's passes of ceil(m / g) copies of the block, T apart, by start; micro-batches >= m dropped. Ties, which only
/// a block that collides has among passes of some length: the earlier copy, then the lower stage; passes of no length come
/// first, in the order of their dependencies. The block needs no check: whatever is placed is repeated.
/// O(passes). Stages and members must be those of the pipeline.
[[nodiscard]] Schedule repeatedOrder(const BuildingBlock& block, const Pipeline& pipeline);

/// The same with times: the raw form, drawn with the block's own durations, transfers taking no time.
[[nodiscard]] Timeline repeat(const BuildingBlock& block, const Pipeline& pipeline);

} // namespace pipeloom
