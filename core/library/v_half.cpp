// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// V-Half: half of 1F1B's memory and half of its bubble.

#include "core/library/entries.h"
#include "core/library/v_block.h"

namespace pipeloom {

namespace {

LibraryDesign make(const LibraryRequest& request)
{
    const bool even = request.devices % 2 == 0;
    return makeV(request, vHalfEntry.title, { 2, 1, 2, 1, 2, even ? 4 : 1, 1 });
}

} // namespace

const LibraryEntry vHalfEntry {
    "v-half",
    "V-Half",
    "Qi et al., Pipeline parallelism with controllable memory, arXiv 2405.15362",
    PlacementKind::V,
    "Half of 1F1B's memory, balanced over the devices, and half of its bubble; the first one to try when memory is "
    "short.",
    "(6p-1-3k)/2 at F=B=W=1, k = 2 floor((p+2)/2)",
    "floor((p+2)/2)",
    make,
};

} // namespace pipeloom
