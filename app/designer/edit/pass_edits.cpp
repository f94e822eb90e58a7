// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/pass_edits.h"

#include "app/designer/edit/finished.h"
#include "app/designer/edit/lacking.h"
#include "core/block/block_index.h"
#include "core/block/swaps.h"
#include "core/block/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pipeloom::designer {

namespace {

BuildingBlock& blockOf(Design& design) { return std::get<BuildingBlock>(design.plan); }

const BlockPass& at(const BuildingBlock& block, std::int32_t pass)
{
    return block.passes[static_cast<std::size_t>(pass)];
}

} // namespace

std::optional<Pass> nextPass(const Design& design, DeviceId device, PassKind kind)
{
    return Lacking(design).next(device, kind);
}

Edited placePass(const Design& design, DeviceId device, PassKind kind, Ticks start)
{
    if (!design.block())
        return refusedWithoutBlock();
    const Lacking lacking(design);
    const std::optional<Pass> pass = lacking.next(device, kind);
    if (!pass)
        return refused(lacking.why(device, kind));
    Design edited = design;
    blockOf(edited).passes.push_back({ device, { *pass, {} }, std::max<Ticks>(start, 0) });
    return finished(std::move(edited), fmt::format("Place {}", blockText(*pass, *design.block())));
}

Edited movePasses(const Design& design, std::span<const std::int32_t> passes, Ticks by)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (passes.empty() || !areThere(*block, passes))
        return refusedWithoutPass();
    by = std::clamp(by, -maxTicks, maxTicks);
    for (const std::int32_t pass : passes)
        by = std::max(by, -at(*block, pass).start);
    Design edited = design;
    for (const std::int32_t pass : passes)
        blockOf(edited).passes[static_cast<std::size_t>(pass)].start += by;
    return finished(std::move(edited), "Move " + nameOf(*block, passes));
}

Edited swapPasses(const Design& design, std::int32_t a, std::int32_t b, std::optional<Ticks> start)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (!areThere(*block, std::array { a, b }))
        return refusedWithoutPass();
    const std::string nameOfA = blockText(at(*block, a).slot, *block);
    const std::string nameOfB = blockText(at(*block, b).slot, *block);
    if (at(*block, a).device != at(*block, b).device)
        return refused(fmt::format("{} is on device {} and {} on device {}; only passes of one device change places.",
            nameOfA, at(*block, a).device.value, nameOfB, at(*block, b).device.value));
    Design edited = design;
    if (start) {
        blockOf(edited) = swapped(*block, design.pipeline, a, b, std::clamp<Ticks>(*start, 0, maxTicks));
    } else {
        const bool aFirst = at(*block, a).start <= at(*block, b).start;
        const BlockPass& first = at(*block, aFirst ? a : b);
        const BlockPass& second = at(*block, aFirst ? b : a);
        const Ticks end
            = std::max(first.start + block->duration(first.slot), second.start + block->duration(second.slot));
        blockOf(edited).passes[static_cast<std::size_t>(aFirst ? b : a)].start = first.start;
        blockOf(edited).passes[static_cast<std::size_t>(aFirst ? a : b)].start = end - block->duration(first.slot);
    }
    return finished(std::move(edited), fmt::format("Swap {} and {}", nameOfA, nameOfB));
}

Edited deletePasses(const Design& design, std::span<const std::int32_t> passes)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (passes.empty() || !areThere(*block, passes))
        return refusedWithoutPass();
    std::vector<bool> gone(block->passes.size(), false);
    for (const std::int32_t pass : passes)
        gone[static_cast<std::size_t>(pass)] = true;
    Design edited = design;
    auto& kept = blockOf(edited).passes;
    kept.clear();
    for (std::size_t i = 0; i < gone.size(); ++i)
        if (!gone[i])
            kept.push_back(block->passes[i]);
    return finished(std::move(edited), "Delete " + nameOf(*block, passes));
}

Edited pairPasses(const Design& design, std::int32_t a, std::int32_t b)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (!areThere(*block, std::array { a, b }))
        return refusedWithoutPass();
    const bool aIsForward = at(*block, a).slot.first.kind == PassKind::F;
    const BlockPass& forward = at(*block, aIsForward ? a : b);
    const BlockPass& backward = at(*block, aIsForward ? b : a);
    if (forward.slot.isPair() || backward.slot.isPair() || forward.slot.first.kind != PassKind::F
        || !givesInputGradient(backward.slot.first.kind))
        return refused("Only an F and a B or BW run as a pair.");
    if (forward.device != backward.device)
        return refused("Only passes of one device run as a pair.");
    if (forward.slot.first.stage == backward.slot.first.stage
        && forward.slot.first.microBatch == backward.slot.first.microBatch)
        return refused(
            fmt::format("{} needs the result of {}, so they cannot run together; pair it with another stage.",
                blockText(backward.slot, *block), blockText(forward.slot, *block)));
    Design edited = design;
    auto& made = blockOf(edited).passes;
    made[static_cast<std::size_t>(std::min(a, b))]
        = { forward.device, { forward.slot.first, backward.slot.first }, std::min(forward.start, backward.start) };
    made.erase(made.begin() + std::max(a, b));
    return finished(std::move(edited),
        fmt::format("Pair {} and {}", blockText(forward.slot, *block), blockText(backward.slot, *block)));
}

Edited unpairPasses(const Design& design, std::span<const std::int32_t> passes)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (!areThere(*block, passes))
        return refusedWithoutPass();
    Design edited = design;
    auto& made = blockOf(edited).passes;
    std::vector<std::int32_t> pairs;
    for (const std::int32_t pass : passes) {
        BlockPass& pair = made[static_cast<std::size_t>(pass)];
        if (!pair.slot.isPair())
            continue;
        pairs.push_back(pass);
        const Pass second = std::exchange(pair.slot.second, Pass {});
        const BlockPass after { pair.device, { second, {} }, pair.start + block->duration(pair.slot) };
        made.push_back(after);
    }
    if (pairs.empty())
        return refused("None of the selected passes is a pair.");
    return finished(std::move(edited), "Unpair " + nameOf(*block, pairs));
}

Edited placeWeightsAgain(const Design& design)
{
    if (!design.block())
        return refusedWithoutBlock();
    Design edited = design;
    blockOf(edited) = placeWeights(*design.block(), design.pipeline);
    return finished(std::move(edited), "Place W again");
}

Edited placeAllWeights(const Design& design)
{
    if (!design.block())
        return refusedWithoutBlock();
    Design edited = design;
    blockOf(edited) = withAllWeights(*design.block(), design.pipeline);
    return finished(std::move(edited), "Place all W");
}

} // namespace pipeloom::designer
