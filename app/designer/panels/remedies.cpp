// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/remedies.h"

#include "core/block/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace pipeloom::designer {

namespace {

class RemedySearch {
public:
    RemedySearch(const Design& design, const BuildingBlock& block)
        : design_(design)
        , block_(block)
        , index_(block, design.pipeline)
    {
    }

    std::optional<Remedy> of(const Finding& finding) const
    {
        const Place& place = finding.where.front();
        if (finding.rule == "block/missing")
            return placed();
        if (finding.rule == "block/interval")
            return longerInterval();
        if (finding.rule == "block/doubled")
            return without(index_.doubled(), finding);
        if (finding.rule == "block/unknown")
            return without(index_.unknown(), finding);
        const std::int32_t pass = find(place);
        if (pass == BlockIndex::none)
            return std::nullopt;
        if (finding.rule == "block/collision")
            return apart(pass);
        if (finding.rule == "block/early")
            return later(pass);
        if (finding.rule == "block/misplaced")
            return home(pass);
        return std::nullopt;
    }

private:
    const BlockPass& at(std::int32_t pass) const { return block_.passes[static_cast<std::size_t>(pass)]; }
    std::string name(std::int32_t pass) const { return blockText(at(pass).slot, block_); }

    std::int32_t find(const Place& place) const
    {
        for (std::size_t i = 0; i < block_.passes.size(); ++i)
            if (place.device == block_.passes[i].device && place.pass == blockText(block_.passes[i].slot, block_))
                return static_cast<std::int32_t>(i);
        return BlockIndex::none;
    }

    template <class Change> Remedy changed(std::string text, Change change) const
    {
        Design design = design_;
        change(std::get<BuildingBlock>(design.plan));
        return { text, { std::move(design), text, {} } };
    }

    Remedy movedTo(std::int32_t pass, Ticks start) const
    {
        return changed(fmt::format("Move {} to {}", name(pass), start),
            [&](BuildingBlock& block) { block.passes[static_cast<std::size_t>(pass)].start = start; });
    }

    Remedy intervalOf(Ticks interval) const
    {
        return changed(fmt::format("Interval {}", interval), [&](BuildingBlock& block) { block.interval = interval; });
    }

    std::optional<Remedy> apart(std::int32_t pass) const
    {
        if (const std::optional<Ticks> free = nearestFreeStart(block_, design_.pipeline, index_, pass))
            return movedTo(pass, *free);
        return intervalOf(nextFreeInterval(block_, at(pass).device));
    }

    std::optional<Remedy> later(std::int32_t pass) const
    {
        const InputsReady ready = inputsReady(block_, design_.pipeline, index_, at(pass).slot);
        if (ready.by == BlockIndex::none || at(pass).start >= ready.at)
            return std::nullopt;
        return movedTo(pass, ready.at);
    }

    std::optional<Remedy> home(std::int32_t pass) const
    {
        const Pass& first = at(pass).slot.first;
        const DeviceId device = design_.pipeline.deviceOf(
            first.stage, RouteId { first.microBatch.value % design_.pipeline.routeCount() });
        if (device == at(pass).device)
            return std::nullopt; // the second of a pair: its halves live on two devices
        return changed(fmt::format("Move {} to device {}", name(pass), device.value),
            [&](BuildingBlock& block) { block.passes[static_cast<std::size_t>(pass)].device = device; });
    }

    /// Of several passes of one name on a device the one that the finding's sentence gives the start of.
    std::optional<Remedy> without(const std::vector<std::int32_t>& candidates, const Finding& finding) const
    {
        std::int32_t best = BlockIndex::none;
        for (const std::int32_t pass : candidates) {
            if (finding.where.front().device != at(pass).device || finding.where.front().pass != name(pass))
                continue;
            const bool named = finding.message.find(fmt::format(" at {} ", at(pass).start)) != std::string::npos;
            if (best == BlockIndex::none || named)
                best = pass;
        }
        if (best == BlockIndex::none)
            return std::nullopt;
        return changed(fmt::format("Delete {}", name(best)),
            [&](BuildingBlock& block) { block.passes.erase(block.passes.begin() + best); });
    }

