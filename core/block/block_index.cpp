// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/block_index.h"

namespace pipeloom {

BlockIndex::BlockIndex(const BuildingBlock& block, const Pipeline& pipeline)
    : group_(block.group)
    , found_(static_cast<std::size_t>(pipeline.stages) * static_cast<std::size_t>(block.group) * 3, none)
{
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        enter(block.passes[i].slot.first, static_cast<std::int32_t>(i), pipeline);
        if (block.passes[i].slot.isPair())
            enter(block.passes[i].slot.second, static_cast<std::int32_t>(i), pipeline);
    }
}

void BlockIndex::enter(const Pass& pass, std::int32_t index, const Pipeline& pipeline)
{
    if (pass.stage.value < 0 || pass.stage.value >= pipeline.stages || pass.microBatch.value < 0
        || pass.microBatch.value >= group_) {
        unknown_.push_back(index);
        return;
    }
    const std::size_t base
        = (pass.stage.index() * static_cast<std::size_t>(group_) + static_cast<std::size_t>(pass.microBatch.value)) * 3;
    const auto take = [&](Work work) {
        std::int32_t& place = found_[base + static_cast<std::size_t>(work)];
        if (place != none)
            return false;
        place = index;
        return true;
    };
    bool fresh = true;
    if (pass.kind == PassKind::F)
        fresh = take(Work::Forward);
    if (givesInputGradient(pass.kind))
        fresh = take(Work::InputGradient);
    if (givesWeightGradient(pass.kind))
        fresh = take(Work::WeightGradient) && fresh;
    if (!fresh)
        doubled_.push_back(index);
}

std::string blockText(const Pass& pass, const BuildingBlock& block)
{
    std::string written = std::to_string(pass.stage.value) + text(pass.kind);
    if (block.group > 1)
        written += std::to_string(pass.microBatch.value);
    return written;
}

std::string blockText(const Slot& slot, const BuildingBlock& block)
{
    if (!slot.isPair())
        return blockText(slot.first, block);
    return "(" + blockText(slot.first, block) + "+" + blockText(slot.second, block) + ")";
}

} // namespace pipeloom
