// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design.h"

#include <utility>

namespace pipeloom {

Design emptyDesign(Pipeline pipeline)
{
    Design design;
    design.pipeline = std::move(pipeline);
    const std::int32_t stages = design.pipeline.stages;
    design.costs = unitCosts(stages);
    design.memory = unitMemory(stages, design.pipeline.devices);
    design.network = freeNetwork(stages);
    BuildingBlock block;
    block.durations = unitDurations(stages);
    design.plan = std::move(block);
    return design;
}

} // namespace pipeloom
