// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Edits of the block as a whole: a new one, one from the library, an empty one.

#include "app/designer/edit/edited.h"

#include <string_view>

namespace pipeloom::designer {

/// The interval of a new block: the ticks that its busiest device must do in it, F, B and W of all its stages and members.
/// At least 1.
[[nodiscard]] Ticks busiestLoad(const Pipeline& pipeline, const BuildingBlock& block);

/// An empty block with the durations and the group that the design's block has, else FORMAT.md's, and the interval of its
/// busiest device. Takes the place of an explicit schedule too. `New block`
[[nodiscard]] Edited newBlock(const Design& design);

/// The block, placement, sizes of the group and reorder rules of a library schedule (`v-half`), made for the design's devices and
/// micro-batches, drawn as the library draws it. Costs, memory and network are kept; where the model is cut into other stages,
/// stages that become one add up and one that becomes several is shared out, so that it stays the same model.
/// The name is taken over if the design has none or that of a library schedule. Refused if there is no such schedule, or with
/// the library's finding. `Start from V-Half`
[[nodiscard]] Edited startFrom(const Design& design, std::string_view libraryName);

/// Takes all passes out; the interval stays. Refused without a block. `Clear block`
[[nodiscard]] Edited clearBlock(const Design& design);

} // namespace pipeloom::designer
