// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Edits of the pipeline's sizes and places, of the group, and of the design's texts. Tables keep their values and new
// entries take the last one's, passes follow their stages (edit/resized.h). Sizes, places and the group are locked while
// the order is edited by hand, that is with an explicit schedule: refused then.

#include "app/designer/edit/edited.h"

#include <string_view>
#include <vector>

namespace pipeloom::designer {

/// Refused: devices, stages and micro-batches are locked; "Back to block" unlocks them.
[[nodiscard]] Edited refusedAsLocked();

/// 1 to 4096. A named placement is made anew and keeps its number of stages per device, if that is whole; of a list, stages of
/// devices that are gone come to the last one. `4 devices`
[[nodiscard]] Edited setDevices(const Design& design, std::int32_t devices);

/// At least 1; passes of stages that are gone are dropped. Of a list, new stages come to the last one's device. Refused if a
/// linear placement would not have as many stages as devices. `8 stages`
[[nodiscard]] Edited setStages(const Design& design, std::int32_t stages);

/// At least 1. Routes by a list go on alternating if they do, else as the last one. `16 micro-batches`
[[nodiscard]] Edited setMicroBatches(const Design& design, std::int32_t microBatches);

/// A named placement; several routes become one. Refused for List, and for linear if stages and devices differ.
/// `V placement`
[[nodiscard]] Edited setPlacement(const Design& design, PlacementKind kind);
/// A device for each stage; several routes become one. A list that is that of the present name keeps it.
/// `Placement by list`
[[nodiscard]] Edited setPlacement(const Design& design, const Placement& list);
/// Several routes, one list each, and how micro-batches take them: Halves or Alternate, of one route Single.
/// `2 routes`
[[nodiscard]] Edited setRoutes(const Design& design, const std::vector<Placement>& lists, RouteRule rule);

/// Micro-batches in a block; passes of members that are gone are dropped. Refused below 1. `Group of 2`
[[nodiscard]] Edited setGroup(const Design& design, std::int32_t group);

/// UTF-8. `Rename`, `Notes`
[[nodiscard]] Edited setName(const Design& design, std::string_view name);
[[nodiscard]] Edited setNotes(const Design& design, std::string_view notes);

} // namespace pipeloom::designer
