// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/finished.h"

#include "core/block/block_index.h"
#include "core/formats/read_sections.h"
#include "core/formats/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pipeloom::designer {

namespace {

std::string cannotHoldSizes(const Pipeline& pipeline)
{
    if (pipeline.devices < 1 || pipeline.devices > maxDevices)
        return fmt::format("A pipeline has 1 to {} devices, not {}.", maxDevices, pipeline.devices);
    if (pipeline.stages < 1 || pipeline.microBatches < 1)
        return "A pipeline has at least 1 stage and 1 micro-batch.";
    if (std::int64_t { 2 } * pipeline.stages * pipeline.microBatches > maxPasses)
        return fmt::format("{} stages and {} micro-batches make more than {} passes.", pipeline.stages,
            pipeline.microBatches, maxPasses);
    if (pipeline.kind == PlacementKind::Linear && pipeline.stages != pipeline.devices)
        return fmt::format("A linear placement has one stage on each device, not {} stages on {} devices.",
            pipeline.stages, pipeline.devices);
    return {};
}

std::string cannotHoldBlock(const BuildingBlock& block, const Pipeline& pipeline)
{
    if (block.interval < 1 || block.interval >= maxTicks)
        return fmt::format("An interval has 1 to {} ticks, not {}.", maxTicks - 1, block.interval);
    if (block.group < 1 || block.group > maxPasses / 2)
        return fmt::format("A group has 1 to {} micro-batches, not {}.", maxPasses / 2, block.group);
    std::int64_t passes = 0;
    for (const BlockPass& placed : block.passes) {
        passes += placed.slot.isPair() ? 2 : 1;
        if (placed.start < 0 || placed.start >= maxTicks)
            return fmt::format("{} would start at {}; starts go from 0 to {}.", blockText(placed.slot, block),
                placed.start, maxTicks - 1);
    }
    const std::int64_t copies = (std::int64_t { pipeline.microBatches } + block.group - 1) / block.group;
    if (passes > maxPasses / copies)
        return fmt::format("{} passes in {} copies of the block are more than {}.", passes, copies, maxPasses);
    return {};
}

} // namespace

Edited finished(Design design, std::string name)
{
    std::string why = cannotHoldSizes(design.pipeline);
    if (const BuildingBlock* block = design.block(); block && why.empty())
        why = cannotHoldBlock(*block, design.pipeline);
    if (!why.empty())
        return refused(std::move(why));
    formats::Reports reports;
    formats::checkSums(design, reports);
    if (const Findings findings = reports.take(); hasErrors(findings))
        return refused(findings.front().message + " " + findings.front().remedy);
    return { std::move(design), std::move(name), {} };
}

Edited refusedWithoutBlock()
{
    return refused("The order is edited by hand and there is no block; \"Back to block\" brings it back.");
}

std::string nameOf(const BuildingBlock& block, std::span<const std::int32_t> passes)
{
    if (passes.size() == 1)
        return blockText(block.passes[static_cast<std::size_t>(passes.front())].slot, block);
    return fmt::format("{} passes", passes.size());
}

bool areThere(const BuildingBlock& block, std::span<const std::int32_t> passes)
{
    const std::set<std::int32_t> once(passes.begin(), passes.end());
    return once.size() == passes.size() && (once.empty() || *once.begin() >= 0)
        && (once.empty() || static_cast<std::size_t>(*once.rbegin()) < block.passes.size());
}

Edited refusedWithoutPass() { return refused("No pass is selected."); }

} // namespace pipeloom::designer
