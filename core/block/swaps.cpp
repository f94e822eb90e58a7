// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/swaps.h"

#include "core/block/block_index.h"
#include "core/block/fit.h"

#include <algorithm>
#include <array>

namespace pipeloom {

namespace {

Ticks floorDivide(Ticks a, Ticks b) { return a / b - (a % b < 0 ? 1 : 0); }
Ticks modulo(Ticks a, Ticks b) { return a - floorDivide(a, b) * b; }

/// The starts on `residue` by their distance from `from`, ties: the earlier; the one that comes as number `step`.
Ticks nearby(Ticks from, Ticks residue, Ticks interval, Ticks step)
{
    const Ticks below = from - modulo(from - residue, interval);
    const Ticks above = below + interval;
    const bool belowFirst = from - below <= above - from;
    const Ticks further = step / 2 * interval;
    return belowFirst == (step % 2 == 0) ? below - further : above + further;
}

/// Tries places for the two, in a block of its own.
class Swap {
public:
    Swap(const BuildingBlock& block, const Pipeline& pipeline, std::int32_t a, std::int32_t b)
        : block_(block)
        , pipeline_(pipeline)
        , index_(block, pipeline)
        , a_(a)
        , b_(b)
    {
        for (const TakenTicks& taken : takenTicks(block, at(a).device, block.interval))
            if (taken.pass != a && taken.pass != b)
                others_.push_back(taken);
    }

    bool tryAt(Ticks startOfA, Ticks startOfB)
    {
        if (startOfA < 0 || startOfB < 0)
            return false;
        at(a_).start = startOfA;
        at(b_).start = startOfB;
        return isFree() && inTime(a_) && inTime(b_);
    }
    [[nodiscard]] const BuildingBlock& block() const { return block_; }

private:
    BlockPass& at(std::int32_t pass) { return block_.passes[static_cast<std::size_t>(pass)]; }

    bool isFree()
    {
        const Ticks interval = block_.interval;
        const Ticks ticksOfA = block_.duration(at(a_).slot);
        const Ticks ticksOfB = block_.duration(at(b_).slot);
        const std::array other { TakenTicks { at(b_).start % interval, ticksOfB, b_ } };
        return ticksOfA + ticksOfB <= interval && !overlaps(others_, at(a_).start % interval, ticksOfA, interval)
            && !overlaps(others_, at(b_).start % interval, ticksOfB, interval)
            && !overlaps(other, at(a_).start % interval, ticksOfA, interval);
    }
    bool inTime(std::int32_t pass)
    {
        return at(pass).start >= inputsReady(block_, pipeline_, index_, at(pass).slot).at
            && at(pass).start <= latestStart(block_, pipeline_, index_, pass);
    }

    BuildingBlock block_;
    const Pipeline& pipeline_;
    BlockIndex index_;
    std::int32_t a_;
    std::int32_t b_;
    std::vector<TakenTicks> others_;
};

} // namespace

std::optional<Meeting> meets(
    const BuildingBlock& block, DeviceId device, Ticks start, Ticks ticks, std::span<const std::int32_t> except)
{
    std::optional<Meeting> most;
    if (ticks <= 0)
        return most;
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        const BlockPass& other = block.passes[i];
        const Ticks length = block.duration(other.slot);
        const auto pass = static_cast<std::int32_t>(i);
        if (other.device != device || length <= 0 || std::find(except.begin(), except.end(), pass) != except.end())
            continue;
        // The copies that can touch: the last that starts before ours ends, and the one before it.
        const Ticks last = floorDivide(start + ticks - 1 - other.start, block.interval);
        for (const Ticks copies : { last - 1, last }) {
            const Ticks from = std::max(start, other.start + copies * block.interval);
            const Ticks to = std::min(start + ticks, other.start + copies * block.interval + length);
            if (to <= from)
                continue;
            const Ticks before = most ? most->to - most->from : 0;
            if (to - from > before || (to - from == before && from < most->from))
                most = Meeting { pass, copies, from, to };
        }
    }
    return most;
}

BuildingBlock swapped(const BuildingBlock& block, const Pipeline& pipeline, std::int32_t a, std::int32_t b, Ticks start)
{
    const BlockPass& first = block.passes[static_cast<std::size_t>(a)];
    const BlockPass& second = block.passes[static_cast<std::size_t>(b)];
    const Ticks longer = block.duration(first.slot) - block.duration(second.slot);
    const Ticks aligned = nearby(start, modulo(second.start, block.interval), block.interval, 0);
    Swap swap(block, pipeline, a, b);
    constexpr Ticks tries = 64; // copies
    for (const Ticks startOfA : { start, aligned, aligned - longer })
        for (Ticks step = 0; step < tries; ++step)
            for (const Ticks left : { first.start, first.start + longer })
                if (swap.tryAt(startOfA, nearby(second.start, modulo(left, block.interval), block.interval, step)))
                    return swap.block();
    BuildingBlock forced = block;
    forced.passes[static_cast<std::size_t>(a)].start = start;
    Ticks put = nearby(second.start, modulo(first.start, block.interval), block.interval, 0);
    while (put < 0)
        put += block.interval;
    forced.passes[static_cast<std::size_t>(b)].start = put;
    return forced;
}

} // namespace pipeloom