    std::optional<Remedy> longerInterval() const
    {
        Ticks busiest = 1;
        std::vector<Ticks> work(static_cast<std::size_t>(design_.pipeline.devices), 0);
        for (const BlockPass& pass : block_.passes)
            busiest = std::max(busiest, work.at(pass.device.index()) += block_.duration(pass.slot));
        if (busiest <= block_.interval)
            return std::nullopt;
        return intervalOf(busiest);
    }

    std::optional<Pass> nextMissing() const;
    std::optional<Remedy> placed() const;

    const Design& design_;
    const BuildingBlock& block_;
    BlockIndex index_;
};

/// The pass that the finding speaks of: forwards up the stages, then backwards down, then weights (core's order).
std::optional<Pass> RemedySearch::nextMissing() const
{
    const std::int32_t stages = design_.pipeline.stages;
    for (std::int32_t member = 0; member < block_.group; ++member)
        for (const Work work : { Work::Forward, Work::InputGradient, Work::WeightGradient })
            for (std::int32_t i = 0; i < stages; ++i) {
                const StageId stage { work == Work::Forward ? i : stages - 1 - i };
                const PassKind kind = work == Work::Forward ? PassKind::F
                    : work == Work::InputGradient           ? PassKind::B
                                                            : PassKind::W;
                if (index_.find(stage, member, work) == BlockIndex::none)
                    return Pass { stage, MicroBatch { member }, kind };
            }
    return std::nullopt;
}

std::optional<Remedy> RemedySearch::placed() const
{
    const std::optional<Pass> next = nextMissing();
    if (!next)
        return std::nullopt;
    Design design = design_;
    auto& block = std::get<BuildingBlock>(design.plan);
    const Slot slot { *next, {} };
    const Ticks ready = inputsReady(block_, design_.pipeline, index_, slot).at;
    const DeviceId device
        = design_.pipeline.deviceOf(next->stage, RouteId { next->microBatch.value % design_.pipeline.routeCount() });
    block.passes.push_back({ device, slot, ready });
    const auto added = static_cast<std::int32_t>(block.passes.size()) - 1;
    const std::vector<Collision> met = collisions(block, device, block.interval);
    const bool collides = std::any_of(
        met.begin(), met.end(), [&](const Collision& c) { return c.later == added || c.earlier == added; });
    if (collides)
        if (const auto free = nearestFreeStart(block, design_.pipeline, BlockIndex(block, design_.pipeline), added))
            block.passes.back().start = *free;
    const std::string text = fmt::format("Place {} at {}", blockText(slot, block), block.passes.back().start);
    return Remedy { text, { std::move(design), text, {} } };
}

std::optional<Remedy> moreMicroBatches(const Design& design)
{
    if (design.schedule() || design.pipeline.rule == RouteRule::List
        || design.pipeline.microBatches >= design.pipeline.devices)
        return std::nullopt;
    Design changed = design;
    changed.pipeline.microBatches = design.pipeline.devices;
    const std::string text = fmt::format("Take {} micro-batches", changed.pipeline.microBatches);
    return Remedy { text, { std::move(changed), text, {} } };
}

} // namespace

bool mayHaveRemedy(const Finding& finding)
{
    static constexpr std::array<std::string_view, 8> rules { "block/collision", "block/doubled", "block/early",
        "block/interval", "block/misplaced", "block/missing", "block/unknown", "pipeline/few-micro-batches" };
    return std::find(rules.begin(), rules.end(), finding.rule) != rules.end();
}

std::optional<Remedy> remedyOf(const Design& design, const Finding& finding)
{
    if (!mayHaveRemedy(finding))
        return std::nullopt;
    if (finding.rule == "pipeline/few-micro-batches")
        return moreMicroBatches(design);
    const BuildingBlock* block = design.block();
    if (!block || finding.where.empty() || hasErrors(check(design.pipeline)))
        return std::nullopt;
    if (block->interval < 1 || block->group < 1)
        return std::nullopt; // no gesture and no file makes one
    return RemedySearch(design, *block).of(finding);
}

} // namespace pipeloom::designer
