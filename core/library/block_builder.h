// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What library entries are made of: an empty design for a request, and passes put into its block.

#include "core/library/library.h"

namespace pipeloom {

/// A design of one route with the request's costs, unit memory and an empty block; name as titled. `chunks` stages per
/// device.
[[nodiscard]] Design libraryDesign(
    const LibraryRequest& request, std::string_view title, PlacementKind placement, std::int32_t chunks);

/// Errors for sizes below 1 or beyond the limits of a design (library/size), negative or enormous costs (library/cost), and
/// a number of chunks that is not `chunks` (library/chunks).
[[nodiscard]] Findings checkRequest(const LibraryRequest& request, std::string_view title, std::int32_t chunks);

/// Puts a pass of the group's member into the block, on the device where its stage lives.
void place(Design& design, std::int32_t stage, PassKind kind, Ticks start, std::int32_t member = 0);

/// The block of a design from the library.
[[nodiscard]] BuildingBlock& blockOf(Design& design);

} // namespace pipeloom
