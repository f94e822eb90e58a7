// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where each pass of a block stands: by stage, member of the group and kind of work. What the block's checks look up in.

#include "core/block/building_block.h"

#include <string>
#include <vector>

namespace pipeloom {

/// The three works of a stage for a micro-batch. BW does the second and the third.
enum class Work : std::uint8_t { Forward, InputGradient, WeightGradient };

class BlockIndex {
public:
    static constexpr std::int32_t none = -1;

    BlockIndex(const BuildingBlock& block, const Pipeline& pipeline);

    /// Index into block.passes of the pass that does the work, or none. The first one placed, if doubled.
    [[nodiscard]] std::int32_t find(StageId stage, std::int32_t member, Work work) const
    {
        return found_[(stage.index() * static_cast<std::size_t>(group_) + static_cast<std::size_t>(member)) * 3
            + static_cast<std::size_t>(work)];
    }
    /// Passes that stand where another already does the work, or that name a stage or member that is not there; indices.
    [[nodiscard]] const std::vector<std::int32_t>& doubled() const { return doubled_; }
    [[nodiscard]] const std::vector<std::int32_t>& unknown() const { return unknown_; }

private:
    void enter(const Pass& pass, std::int32_t index, const Pipeline& pipeline);

    std::int32_t group_;
    std::vector<std::int32_t> found_;
    std::vector<std::int32_t> doubled_;
    std::vector<std::int32_t> unknown_;
};

/// `7B`, in a group `7B1`: how a pass is written in a block.
[[nodiscard]] std::string blockText(const Pass& pass, const BuildingBlock& block);
/// The same for a slot; a pair as `(2F+5BW)`.
[[nodiscard]] std::string blockText(const Slot& slot, const BuildingBlock& block);

} // namespace pipeloom
