// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// 1F1B: PipeDream-flush, DAPPLE, and Megatron's plain schedule.

#include "core/library/block_builder.h"
#include "core/library/entries.h"

namespace pipeloom {

namespace {

LibraryDesign make(const LibraryRequest& request)
{
    if (Findings findings = checkRequest(request, oneFOneBEntry.title, 1); !findings.empty())
        return { {}, std::move(findings) };
    Design design = libraryDesign(request, oneFOneBEntry.title, PlacementKind::Linear, 1);
    blockOf(design).interval = 3;
    for (std::int32_t i = 0; i < request.devices; ++i) {
        place(design, i, PassKind::F, i);
        place(design, i, PassKind::BW, 3 * request.devices - 2 - 2 * i);
    }
    return { std::move(design), {} };
}

} // namespace

const LibraryEntry oneFOneBEntry {
    "1f1b",
    "1F1B",
    "Narayanan et al., Memory-efficient pipeline-parallel DNN training, arXiv 2006.09503; Fan et al., DAPPLE, arXiv "
    "2007.01045",
    PlacementKind::Linear,
    "The usual choice: little communication and simple, but the first device holds p times what the last one does.",
    "(p-1)(F+B+W)",
    "min(p - i, m) on device i",
    make,
};

} // namespace pipeloom
