// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A design carried over to another pipeline: tables of the new sizes, and the block's passes where their stages live now.

#include "core/formats/design.h"

namespace pipeloom::designer {

/// The design with `pipeline`. Tables by stage, boundary and device keep their values, new entries take the last one's; layers
/// per stage too. Of a block, passes of stages that are gone are dropped, and all others stand on the device of their
/// stage, by the route of their member; a pair whose two part ways, or of which one is gone, becomes single passes. An
/// explicit schedule is left as it is.
[[nodiscard]] Design resized(const Design& design, Pipeline pipeline);

/// The tables alone: costs, memory, network, layers per stage, as above.
void resizeTables(Design& design, std::int32_t stages, std::int32_t devices);

/// Passes by their pipeline, as above; those of members that the group does not have are dropped.
void settlePasses(BuildingBlock& block, const Pipeline& pipeline);

} // namespace pipeloom::designer
