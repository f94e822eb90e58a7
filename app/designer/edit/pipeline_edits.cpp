// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/pipeline_edits.h"

#include "app/designer/edit/finished.h"
#include "app/designer/edit/resized.h"
#include "core/formats/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::designer {

namespace {

/// Refused before any table is made: numbers that a file cannot hold would take memory first.
std::string sizeFault(std::int64_t devices, std::int64_t stages, std::int64_t microBatches)
{
    if (devices < 1 || devices > maxDevices)
        return fmt::format("A pipeline has 1 to {} devices, not {}.", maxDevices, devices);
    if (stages < 1)
        return fmt::format("A pipeline has 1 stage or more, not {}.", stages);
    if (microBatches < 1)
        return fmt::format("A step has 1 micro-batch or more, not {}.", microBatches);
    if (stages > maxPasses || 2 * stages * microBatches > maxPasses)
        return fmt::format("{} stages and {} micro-batches make more than {} passes.", stages, microBatches, maxPasses);
    return {};
}

std::string linearFault(const Pipeline& pipeline)
{
    if (pipeline.kind != PlacementKind::Linear || pipeline.stages == pipeline.devices)
        return {};
    return fmt::format(
        "A linear placement has one stage on each device, not {} stages on {} devices; take interleaved, V "
        "or a list first.",
        pipeline.stages, pipeline.devices);
}

/// The lists for the sizes that the pipeline has now.
void placeStages(Pipeline& pipeline)
{
    if (pipeline.kind != PlacementKind::List) {
        pipeline.routes = { placement(pipeline.kind, pipeline.devices, pipeline.stages) };
        return;
    }
    for (Placement& list : pipeline.routes) {
        const DeviceId last = list.empty() ? DeviceId { 0 } : list.back();
        list.resize(static_cast<std::size_t>(pipeline.stages), last);
        for (DeviceId& device : list)
            device = std::min(device, DeviceId { pipeline.devices - 1 });
    }
}

std::string listFault(const Placement& list, const Pipeline& pipeline)
{
    if (list.size() != static_cast<std::size_t>(pipeline.stages))
        return fmt::format("The list has {} devices for {} stages.", list.size(), pipeline.stages);
    for (std::size_t s = 0; s < list.size(); ++s)
        if (list[s].value < 0 || list[s].value >= pipeline.devices)
            return fmt::format("Stage {} cannot be placed on device {}; there are devices 0 to {}.", s, list[s].value,
                pipeline.devices - 1);
    return {};
}

Edited withPipeline(const Design& design, Pipeline pipeline, std::string name)
{
    if (std::string why = linearFault(pipeline); !why.empty())
        return refused(std::move(why));
    return finished(resized(design, std::move(pipeline)), std::move(name));
}

const char* placementTitle(PlacementKind kind)
{
    switch (kind) {
    case PlacementKind::Linear:
        return "Linear";
    case PlacementKind::Interleaved:
        return "Interleaved";
    case PlacementKind::V:
        return "V";
    case PlacementKind::List:
        break;
    }
    return "List";
}

std::string counted(std::int32_t number, const char* one)
{
    return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

Edited withText(const Design& design, std::string Design::*member, std::string_view text, const char* name)
{
    if (formats::firstInvalidUtf8(text))
        return refused("The text is not UTF-8.");
    Design edited = design;
    edited.*member = text;
    return finished(std::move(edited), name);
}

} // namespace

Edited refusedAsLocked()
{
    return refused(
        "The order is edited by hand, so devices, stages and micro-batches are locked; \"Back to block\" unlocks "
        "them.");
}

Edited setDevices(const Design& design, std::int32_t devices)
{
    if (!design.block())
        return refusedAsLocked();
    Pipeline pipeline = design.pipeline;
    std::int64_t stages = pipeline.stages;
    if (pipeline.kind != PlacementKind::List && stages % pipeline.devices == 0)
        stages = stages / pipeline.devices * devices;
    if (std::string why = sizeFault(devices, stages, pipeline.microBatches); !why.empty())
        return refused(std::move(why));
    pipeline.devices = devices;
    pipeline.stages = static_cast<std::int32_t>(stages);
    placeStages(pipeline);
    return withPipeline(design, std::move(pipeline), counted(devices, "device"));
}

Edited setStages(const Design& design, std::int32_t stages)
{
    if (!design.block())
        return refusedAsLocked();
    Pipeline pipeline = design.pipeline;
    if (std::string why = sizeFault(pipeline.devices, stages, pipeline.microBatches); !why.empty())
        return refused(std::move(why));
    pipeline.stages = stages;
    placeStages(pipeline);
    return withPipeline(design, std::move(pipeline), counted(stages, "stage"));
}

Edited setMicroBatches(const Design& design, std::int32_t microBatches)
{
    if (!design.block())
        return refusedAsLocked();
    if (std::string why = sizeFault(design.pipeline.devices, design.pipeline.stages, microBatches); !why.empty())
        return refused(std::move(why));
    Design edited = design;
    Pipeline& pipeline = edited.pipeline;
    pipeline.microBatches = microBatches;
    if (auto& routes = pipeline.routeOfMicroBatch; pipeline.rule == RouteRule::List) {
        bool alternates = true;
        for (std::size_t j = 0; j < routes.size(); ++j)
            alternates = alternates && routes[j].index() == j % pipeline.routes.size();
        for (std::size_t j = routes.size(); j < static_cast<std::size_t>(microBatches); ++j)
            routes.push_back(alternates ? RouteId { j % pipeline.routes.size() } : routes.back());
        routes.resize(static_cast<std::size_t>(microBatches));
    }
    return finished(std::move(edited), fmt::format("{} micro-batch{}", microBatches, microBatches == 1 ? "" : "es"));
}

Edited setPlacement(const Design& design, PlacementKind kind)
{
    if (!design.block())
        return refusedAsLocked();
    if (kind == PlacementKind::List)
        return refused("A placement by list needs the list.");
    Pipeline made = pipeline(kind, design.pipeline.devices, design.pipeline.stages, design.pipeline.microBatches);
    return withPipeline(design, std::move(made), fmt::format("{} placement", placementTitle(kind)));
}

Edited setPlacement(const Design& design, const Placement& list)
{
    return setRoutes(design, { list }, RouteRule::Single);
}

Edited setRoutes(const Design& design, const std::vector<Placement>& lists, RouteRule rule)
{
    if (!design.block())
        return refusedAsLocked();
    if (lists.empty() || (lists.size() == 1) != (rule == RouteRule::Single) || rule == RouteRule::List)
        return refused(
            "Give one route by itself, or several with the rule by which micro-batches take them: by halves or "
            "alternating.");
    for (const Placement& list : lists)
        if (std::string why = listFault(list, design.pipeline); !why.empty())
            return refused(std::move(why));
    Pipeline made = design.pipeline;
    const bool keepsName = rule == RouteRule::Single && made.kind != PlacementKind::List
        && lists.front() == placement(made.kind, made.devices, made.stages);
    if (!keepsName)
        made.kind = PlacementKind::List;
    made.routes = lists;
    made.rule = rule;
    made.routeOfMicroBatch.clear();
    return withPipeline(design, std::move(made),
        rule == RouteRule::Single ? "Placement by list" : fmt::format("{} routes", lists.size()));
}

Edited setGroup(const Design& design, std::int32_t group)
{
    if (!design.block())
        return refusedAsLocked();
    if (group < 1 || group > maxPasses / 2)
        return refused(fmt::format("A group has 1 to {} micro-batches, not {}.", maxPasses / 2, group));
    if (2 * std::int64_t { group } * design.pipeline.stages > maxPasses)
        return refused(fmt::format("A block of {} micro-batches and {} stages has more than {} passes.", group,
            design.pipeline.stages, maxPasses));
    Design edited = design;
    auto& block = std::get<BuildingBlock>(edited.plan);
    block.group = group;
    settlePasses(block, edited.pipeline);
    return finished(std::move(edited), fmt::format("Group of {}", group));
}

Edited setName(const Design& design, std::string_view name) { return withText(design, &Design::name, name, "Rename"); }
Edited setNotes(const Design& design, std::string_view notes)
{
    return withText(design, &Design::notes, notes, "Notes");
}

} // namespace pipeloom::designer
