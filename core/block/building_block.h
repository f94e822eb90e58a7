// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The passes of one micro-batch (or of a group) over all devices, with start times, and the interval after which the
// next starts. Source of the method: arXiv 2405.15362, sections 2-3.

#include "core/finding/finding.h"
#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"

#include <optional>
#include <vector>

namespace pipeloom {

/// A pass of the block at a time. `pass.microBatch` is the member of the group, 0..group-1.
struct BlockPass {
    DeviceId device; ///< the row it is drawn in
    Slot slot;       ///< one pass, or an overlapped pair
    Ticks start = 0; ///< >= 0

    friend bool operator==(const BlockPass&, const BlockPass&) = default;
};

/// Times are those it is drawn with, in ticks; costs and network count only from squeezing on.
struct BuildingBlock {
    Ticks interval = 1;              ///< T: start of one block to the start of the next; >= 1
    std::int32_t group = 1;          ///< micro-batches in the block
    ByKindAndStage<Ticks> durations; ///< what the passes are drawn with; a pair takes the sum of its two
    std::vector<BlockPass> passes;   ///< any order; a block that is still being drawn may lack some

    [[nodiscard]] Ticks duration(const Slot& slot) const;
    friend bool operator==(const BuildingBlock&, const BuildingBlock&) = default;
};

/// F, B, W one tick, BW two, for every stage: FORMAT.md's default.
[[nodiscard]] ByKindAndStage<Ticks> unitDurations(std::int32_t stages);

/// Everything that keeps the block from being repeated. Empty of errors means legal. O(n log n) in passes; fit to be
/// called at every mouse move.
/// Errors: block/interval (T < 1, or shorter than what a device must do in it), block/missing ("n of N placed; next
/// 0F"), block/doubled, block/misplaced (a pass in another row than the placement says), block/mixed (BW besides B or
/// W), block/early (a pass before its input), block/pair (a pair that is not an F and a B or BW), block/routes (members
/// do not take the routes that the pipeline names), block/collision (two passes of a device overlap modulo T).
[[nodiscard]] Findings check(const BuildingBlock& block, const Pipeline& pipeline);

/// How long a stage holds the activations of one micro-batch: start of F to the end of W (or BW).
/// Nothing if the stage lacks one of the two.
[[nodiscard]] std::optional<Ticks> lifespan(const BuildingBlock& block, StageId stage, std::int32_t member = 0);

/// What each device can hold at most when the block is repeated every T: static + communication + sum over its stages
/// and the group's members of max(a, a+b) * ceil(l / T). Nothing for a device with a stage whose lifespan is not known
/// yet. Source: arXiv 2405.15362, eq. 1, rounded up by stage (DESIGN.md 3.2). One entry per device.
[[nodiscard]] std::vector<std::optional<Bytes>> bounds(
    const BuildingBlock& block, const Pipeline& pipeline, const MemoryModel& memory);

} // namespace pipeloom
