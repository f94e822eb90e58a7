// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Published schedules as designs. One file each, one catalogue.

#include "core/finding/finding.h"
#include "core/formats/design.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pipeloom {

/// What a library schedule is made for. Costs are given per chunk pass (stage), in ticks.
struct LibraryRequest {
    std::int32_t devices = 4;
    std::int32_t microBatches = 8;
    std::int32_t chunks = 0; ///< stages per device; 0: the schedule's own default
    Ticks f = 1, b = 1, w = 1;
    std::optional<Ticks> bw; ///< none: b + w
    Ticks transfer = 0;      ///< of every boundary
};

struct LibraryDesign {
    std::optional<Design> design;
    Findings findings; ///< rule library/...: what the schedule cannot be made for, with the nearest that it can
};

/// One published schedule: what it is, what it is good for, and how it is made.
struct LibraryEntry {
    std::string_view name;  ///< as on the command line, `v-half`
    std::string_view title; ///< `V-Half`
    std::string_view paper; ///< authors, title, arXiv number
    PlacementKind placement;
    std::string_view goodFor; ///< one sentence: when to take it
    std::string_view bubble; ///< closed form of its idle time, as text; F, B, W of a full device share (all its stages)
    std::string_view peak;   ///< closed form of its peak, as text; in activations of a full device share
    LibraryDesign (*make)(const LibraryRequest&);
};

/// All of them, simplest first.
[[nodiscard]] std::span<const LibraryEntry> library();

/// The entry of that name, or none.
[[nodiscard]] const LibraryEntry* findInLibrary(std::string_view name);

} // namespace pipeloom
