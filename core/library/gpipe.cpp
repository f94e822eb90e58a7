// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// GPipe: all forwards, then all backwards.

#include "core/library/block_builder.h"
#include "core/library/entries.h"

namespace pipeloom {

namespace {

LibraryDesign make(const LibraryRequest& request)
{
    if (Findings findings = checkRequest(request, gpipeEntry.title, 1); !findings.empty())
        return { {}, std::move(findings) };
    Design design = libraryDesign(request, gpipeEntry.title, PlacementKind::Linear, 1);
    blockOf(design).interval = 3;
    const Ticks p = request.devices;
    const Ticks m = request.microBatches;
    for (std::int32_t i = 0; i < request.devices; ++i) {
        place(design, i, PassKind::F, i);
        place(design, i, PassKind::BW, 3 * (m - 1) + 3 * p - 2 - 2 * i);
    }
    return { std::move(design), {} };
}

} // namespace

const LibraryEntry gpipeEntry {
    "gpipe",
    "GPipe",
    "Huang et al., GPipe, arXiv 1811.06965",
    PlacementKind::Linear,
    "The simplest order: take it to compare with, or when memory is no matter. The block depends on the number of "
    "micro-batches.",
    "(p-1)(F+B+W)",
    "m",
    make,
};

} // namespace pipeloom
