// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/pass_edits.h"

#include "app/designer/edit/finished.h"
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

bool lacks(const BlockIndex& index, StageId stage, std::int32_t member, PassKind kind, const BuildingBlock& block)
{
    const auto found = [&](Work work) { return index.find(stage, member, work); };
    const auto isFused = [&](std::int32_t pass) {
        if (pass == BlockIndex::none)
            return false;
        const Slot& slot = at(block, pass).slot;
        const auto fused = [&](const Pass& one) {
            return one.kind == PassKind::BW && one.stage == stage && one.microBatch.value == member;
        };
        return fused(slot.first) || fused(slot.second);
    };
    switch (kind) {
    case PassKind::F:
        return found(Work::Forward) == BlockIndex::none;
    case PassKind::B:
        return found(Work::InputGradient) == BlockIndex::none && !isFused(found(Work::WeightGradient));
    case PassKind::W:
        return found(Work::WeightGradient) == BlockIndex::none && !isFused(found(Work::InputGradient));
    case PassKind::BW:
        return found(Work::InputGradient) == BlockIndex::none && found(Work::WeightGradient) == BlockIndex::none;
    case PassKind::None:
        break;
    }
    return false;
}

std::string whyNoneIsLeft(const Design& design, DeviceId device, PassKind kind)
{
    if (design.pipeline.stagesOn(device).empty())
        return fmt::format("Device {} holds no stage; place one on it first.", device.value);
    switch (kind) {
    case PassKind::B:
        return fmt::format("All stages of device {} have their B, or BW.", device.value);
    case PassKind::W:
        return fmt::format("All stages of device {} have their W, or BW.", device.value);
    case PassKind::BW:
        return fmt::format("All stages of device {} have BW, or B or W; delete those to place BW.", device.value);
    default:
        return fmt::format("All stages of device {} have their {}.", device.value, text(kind));
    }
}

/// The backward pass of the stage and member of an F, if it is placed.
std::int32_t backwardOf(const BlockIndex& index, const Pass& forward)
{
    return index.find(forward.stage, forward.microBatch.value, Work::InputGradient);
}

} // namespace

std::optional<Pass> nextPass(const Design& design, DeviceId device, PassKind kind)
{
    const BuildingBlock* block = design.block();
    if (!block || kind == PassKind::None || device.value < 0 || device.value >= design.pipeline.devices)
        return std::nullopt;
    const BlockIndex index(*block, design.pipeline);
    std::vector<StageId> stages = design.pipeline.stagesOn(device);
    if (kind != PassKind::F)
        std::reverse(stages.begin(), stages.end());
    for (const StageId stage : stages)
        for (std::int32_t member = 0; member < block->group; ++member) {
            const RouteId route { member % design.pipeline.routeCount() };
            if (design.pipeline.deviceOf(stage, route) == device && lacks(index, stage, member, kind, *block))
                return Pass { stage, MicroBatch { member }, kind };
        }
    return std::nullopt;
}

Edited placePass(const Design& design, DeviceId device, PassKind kind, Ticks start)
{
    if (!design.block())
        return refusedWithoutBlock();
    if (device.value < 0 || device.value >= design.pipeline.devices)
        return refused(fmt::format("There is no device {}.", device.value));
    const std::optional<Pass> pass = nextPass(design, device, kind);
    if (!pass)
        return refused(whyNoneIsLeft(design, device, kind));
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

Edited mirrorPasses(const Design& design, std::span<const std::int32_t> passes)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (!areThere(*block, passes))
        return refusedWithoutPass();
    std::vector<std::int32_t> forwards;
    Ticks mirror = 0;
    for (const std::int32_t pass : passes)
        if (at(*block, pass).slot.first.kind == PassKind::F) {
            forwards.push_back(pass);
            mirror = std::max(mirror, at(*block, pass).start + block->duration(at(*block, pass).slot));
        }
    if (forwards.empty())
        return refused("Select F passes: their B is placed as the mirror of time shows it.");
    // From the last stage on, as B of a stage waits for that of the next.
    std::sort(forwards.begin(), forwards.end(), [&](std::int32_t a, std::int32_t b) {
        return at(*block, a).slot.first.stage > at(*block, b).slot.first.stage;
    });
    Design edited = design;
    BuildingBlock& made = blockOf(edited);
    for (const std::int32_t pass : forwards) {
        const Pass& forward = at(*block, pass).slot.first;
        const BlockIndex index(made, design.pipeline);
        std::int32_t backward = backwardOf(index, forward);
        if (backward != BlockIndex::none && at(made, backward).slot.isPair())
            return refused(
                fmt::format("{} runs in a pair; unpair it first.", blockText(at(made, backward).slot, made)));
        if (backward == BlockIndex::none) {
            backward = static_cast<std::int32_t>(made.passes.size());
            made.passes.push_back(
                { at(made, pass).device, { { forward.stage, forward.microBatch, PassKind::B }, {} }, 0 });
        }
        Ticks start = 2 * mirror - at(*block, pass).start - block->duration(at(*block, pass).slot);
        if (forward.stage.value + 1 < design.pipeline.stages) {
            const std::int32_t input
                = index.find(StageId { forward.stage.value + 1 }, forward.microBatch.value, Work::InputGradient);
            if (input != BlockIndex::none)
                start = std::max(start, at(made, input).start + made.duration(at(made, input).slot));
        }
        made.passes[static_cast<std::size_t>(backward)].start = start;
    }
    return finished(std::move(edited), fmt::format("Mirror {} F", forwards.size()));
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
