// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// ZB-H2: no bubble inside any device's own span, for twice the memory of 1F1B.

#include "core/library/block_builder.h"
#include "core/library/entries.h"

namespace pipeloom {

namespace {

LibraryDesign make(const LibraryRequest& request)
{
    if (Findings findings = checkRequest(request, zbH2Entry.title, 1); !findings.empty())
        return { {}, std::move(findings) };
    Design design = libraryDesign(request, zbH2Entry.title, PlacementKind::Linear, 1);
    blockOf(design).interval = 3;
    const Ticks p = request.devices;
    for (std::int32_t i = 0; i < request.devices; ++i) {
        place(design, i, PassKind::F, i);
        place(design, i, PassKind::B, 6 * p - 5 - 5 * i);
        place(design, i, PassKind::W, 6 * p - 4 + i);
    }
    return { std::move(design), {} };
}

} // namespace

const LibraryEntry zbH2Entry {
    "zb-h2",
    "ZB-H2",
    "Qi et al., Zero bubble pipeline parallelism, arXiv 2401.10241",
    PlacementKind::Linear,
    "No bubble in the steady state if devices need not wait for each other at the end of a step; twice the memory of "
    "1F1B, m >= 2p-1.",
    "own span 0; makespan (p-1)F",
    "2p - 1",
    make,
};

} // namespace pipeloom
