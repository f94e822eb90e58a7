// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// ZB-H1: 1F1B with the backward split, W run late enough to fill the bubble at 1F1B's memory.

#include "core/library/block_builder.h"
#include "core/library/entries.h"

namespace pipeloom {

namespace {

LibraryDesign make(const LibraryRequest& request)
{
    if (Findings findings = checkRequest(request, zbH1Entry.title, 1); !findings.empty())
        return { {}, std::move(findings) };
    Design design = libraryDesign(request, zbH1Entry.title, PlacementKind::Linear, 1);
    blockOf(design).interval = 3;
    const Ticks p = request.devices;
    for (std::int32_t i = 0; i < request.devices; ++i) {
        place(design, i, PassKind::F, i);
        place(design, i, PassKind::B, 3 * p - 2 - 2 * i);
        place(design, i, PassKind::W, 3 * p - 1 + i);
    }
    return { std::move(design), {} };
}

} // namespace

const LibraryEntry zbH1Entry {
    "zb-h1",
    "ZB-H1",
    "Qi et al., Zero bubble pipeline parallelism, arXiv 2401.10241",
    PlacementKind::Linear,
    "A third of 1F1B's bubble at the memory of its first device; needs the backward split into B and W.",
    "(p-1)(F+B-W)",
    "p",
    make,
};

} // namespace pipeloom
