// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/fit.h"

#include "core/block/links.h"

#include <algorithm>
#include <limits>
#include <span>

namespace pipeloom {

namespace {

Ticks endOf(const BuildingBlock& block, std::int32_t pass)
{
    const BlockPass& placed = block.passes[static_cast<std::size_t>(pass)];
    return placed.start + block.duration(placed.slot);
}

} // namespace

std::vector<TakenTicks> takenTicks(const BuildingBlock& block, DeviceId device, Ticks interval)
{
    std::vector<TakenTicks> taken;
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        const BlockPass& placed = block.passes[i];
        if (const Ticks ticks = block.duration(placed.slot); placed.device == device && ticks > 0)
            taken.push_back({ placed.start % interval, ticks, static_cast<std::int32_t>(i) });
    }
    std::sort(taken.begin(), taken.end(), [](const TakenTicks& a, const TakenTicks& b) {
        return a.residue != b.residue ? a.residue < b.residue : a.pass < b.pass;
    });
    return taken;
}

bool overlaps(std::span<const TakenTicks> taken, Ticks residue, Ticks ticks, Ticks interval, std::int32_t except)
{
    return std::any_of(taken.begin(), taken.end(), [&](const TakenTicks& other) {
        if (other.pass == except)
            return false;
        const Ticks ahead = other.residue - residue;
        const Ticks gap = ahead < 0 ? ahead + interval : ahead; // from our start on to theirs
        return gap < ticks || (gap == 0 ? 0 : interval - gap) < other.ticks;
    });
}

std::vector<Collision> collisions(const BuildingBlock& block, DeviceId device, Ticks interval)
{
    const std::vector<TakenTicks> taken = takenTicks(block, device, interval);
    std::vector<Collision> found;
    const auto meet = [&](std::int32_t a, std::int32_t b, Ticks tick) {
        const bool aLater
            = block.passes[static_cast<std::size_t>(a)].start > block.passes[static_cast<std::size_t>(b)].start;
        found.push_back({ aLater ? a : b, aLater ? b : a, tick });
    };
    // The pass that reaches furthest so far; it is the one that those after it run into.
    const TakenTicks* furthest = nullptr;
    for (const TakenTicks& next : taken) {
        if (furthest && next.residue < furthest->residue + furthest->ticks)
            meet(furthest->pass, next.pass, next.residue);
        if (!furthest || next.residue + next.ticks > furthest->residue + furthest->ticks)
            furthest = &next;
    }
    for (const TakenTicks& next : taken) { // those that it runs into beyond the end of the interval
        if (next.pass == furthest->pass || next.residue + interval >= furthest->residue + furthest->ticks)
            break;
        meet(furthest->pass, next.pass, next.residue);
    }
    return found;
}

Ticks nextFreeInterval(const BuildingBlock& block, DeviceId device)
{
    Ticks first = std::numeric_limits<Ticks>::max();
    Ticks last = 0;
    Ticks work = 0;
    for (const BlockPass& placed : block.passes)
        if (placed.device == device) {
            const Ticks ticks = block.duration(placed.slot);
            first = std::min(first, placed.start);
            last = std::max(last, placed.start + ticks);
            work += ticks;
        }
    // Trying each one is cheap for drawn blocks; with costs in microseconds only so many are tried.
    constexpr Ticks tries = 2048;
    const Ticks from = std::max(block.interval + 1, work);
    for (Ticks interval = from; interval < std::min(last - first, from + tries); ++interval)
        if (collisions(block, device, interval).empty())
            return interval;
    return std::max(from, last - first);
}

std::optional<Ticks> nearestFreeStart(
    const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, std::int32_t pass)
{
    const BlockPass& placed = block.passes[static_cast<std::size_t>(pass)];
    const Ticks ticks = block.duration(placed.slot);
    const Ticks earliest = inputsReady(block, pipeline, index, placed.slot).at;
    const Ticks latest = latestStart(block, pipeline, index, pass);

    const std::vector<TakenTicks> taken = takenTicks(block, placed.device, block.interval);
    const auto fits = [&](Ticks start) {
        return start >= earliest && start <= latest && ticks <= block.interval
            && !overlaps(taken, start % block.interval, ticks, block.interval, pass);
    };
    constexpr Ticks tries = 4096;
    for (Ticks away = 1; away <= std::min(block.interval, tries); ++away) {
        if (fits(placed.start - away))
            return placed.start - away;
        if (fits(placed.start + away))
            return placed.start + away;
    }
    return std::nullopt;
}

Ticks latestStart(const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, std::int32_t pass)
{
    const Slot& slot = block.passes[static_cast<std::size_t>(pass)].slot;
    const Ticks ticks = block.duration(slot);
    Ticks latest = std::numeric_limits<Ticks>::max();
    const auto bound = [&](std::int32_t fed) {
        latest = std::min(latest, block.passes[static_cast<std::size_t>(fed)].start - ticks);
    };
    forEachFed(slot.first, pipeline, index, bound);
    if (slot.isPair())
        forEachFed(slot.second, pipeline, index, bound);
    return latest;
}

InputsReady inputsReady(const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, const Slot& slot)
{
    InputsReady ready;
    const auto take = [&](std::int32_t input) {
        if (const Ticks end = endOf(block, input); ready.by == BlockIndex::none || end > ready.at)
            ready = { end, input };
    };
    forEachInput(slot.first, pipeline, index, take);
    if (slot.isPair())
        forEachInput(slot.second, pipeline, index, take);
    return ready;
}

} // namespace pipeloom
