// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/intervals.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pipeloom {

IntervalTest::IntervalTest(const BuildingBlock& block, const Pipeline& pipeline)
    : begin_(static_cast<std::size_t>(pipeline.devices) + 1, 0)
    , mostlyFirst_(static_cast<std::size_t>(pipeline.devices))
{
    for (const BlockPass& placed : block.passes)
        if (block.duration(placed.slot) > 0)
            ++begin_[placed.device.index() + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    taken_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (const BlockPass& placed : block.passes)
        if (const Ticks ticks = block.duration(placed.slot); ticks > 0)
            taken_[next[placed.device.index()]++] = { placed.start, ticks };
    std::iota(mostlyFirst_.begin(), mostlyFirst_.end(), std::size_t { 0 });
    for (std::size_t d = 0; d + 1 < begin_.size(); ++d) {
        const auto first = taken_.begin() + static_cast<std::ptrdiff_t>(begin_[d]);
        const auto last = taken_.begin() + static_cast<std::ptrdiff_t>(begin_[d + 1]);
        std::sort(first, last, [](const Taken& a, const Taken& b) { return a.start < b.start; });
        Ticks end = 0;
        for (auto at = first; at != last; ++at) {
            neverFree_ = neverFree_ || (at != first && at->start < end);
            end = std::max(end, at->start + at->ticks);
        }
        if (first != last)
            longestRow_ = std::max(longestRow_, end - first->start);
    }
}

bool IntervalTest::isFree(std::size_t device, Ticks interval)
{
    residues_.assign(taken_.begin() + static_cast<std::ptrdiff_t>(begin_[device]),
        taken_.begin() + static_cast<std::ptrdiff_t>(begin_[device + 1]));
    if (residues_.empty())
        return true;
    Ticks work = 0;
    for (Taken& taken : residues_) {
        taken.start %= interval;
        work += taken.ticks;
        if (work > interval)
            return false;
    }
    std::sort(residues_.begin(), residues_.end(), [](const Taken& a, const Taken& b) { return a.start < b.start; });
    for (std::size_t i = 0; i + 1 < residues_.size(); ++i)
        if (residues_[i].start + residues_[i].ticks > residues_[i + 1].start)
            return false;
    return residues_.back().start + residues_.back().ticks <= residues_.front().start + interval;
}

bool IntervalTest::isFree(Ticks interval)
{
    if (neverFree_)
        return false;
    for (std::size_t i = 0; i < mostlyFirst_.size(); ++i)
        if (!isFree(mostlyFirst_[i], interval)) {
            // A device that collides at one interval often does at the next, so it is asked first.
            std::swap(mostlyFirst_[i], mostlyFirst_[0]);
            return false;
        }
    return true;
}

std::vector<Ticks> legalIntervals(const BuildingBlock& block, const Pipeline& pipeline, Ticks from, Ticks to)
{
    IntervalTest test(block, pipeline);
    std::vector<Ticks> legal;
    for (Ticks interval = std::max<Ticks>(from, 1); interval <= to; ++interval)
        if (test.isFree(interval))
            legal.push_back(interval);
    return legal;
}

std::optional<Ticks> nearestLegalInterval(const BuildingBlock& block, const Pipeline& pipeline, Ticks wanted)
{
    IntervalTest test(block, pipeline);
    if (test.neverFree())
        return std::nullopt;
    wanted = std::max<Ticks>(wanted, 1);
    // Drawn blocks are short; with costs in microseconds only so many intervals are tried.
    constexpr Ticks tries = 4096;
    for (Ticks away = 0; away < tries; ++away) {
        if (wanted - away >= 1 && test.isFree(wanted - away))
            return wanted - away;
        if (test.isFree(wanted + away))
            return wanted + away;
    }
    return std::max(test.longestRow(), wanted);
}

} // namespace pipeloom
