// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where W goes when F and B stand: nothing waits for it, so it fills what is free.

#include "core/block/building_block.h"

namespace pipeloom {

/// Each W in the first ticks of the interval after its own B that are free on its device, the W of the earlier B first
/// (ties: of the higher stage); F, B and BW stay. A W that finds no room stands right after its B and collides; one whose
/// B is missing stays. Order and number of the passes stay. O(passes^2 / devices).
[[nodiscard]] BuildingBlock placeWeights(BuildingBlock block, const Pipeline& pipeline);

/// The block with a W for each B that lacks one, appended, and then all W placed as above.
[[nodiscard]] BuildingBlock withAllWeights(BuildingBlock block, const Pipeline& pipeline);

} // namespace pipeloom
