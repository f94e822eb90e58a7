// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// V-ZB: no bubble inside a device's own span at 1F1B's memory.

#include "core/library/entries.h"
#include "core/library/v_block.h"

namespace pipeloom {

namespace {

LibraryDesign make(const LibraryRequest& request) { return makeV(request, vZbEntry.title, { 4, 2, 4, 2, 1, 1, 1 }); }

} // namespace

const LibraryEntry vZbEntry {
    "v-zb",
    "V-ZB",
    "Qi et al., Pipeline parallelism with controllable memory, arXiv 2405.15362",
    PlacementKind::V,
    "No bubble inside a device's own span at 1F1B's memory, balanced over the devices; m >= 2p-1.",
    "own span 0; makespan (p-1)F/2",
    "p",
    make,
};

} // namespace pipeloom
