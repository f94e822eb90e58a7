// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Designs that several tests of the panels show.

#include "core/library/library.h"

#include <algorithm>
#include <string>

namespace pipeloom::designer::testing {

/// A schedule of the library.
inline Design libraryDesign(std::string_view name, std::int32_t devices = 4, std::int32_t microBatches = 8)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    return *findInLibrary(name)->make(request).design;
}

/// V-Half for 4 devices, squeezed, with a limit of 7 on every device: as in the picture of the look to reach.
inline Design mockDesign()
{
    Design design = libraryDesign("v-half");
    design.reorder.reset();
    design.memory.limit.assign(4, Bytes { 7 });
    return design;
}

inline BlockPass& passOf(Design& design, PassKind kind, std::int32_t stage)
{
    auto& passes = std::get<BuildingBlock>(design.plan).passes;
    return *std::find_if(passes.begin(), passes.end(),
        [&](const BlockPass& p) { return p.slot.first.kind == kind && p.slot.first.stage.value == stage; });
}

/// The same with 7W moved onto 0F of a later copy: it collides.
inline Design collidingDesign()
{
    Design design = mockDesign();
    passOf(design, PassKind::W, 7).start = 18;
    return design;
}

/// The same with 7W taken out: nothing can be planned.
inline Design unfinishedDesign()
{
    Design design = mockDesign();
    auto& passes = std::get<BuildingBlock>(design.plan).passes;
    std::erase_if(
        passes, [](const BlockPass& p) { return p.slot.first.kind == PassKind::W && p.slot.first.stage.value == 7; });
    return design;
}

} // namespace pipeloom::designer::testing
