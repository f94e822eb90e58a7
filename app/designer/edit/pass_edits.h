// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Edits of single passes of a block: place, move, swap, delete, mirror, pair. Passes are given by their indices into
// block.passes; moves never change indices, new passes come last, deleting closes the gaps. All are refused if the design
// has no block or an index is not there.

#include "app/designer/edit/edited.h"

#include <cstdint>
#include <optional>
#include <span>

namespace pipeloom::designer {

/// Which pass of a kind a device takes next: F of its lowest stage that lacks one, B, W and BW of its highest, of a group
/// the lowest member. Nothing if none is lacking; a stage with BW lacks neither B nor W, one with B or W lacks no BW.
[[nodiscard]] std::optional<Pass> nextPass(const Design& design, DeviceId device, PassKind kind);

/// Puts the next pass of the kind at `start`, at 0 if below; it is the last of block.passes then. Refused with the reason
/// if none is left. `Place 0F`
[[nodiscard]] Edited placePass(const Design& design, DeviceId device, PassKind kind, Ticks start);

/// Moves all by as much; the first that comes to 0 stops all. `Move 7W`, `Move 5 passes`
[[nodiscard]] Edited movePasses(const Design& design, std::span<const std::int32_t> passes, Ticks by);

/// Two passes of one device change places. With `start`, `a` was dragged there and meets `b`, which takes the ticks of the
/// interval that `a` leaves, in the copy nearest to where it stood in which both are legal (core/block/swaps.h). Without,
/// they exchange their starts; if their lengths differ, the earlier start and the later end stay. `Swap 7W and 0F`
[[nodiscard]] Edited swapPasses(
    const Design& design, std::int32_t a, std::int32_t b, std::optional<Ticks> start = std::nullopt);

/// `Delete 7W`, `Delete 3 passes`
[[nodiscard]] Edited deletePasses(const Design& design, std::span<const std::int32_t> passes);

/// For each F among the passes, the B (or BW) of its stage and member is put where the mirror of time shows it: the first B
/// begins as the last F ends, and none before the B of the stage after it ends. A B that is lacking is placed. Refused if
/// there is no F among them, or a B runs in a pair. `Mirror 4 F`
[[nodiscard]] Edited mirrorPasses(const Design& design, std::span<const std::int32_t> passes);

/// An F and a B or BW of one device run as one slot, from the earlier start on; it stands where the earlier index was.
/// Refused for other kinds, and for F and B of one stage and member, as the one needs the other. `Pair 2F and 5BW`
[[nodiscard]] Edited pairPasses(const Design& design, std::int32_t a, std::int32_t b);

/// The pairs among the passes become two passes each: F where the pair stood, B after it, as the last of block.passes.
/// Refused if none is a pair. `Unpair (2F+5BW)`
[[nodiscard]] Edited unpairPasses(const Design& design, std::span<const std::int32_t> passes);

/// All W in the first free ticks after their B (core/block/weights.h). `Place W again`
[[nodiscard]] Edited placeWeightsAgain(const Design& design);
/// The same with a W for each B that lacks one. `Place all W`
[[nodiscard]] Edited placeAllWeights(const Design& design);

} // namespace pipeloom::designer
