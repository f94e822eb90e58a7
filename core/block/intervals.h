// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// At which intervals a block, as it is drawn, repeats without collisions: the dots on the ruler, and what T snaps to.

#include "core/block/building_block.h"

#include <optional>
#include <vector>

namespace pipeloom {

/// Tells for one interval after the other whether any device collides. Holds the block's times by device, so it is made
/// once for many intervals; no memory is taken by a question.
class IntervalTest {
public:
    IntervalTest(const BuildingBlock& block, const Pipeline& pipeline);

    /// True if no two passes of a device overlap modulo `interval` (>= 1). Passes of no length take nothing.
    [[nodiscard]] bool isFree(Ticks interval);
    /// From this interval on every one is free, unless passes overlap in the block itself: the longest row. At least 1.
    [[nodiscard]] Ticks longestRow() const { return longestRow_; }
    /// Two passes of a device overlap in the block itself, so that no interval is free.
    [[nodiscard]] bool neverFree() const { return neverFree_; }

private:
    struct Taken {
        Ticks start = 0;
        Ticks ticks = 0;
    };
    [[nodiscard]] bool isFree(std::size_t device, Ticks interval);

    std::vector<Taken> taken_;             ///< flat, by device
    std::vector<std::size_t> begin_;       ///< devices + 1 entries
    std::vector<Taken> residues_;          ///< reused
    std::vector<std::size_t> mostlyFirst_; ///< devices, the one that collided last first
    Ticks longestRow_ = 1;
    bool neverFree_ = false;
};

/// The intervals in [from, to] at which no device collides, ascending. `from` below 1 counts as 1. Meant for what a ruler
/// shows: takes about 2 us an interval for 64 devices.
[[nodiscard]] std::vector<Ticks> legalIntervals(
    const BuildingBlock& block, const Pipeline& pipeline, Ticks from, Ticks to);

/// The interval nearest to `wanted` at which no device collides; ties: the shorter. Nothing if passes overlap in the block
/// itself.
[[nodiscard]] std::optional<Ticks> nearestLegalInterval(
    const BuildingBlock& block, const Pipeline& pipeline, Ticks wanted);

} // namespace pipeloom
