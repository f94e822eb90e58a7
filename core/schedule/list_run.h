// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// List execution: every device runs its passes in the order given, each as early as its device and its inputs allow.
// What squeezing is, and the yardstick R(x) of reordering (DESIGN.md 3.8).

#include "core/schedule/pass_tables.h"

#include <span>
#include <vector>

namespace pipeloom {

/// Start of the pass at each position and end of the pass with each id; `unknown` for what was never run.
struct ListTimes {
    static constexpr Ticks unknown = -1;

    std::vector<Ticks> start; ///< by position in the items
    std::vector<Ticks> end;   ///< by id
};

/// When the inputs of a single pass are there, or `unknown` if one of them has no end yet; then `missing` is set to its id.
[[nodiscard]] inline Ticks inputsReady(
    const LocalFacts& facts, std::int32_t id, const Ticks* end, std::int32_t& missing)
{
    Ticks ready = 0;
    if (facts.ownInput != 0) {
        ready = end[id + facts.ownInput];
        if (ready < 0) {
            missing = id + facts.ownInput;
            return ListTimes::unknown;
        }
    }
    if (facts.chainInput != 0) {
        const Ticks ended = end[id + facts.chainInput];
        if (ended < 0) {
            missing = id + facts.chainInput;
            return ListTimes::unknown;
        }
        if (const Ticks arrives = ended + facts.chainLag; arrives > ready)
            ready = arrives;
    }
    return ready;
}

/// The same for an item, which may be a pair: both halves' inputs.
[[nodiscard]] Ticks inputsReady(
    const PassTables& tables, const std::vector<LocalFacts>& facts, Item item, const Ticks* end, std::int32_t& missing);

class ListRun {
public:
    /// Runs `items` (rows as in tables.deviceBegin()) with device d usable from usableFrom[d]. False if it cannot run to
    /// its end, because devices wait for each other or an input is nowhere; then times of what ran are there.
    /// O(items); buffers of the run and of `times` are reused.
    bool run(const PassTables& tables, Direction direction, std::span<const Item> items,
        std::span<const Ticks> usableFrom, ListTimes& times);

private:
    std::vector<std::int32_t> next_;     ///< by device: position of the next item
    std::vector<std::int32_t> waitsFor_; ///< by device: id of the input that it waits for, -1: none
    std::vector<Ticks> free_;
    std::vector<std::int32_t> ready_; ///< devices to look at
};

} // namespace pipeloom
