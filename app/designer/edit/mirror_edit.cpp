// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/finished.h"
#include "app/designer/edit/pass_edits.h"
#include "core/block/block_index.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::designer {

namespace {

/// Where B of a stage stands while they are put one after the other.
class Mirror {
public:
    Mirror(BuildingBlock& block, const Pipeline& pipeline)
        : block_(block)
        , stages_(pipeline.stages)
    {
        const BlockIndex index(block, pipeline);
        for (std::int32_t s = 0; s < stages_; ++s)
            for (std::int32_t member = 0; member < block.group; ++member)
                backward_.push_back(index.find(StageId { s }, member, Work::InputGradient));
    }

    [[nodiscard]] std::int32_t backwardOf(const Pass& forward) const { return backward_[at(forward)]; }

    /// B of the F at `pass` is put, mirrored at `time`, but not before the B of the next stage ends.
    void put(const BlockPass& pass, Ticks time)
    {
        const Pass forward = pass.slot.first;
        std::int32_t& backward = backward_[at(forward)];
        if (backward == BlockIndex::none) {
            backward = static_cast<std::int32_t>(block_.passes.size());
            block_.passes.push_back({ pass.device, { { forward.stage, forward.microBatch, PassKind::B }, {} }, 0 });
        }
        Ticks start = 2 * time - pass.start - block_.duration(pass.slot);
        if (forward.stage.value + 1 < stages_) {
            const std::int32_t input = backward_[at({ StageId { forward.stage.value + 1 }, forward.microBatch, {} })];
            if (input != BlockIndex::none)
                start = std::max(start, placed(input).start + block_.duration(placed(input).slot));
        }
        placed(backward).start = start;
    }

private:
    [[nodiscard]] std::size_t at(const Pass& pass) const
    {
        return pass.stage.index() * static_cast<std::size_t>(block_.group) + pass.microBatch.index();
    }
    BlockPass& placed(std::int32_t pass) { return block_.passes[static_cast<std::size_t>(pass)]; }

    BuildingBlock& block_;
    std::int32_t stages_;
    std::vector<std::int32_t> backward_; ///< by stage and member
};

} // namespace

Edited mirrorPasses(const Design& design, std::span<const std::int32_t> passes)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (!areThere(*block, passes))
        return refusedWithoutPass();
    std::vector<BlockPass> forwards;
    Ticks time = 0;
    for (const std::int32_t pass : passes)
        if (const BlockPass& placed = block->passes[static_cast<std::size_t>(pass)];
            placed.slot.first.kind == PassKind::F) {
            forwards.push_back(placed);
            time = std::max(time, placed.start + block->duration(placed.slot));
        }
    if (forwards.empty())
        return refused("Select F passes: their B is placed as the mirror of time shows it.");
    // From the last stage on, as B of a stage waits for that of the next.
    std::stable_sort(forwards.begin(), forwards.end(),
        [](const BlockPass& a, const BlockPass& b) { return a.slot.first.stage > b.slot.first.stage; });
    Design edited = design;
    Mirror mirror(std::get<BuildingBlock>(edited.plan), design.pipeline);
    for (const BlockPass& forward : forwards) {
        const std::int32_t backward = mirror.backwardOf(forward.slot.first);
        if (backward != BlockIndex::none && static_cast<std::size_t>(backward) < block->passes.size())
            if (const Slot& slot = block->passes[static_cast<std::size_t>(backward)].slot; slot.isPair())
                return refused(fmt::format("{} runs in a pair; unpair it first.", blockText(slot, *block)));
        mirror.put(forward, time);
    }
    return finished(std::move(edited), fmt::format("Mirror {} F", forwards.size()));
}

} // namespace pipeloom::designer
