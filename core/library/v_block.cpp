// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/v_block.h"

#include "core/block/weights.h"
#include "core/library/block_builder.h"

#include <fmt/format.h>

#include <utility>

namespace pipeloom {

namespace {

constexpr Ticks interval = 6;

/// Starts of the four passes with offsets, on each device.
struct VStarts {
    std::vector<Ticks> f0, f1, b1, b0;
};

VStarts starts(std::int32_t devices, const VOffsets& offsets)
{
    const auto p = static_cast<std::size_t>(devices);
    VStarts made { std::vector<Ticks>(p), std::vector<Ticks>(p), std::vector<Ticks>(p), std::vector<Ticks>(p) };
    for (std::size_t i = 1; i < p; ++i)
        made.f0[i] = made.f0[i - 1] + offsets.f0;
    made.f1[p - 1] = made.f0[p - 1] + offsets.turnF;
    for (std::size_t i = p - 1; i-- > 0;)
        made.f1[i] = made.f1[i + 1] + offsets.f1;
    made.b1[0] = made.f1[0] + offsets.turnFB;
    for (std::size_t i = 1; i < p; ++i)
        made.b1[i] = made.b1[i - 1] + offsets.b1;
    made.b0[p - 1] = made.b1[p - 1] + offsets.turnB;
    for (std::size_t i = p - 1; i-- > 0;)
        made.b0[i] = made.b0[i + 1] + offsets.b0;
    return made;
}

} // namespace

LibraryDesign makeV(const LibraryRequest& request, std::string_view title, const VOffsets& offsets)
{
    Findings findings = checkRequest(request, title, 2);
    if (findings.empty() && request.devices < 2)
        findings.push_back({ "library/size", Severity::Error, { Place {} }, {},
            fmt::format("{} turns at the last device and needs at least 2.", title), "Ask for 2 devices or more." });
    if (!findings.empty())
        return { {}, std::move(findings) };

    Design design = libraryDesign(request, title, PlacementKind::V, 2);
    design.reorder = Reorder {};
    blockOf(design).interval = interval;
    const VStarts at = starts(request.devices, offsets);
    for (std::int32_t i = 0; i < request.devices; ++i) {
        const auto d = static_cast<std::size_t>(i);
        const std::int32_t stage0 = i;
        const std::int32_t stage1 = 2 * request.devices - 1 - i;
        place(design, stage0, PassKind::F, at.f0[d]);
        place(design, stage1, PassKind::F, at.f1[d]);
        place(design, stage1, PassKind::B, at.b1[d]);
        place(design, stage0, PassKind::B, at.b0[d]);
        place(design, stage1, PassKind::W, at.b1[d] + 1);
        place(design, stage0, PassKind::W, at.b0[d] + 1);
    }
    // The B of chunk 1 runs first on every device, so its W chooses first.
    blockOf(design) = placeWeights(std::move(blockOf(design)), design.pipeline);
    return { std::move(design), {} };
}

} // namespace pipeloom
