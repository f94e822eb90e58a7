// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/legs.h"

#include "core/block/block_index.h"
#include "core/block/chain.h"
#include "core/block/turn_search.h"
#include "core/block/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace pipeloom {

namespace {

Pass passAt(std::int32_t place, std::int32_t stages)
{
    const bool forward = place < stages;
    return { StageId { forward ? place : 2 * stages - 1 - place }, {}, forward ? PassKind::F : PassKind::B };
}

/// The pass at a place of the chain, or none.
std::int32_t placedAt(std::int32_t place, std::int32_t member, const Pipeline& pipeline, const BlockIndex& index)
{
    const Pass pass = passAt(place, pipeline.stages);
    return index.find(pass.stage, member, pass.kind == PassKind::F ? Work::Forward : Work::InputGradient);
}

/// What the offsets at [begin, end) have in common, over all members of the route.
struct Offsets {
    std::optional<Ticks> common;
    bool whole = true;
};

Offsets offsetsAt(
    const ChainPart& part, const BuildingBlock& block, const Pipeline& pipeline, RouteId route, const BlockIndex& index)
{
    Offsets found;
    bool mixed = false;
    const auto startAt = [&](std::int32_t place, std::int32_t member) -> std::optional<Ticks> {
        const std::int32_t placed = placedAt(place, member, pipeline, index);
        return placed == BlockIndex::none ? std::nullopt
                                          : std::optional(block.passes[static_cast<std::size_t>(placed)].start);
    };
    for (std::int32_t member = route.value; member < block.group; member += pipeline.routeCount())
        for (std::int32_t boundary = part.begin; boundary < part.end; ++boundary) {
            const auto from = startAt(boundary, member);
            const auto to = startAt(boundary + 1, member);
            found.whole = found.whole && from && to;
            if (!from || !to)
                continue;
            mixed = mixed || (found.common && *found.common != *to - *from);
            found.common = *to - *from;
        }
    if (mixed || !found.whole)
        found.common.reset();
    return found;
}

std::int32_t countLegs(const std::vector<ChainPart>& parts)
{
    return static_cast<std::int32_t>(std::count_if(parts.begin(), parts.end(), [](const ChainPart& part) {
        return part.isLeg;
    })) / 2;
}

std::string legName(PassKind kind, std::int32_t leg, std::int32_t count)
{
    return count == 1 ? text(kind) : fmt::format("{}{}", text(kind), leg);
}

/// By the legs before and after it, if it lies between two; else by its stages.
std::string turnName(const std::vector<ChainPart>& parts, std::size_t at, const Pass& from, const Pass& to)
{
    const std::int32_t count = countLegs(parts);
    if (at > 0 && at + 1 < parts.size() && parts[at - 1].isLeg && parts[at + 1].isLeg)
        return fmt::format(
            "{}→{}", legName(from.kind, parts[at - 1].leg, count), legName(to.kind, parts[at + 1].leg, count));
    return fmt::format("{}{}→{}{}", from.stage.value, text(from.kind), to.stage.value, text(to.kind));
}

/// All turns of a route but one.
void appendTurns(std::vector<FreeTurn>& free, const std::vector<ChainPart>& parts, RouteId route, std::int32_t except)
{
    for (const ChainPart& part : parts)
        if (!part.isLeg && part.begin != except)
            free.push_back({ route, part.begin });
}

Shifted shiftPart(const BuildingBlock& block, const Pipeline& pipeline, RouteId route,
    const std::vector<ChainPart>& parts, const ChainPart& part, Ticks by, AfterShift after)
{
    Shifted shifted { block, true };
    shiftChain(shifted.block, pipeline, route, part.begin, part.end, by);
    if (after == AfterShift::Leave)
        return shifted;
    if (shifted.block == block) { // nothing is shifted, and so W stays where it was put by hand
        shifted.fits = repeats(block, pipeline);
        return shifted;
    }
    std::vector<FreeTurn> free;
    appendTurns(free, parts, route, part.isLeg ? -1 : part.begin);
    SearchBudget budget;
    if (auto fitted = searchTurns(shifted.block, pipeline, free, TurnChoice::Nearest, budget))
        shifted.block = std::move(*fitted);
    else
        shifted.fits = false;
    return shifted;
}

ChainPart partAt(const std::vector<ChainPart>& parts, bool isLeg, std::size_t number)
{
    for (const ChainPart& part : parts)
        if (part.isLeg == isLeg && number-- == 0)
            return part;
    return {};
}

/// No device has more to do than the interval is long.
bool hasRoom(const BuildingBlock& block, const Pipeline& pipeline)
{
    std::vector<Ticks> work(static_cast<std::size_t>(pipeline.devices), 0);
    for (const BlockPass& placed : block.passes)
        work[placed.device.index()] = std::min(work[placed.device.index()] + block.duration(placed.slot), maxTicks);
    return *std::max_element(work.begin(), work.end()) <= block.interval;
}

/// A leg of a route, for trying other offsets.
struct RouteLeg {
    RouteId route;
    ChainPart part;
};

/// How far each leg can shrink at each boundary until a pass of it would be early; 0 or less.
std::vector<Ticks> leastChanges(const std::vector<RouteLeg>& all, const BuildingBlock& block, const Pipeline& pipeline)
{
    const BlockIndex index(block, pipeline);
    std::vector<Ticks> least;
    for (const RouteLeg& leg : all) {
        Ticks slack = 0;
        bool first = true;
        for (std::int32_t member = leg.route.value; member < block.group; member += pipeline.routeCount())
            for (std::int32_t boundary = leg.part.begin; boundary < leg.part.end; ++boundary) {
                const std::int32_t from = placedAt(boundary, member, pipeline, index);
                const std::int32_t to = placedAt(boundary + 1, member, pipeline, index);
                if (from == BlockIndex::none || to == BlockIndex::none)
                    continue;
                const BlockPass& giver = block.passes[static_cast<std::size_t>(from)];
                const Ticks here
                    = block.passes[static_cast<std::size_t>(to)].start - giver.start - block.duration(giver.slot);
                slack = first ? here : std::min(slack, here);
                first = false;
            }
        least.push_back(-slack);
    }
    return least;
}

/// Calls `visit` with each way in which the legs change by `sum` ticks in all, none by less than `least`, until it returns
/// true.
bool forEachChange(std::vector<Ticks>& changes, const std::vector<Ticks>& least, std::size_t leg, Ticks sum,
    const std::function<bool()>& visit)
{
    if (leg == changes.size())
        return sum == 0 && visit();
    for (Ticks away = 0; away <= sum; ++away)
        for (const Ticks change : { away, -away }) {
            changes[leg] = change;
            if (change >= least[leg] && forEachChange(changes, least, leg + 1, sum - away, visit))
                return true;
            if (away == 0)
                break;
        }
    changes[leg] = 0;
    return false;
}

} // namespace

