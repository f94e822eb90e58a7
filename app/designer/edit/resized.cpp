// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/resized.h"

#include <algorithm>
#include <utility>

namespace pipeloom::designer {

namespace {

template <class Number> void resize(std::vector<Number>& table, std::size_t count, const Number& ifEmpty)
{
    const Number last = table.empty() ? ifEmpty : table.back();
    table.resize(count, last);
}

} // namespace

void resizeTables(Design& design, std::int32_t stages, std::int32_t devices)
{
    const auto stageCount = static_cast<std::size_t>(stages);
    const auto deviceCount = static_cast<std::size_t>(devices);
    for (auto* table : { &design.costs.ticks, &design.memory.change, &design.memory.transient })
        for (auto& numbers : table->values)
            resize(numbers, stageCount, std::int64_t { 0 });
    resize(design.memory.fixed, deviceCount, Bytes { 0 });
    resize(design.memory.communication, deviceCount, Bytes { 0 });
    resize(design.memory.limit, deviceCount, std::optional<Bytes>());
    if (design.network.bytesPerTick == 0)
        resize(design.network.transfer, stageCount - 1, Ticks { 0 });
    if (!design.network.bytes.empty())
        resize(design.network.bytes, stageCount - 1, Bytes { 0 });
    if (auto* block = std::get_if<BuildingBlock>(&design.plan))
        for (auto& numbers : block->durations.values)
            resize(numbers, stageCount, Ticks { 1 });
    if (design.training && !design.training->layersPerStage.empty())
        resize(design.training->layersPerStage, stageCount, std::int32_t { 1 });
}

void settlePasses(BuildingBlock& block, const Pipeline& pipeline)
{
    std::vector<BlockPass> parted; // second halves that stand by themselves now
    const auto isThere
        = [&](const Pass& pass) { return pass.stage.value < pipeline.stages && pass.microBatch.value < block.group; };
    const auto home = [&](const Pass& pass) {
        return pipeline.deviceOf(pass.stage, RouteId { pass.microBatch.value % pipeline.routeCount() });
    };
    std::erase_if(block.passes, [&](BlockPass& placed) {
        Slot& slot = placed.slot;
        if (slot.isPair() && !isThere(slot.second))
            slot.second = {};
        if (!isThere(slot.first)) {
            if (!slot.isPair())
                return true;
            slot = { slot.second, {} };
        }
        placed.device = home(slot.first);
        if (slot.isPair() && home(slot.second) != placed.device) {
            const Pass second = std::exchange(slot.second, Pass {});
            parted.push_back({ home(second), { second, {} }, placed.start });
        }
        return false;
    });
    block.passes.insert(block.passes.end(), parted.begin(), parted.end());
}

Design resized(const Design& design, Pipeline pipeline)
{
    Design made = design;
    made.pipeline = std::move(pipeline);
    resizeTables(made, made.pipeline.stages, made.pipeline.devices);
    if (auto* block = std::get_if<BuildingBlock>(&made.plan))
        settlePasses(*block, made.pipeline);
    return made;
}

} // namespace pipeloom::designer
