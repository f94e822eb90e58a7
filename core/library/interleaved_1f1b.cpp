// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// Interleaved 1F1B: several stages per device, in rounds of p micro-batches.

#include "core/library/block_builder.h"
#include "core/library/entries.h"

#include <fmt/format.h>

namespace pipeloom {

namespace {

Finding refuse(const LibraryRequest& request)
{
    const std::int32_t p = request.devices;
    const std::int32_t m = request.microBatches;
    const std::int32_t below = m / p * p;
    const std::int32_t above = below + p;
    const std::int32_t nearest = below > 0 && m - below <= above - m ? below : above;
    return { "library/micro-batches", Severity::Error, { Place {} }, {},
        fmt::format(
            "Interleaved 1F1B runs rounds of {} micro-batches, one for each device, and {} is no multiple of {}.", p, m,
            p),
        fmt::format("Take {} micro-batches, the nearest that fits.", nearest) };
}

LibraryDesign make(const LibraryRequest& request)
{
    const std::int32_t v = request.chunks == 0 ? 2 : request.chunks;
    if (Findings findings = checkRequest(request, interleavedEntry.title, v); !findings.empty())
        return { {}, std::move(findings) };
    if (request.microBatches % request.devices != 0)
        return { {}, { refuse(request) } };
    Design design = libraryDesign(request, interleavedEntry.title, PlacementKind::Interleaved, v);
    const std::int32_t p = request.devices;
    const std::int32_t g = p;
    blockOf(design).group = g;
    blockOf(design).interval = Ticks { 3 } * v * g;
    for (std::int32_t c = 0; c < v; ++c)
        for (std::int32_t i = 0; i < p; ++i)
            for (std::int32_t j = 0; j < g; ++j) {
                place(design, c * p + i, PassKind::F, Ticks { 3 } * (c * g + j + i), j);
                place(design, c * p + i, PassKind::BW,
                    Ticks { 3 } * ((v - 1) * g + 2 * (p - 1) - i + (v - 1 - c) * g + j) + 1, j);
            }
    return { std::move(design), {} };
}

} // namespace

const LibraryEntry interleavedEntry {
    "interleaved-1f1b",
    "Interleaved 1F1B",
    "Narayanan et al., Efficient large-scale language model training on GPU clusters using Megatron-LM, arXiv "
    "2104.04473",
    PlacementKind::Interleaved,
    "A bubble v times smaller than 1F1B's for v stages on each device, paid with v times the communication and some "
    "more memory.",
    "(p-1)(F+B+W)/v",
    "p + (p-1)/v",
    make,
};

} // namespace pipeloom
