// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/stage_edits.h"

#include "app/designer/edit/finished.h"
#include "app/designer/edit/pipeline_edits.h"
#include "core/block/chain.h"

#include <fmt/format.h>

#include <utility>

namespace pipeloom::designer {

Edited moveStage(const Design& design, StageId stage, RouteId route, DeviceId device)
{
    if (!design.block())
        return refusedAsLocked();
    const Pipeline& pipeline = design.pipeline;
    if (stage.value < 0 || stage.value >= pipeline.stages)
        return refused(fmt::format("There is no stage {}.", stage.value));
    if (route.value < 0 || route.value >= pipeline.routeCount())
        return refused(fmt::format("There is no route {}.", route.value));
    if (device.value < 0 || device.value >= pipeline.devices)
        return refused(fmt::format("There is no device {}.", device.value));
    Design edited = design;
    edited.pipeline.kind = PlacementKind::List;
    edited.pipeline.routes[route.index()][stage.index()] = device;
    auto& passes = std::get<BuildingBlock>(edited.plan).passes;
    const auto moves = [&](const Pass& pass) { return pass.stage == stage && takesRoute(pass, pipeline, route); };
    for (std::size_t i = 0, count = passes.size(); i < count; ++i) {
        BlockPass& placed = passes[i];
        const bool first = moves(placed.slot.first);
        const bool second = placed.slot.isPair() && moves(placed.slot.second);
        if (placed.slot.isPair() && first != second && placed.device != device) {
            // One of the two goes, the other stays: they part.
            const Pass parted = std::exchange(placed.slot.second, Pass {});
            const BlockPass alone { second ? device : placed.device, { parted, {} }, placed.start };
            if (first)
                placed.device = device;
            passes.push_back(alone);
        } else if (first || second) {
            placed.device = device;
        }
    }
    return finished(std::move(edited), fmt::format("Move stage {} to device {}", stage.value, device.value));
}

} // namespace pipeloom::designer
