// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// V-Min: the least memory, a third of 1F1B's.

#include "core/library/entries.h"
#include "core/library/v_block.h"

namespace pipeloom {

namespace {

LibraryDesign make(const LibraryRequest& request)
{
    const Ticks turnFB = request.devices % 3 == 0 ? 3 : 1;
    return makeV(request, vMinEntry.title, { 1, 1, 1, 1, 1, turnFB, 1 });
}

} // namespace

const LibraryEntry vMinEntry {
    "v-min",
    "V-Min",
    "Qi et al., Pipeline parallelism with controllable memory, arXiv 2405.15362",
    PlacementKind::V,
    "A third of 1F1B's memory, the least there is for the whole bubble; best when F, B and W take about the same time.",
    "(6p-1-3k)/2 at F=B=W=1, k = 2 floor((p+4)/3)",
    "floor((p+4)/3)",
    make,
};

} // namespace pipeloom