std::vector<Leg> legs(const BuildingBlock& block, const Pipeline& pipeline, RouteId route)
{
    const std::vector<ChainPart> parts = chainParts(pipeline, route);
    const BlockIndex index(block, pipeline);
    const std::int32_t count = countLegs(parts);
    std::vector<Leg> found;
    for (const ChainPart& part : parts) {
        if (!part.isLeg)
            continue;
        const Pass first = passAt(part.begin, pipeline.stages);
        const Pass last = passAt(part.end, pipeline.stages);
        const Offsets offsets = offsetsAt(part, block, pipeline, route, index);
        found.push_back({ "δ" + legName(first.kind, part.leg, count), first.kind, first.stage, last.stage,
            pipeline.deviceOf(first.stage, route), pipeline.deviceOf(last.stage, route), part.begin,
            part.end - part.begin, offsets.common, offsets.whole });
    }
    return found;
}

std::vector<Turn> turns(const BuildingBlock& block, const Pipeline& pipeline, RouteId route)
{
    const std::vector<ChainPart> parts = chainParts(pipeline, route);
    const BlockIndex index(block, pipeline);
    std::vector<Turn> found;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].isLeg)
            continue;
        const Pass from = passAt(parts[i].begin, pipeline.stages);
        const Pass to = passAt(parts[i].end, pipeline.stages);
        const Offsets offsets = offsetsAt(parts[i], block, pipeline, route, index);
        found.push_back({ turnName(parts, i, from, to), from.kind, to.kind, from.stage, to.stage, parts[i].begin,
            offsets.common, offsets.whole });
    }
    return found;
}

Shifted shiftLeg(
    const BuildingBlock& block, const Pipeline& pipeline, RouteId route, std::size_t leg, Ticks by, AfterShift after)
{
    const std::vector<ChainPart> parts = chainParts(pipeline, route);
    return shiftPart(block, pipeline, route, parts, partAt(parts, true, leg), by, after);
}

Shifted shiftTurn(
    const BuildingBlock& block, const Pipeline& pipeline, RouteId route, std::size_t turn, Ticks by, AfterShift after)
{
    const std::vector<ChainPart> parts = chainParts(pipeline, route);
    return shiftPart(block, pipeline, route, parts, partAt(parts, false, turn), by, after);
}

std::optional<BuildingBlock> refit(const BuildingBlock& block, const Pipeline& pipeline, Ticks interval)
{
    BuildingBlock wanted = block;
    wanted.interval = interval;
    if (!hasRoom(wanted, pipeline))
        return std::nullopt;
    if (repeats(wanted, pipeline))
        return wanted;
    if (BuildingBlock placed = placeWeights(wanted, pipeline); repeats(placed, pipeline))
        return placed;

    std::vector<FreeTurn> free;
    std::vector<RouteLeg> all;
    for (std::int32_t r = 0; r < pipeline.routeCount(); ++r) {
        const std::vector<ChainPart> parts = chainParts(pipeline, RouteId { r });
        appendTurns(free, parts, RouteId { r }, -1);
        for (const ChainPart& part : parts)
            if (part.isLeg)
                all.push_back({ RouteId { r }, part });
    }
    SearchBudget budget;
    budget.left *= 4;
    std::optional<BuildingBlock> found;
    std::vector<Ticks> changes(all.size(), 0);
    const std::vector<Ticks> least = leastChanges(all, wanted, pipeline);
    const auto attempt = [&] {
        budget.left -= 100 * static_cast<std::int64_t>(wanted.passes.size());
        BuildingBlock changed = wanted;
        for (std::size_t i = 0; i < all.size(); ++i)
            shiftChain(changed, pipeline, all[i].route, all[i].part.begin, all[i].part.end, changes[i]);
        found = searchTurns(changed, pipeline, free, TurnChoice::Shortest, budget);
        return found.has_value() || budget.left <= 0;
    };
    constexpr Ticks mostChange = 6;
    for (Ticks sum = 0; sum <= mostChange && !found && budget.left > 0; ++sum)
        forEachChange(changes, least, 0, sum, attempt);
    return found;
}

} // namespace pipeloom
