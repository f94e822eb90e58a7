// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What would fit: where a pass can go, and which intervals a block can repeat at. What remedies and handles are made of.

#include "core/block/block_index.h"
#include "core/block/building_block.h"

#include <optional>
#include <span>
#include <vector>

namespace pipeloom {

/// A time of a device that is taken in every interval: [residue, residue + ticks) modulo T.
struct TakenTicks {
    Ticks residue = 0;
    Ticks ticks = 0;
    std::int32_t pass = 0; ///< index into block.passes
};

/// The passes of a device by their residue modulo `interval`; those of no length left out, as they take nothing.
[[nodiscard]] std::vector<TakenTicks> takenTicks(const BuildingBlock& block, DeviceId device, Ticks interval);

/// True if a pass of `ticks` at `residue` takes a time that one of `taken` takes, the pass `except` aside. A pass of no
/// length overlaps what runs while it starts. `residue` is in [0, interval), `ticks` at most the interval.
[[nodiscard]] bool overlaps(std::span<const TakenTicks> taken, Ticks residue, Ticks ticks, Ticks interval,
    std::int32_t except = BlockIndex::none);

/// Two passes of a device that overlap when the block repeats: indices into block.passes, the one that stands later in the
/// block first. Ascending by residue.
struct Collision {
    std::int32_t later = 0;
    std::int32_t earlier = 0;
    Ticks tick = 0; ///< the first tick of the interval that both take
};
[[nodiscard]] std::vector<Collision> collisions(const BuildingBlock& block, DeviceId device, Ticks interval);

/// The next longer interval at which no passes of the device collide. Always found: at the length of the device's row.
[[nodiscard]] Ticks nextFreeInterval(const BuildingBlock& block, DeviceId device);

/// The start nearest to where the pass stands at which it collides with nothing on its device, starts after its inputs and
/// ends before what it feeds starts; ties: the earlier. None within one interval either way: nothing.
[[nodiscard]] std::optional<Ticks> nearestFreeStart(
    const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, std::int32_t pass);

/// When the inputs of a slot are there, and which pass gives the last of them (index into block.passes, or none).
struct InputsReady {
    Ticks at = 0;
    std::int32_t by = BlockIndex::none;
};
[[nodiscard]] InputsReady inputsReady(
    const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, const Slot& slot);

/// The last start at which the pass ends before all that it feeds start; no bound: the greatest number.
[[nodiscard]] Ticks latestStart(
    const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, std::int32_t pass);

} // namespace pipeloom
