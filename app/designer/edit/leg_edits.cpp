// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/leg_edits.h"

#include "app/designer/edit/finished.h"

#include <fmt/format.h>

namespace pipeloom::designer {

namespace {

/// With the offset that came out, or the change if there is no common one.
std::string stepName(const std::string& name, std::optional<Ticks> offset, Ticks by)
{
    return offset ? fmt::format("{} = {}", name, *offset) : fmt::format("{} {:+}", name, by);
}

Edited withBlock(const Design& design, BuildingBlock block, std::string name)
{
    Design edited = design;
    edited.plan = std::move(block);
    return finished(std::move(edited), std::move(name));
}

bool isRoute(const Design& design, RouteId route)
{
    return route.value >= 0 && route.value < design.pipeline.routeCount();
}

} // namespace

Edited shiftLeg(const Design& design, RouteId route, std::size_t leg, Ticks by, AfterShift after)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (!isRoute(design, route) || leg >= legs(*block, design.pipeline, route).size())
        return refused(fmt::format("There is no leg {} on route {}.", leg, route.value));
    BuildingBlock shifted = pipeloom::shiftLeg(*block, design.pipeline, route, leg, by, after).block;
    const Leg now = legs(shifted, design.pipeline, route)[leg];
    return withBlock(design, std::move(shifted), stepName(now.name, now.offset, by));
}

Edited shiftTurn(const Design& design, RouteId route, std::size_t turn, Ticks by, AfterShift after)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (!isRoute(design, route) || turn >= turns(*block, design.pipeline, route).size())
        return refused(fmt::format("There is no turn {} on route {}.", turn, route.value));
    BuildingBlock shifted = pipeloom::shiftTurn(*block, design.pipeline, route, turn, by, after).block;
    const Turn now = turns(shifted, design.pipeline, route)[turn];
    return withBlock(design, std::move(shifted), stepName(now.name, now.offset, by));
}

} // namespace pipeloom::designer
