// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/read_sections.h"

#include <fmt/format.h>

#include <utility>

namespace pipeloom::formats {

namespace {

constexpr std::int64_t passesPerStageAndMicroBatch = 2; ///< at least: F and BW

Sizes readSizes(const SectionReader& pipeline)
{
    Sizes sizes;
    if (pipeline.require("devices") != nullptr)
        sizes.devices = pipeline.integer("devices", { 1, maxDevices });
    const Range upToAllPasses { 1, maxPasses / passesPerStageAndMicroBatch };
    if (pipeline.require("stages") != nullptr)
        sizes.stages = pipeline.integer("stages", upToAllPasses);
    if (pipeline.require("micro_batches") != nullptr)
        sizes.microBatches = pipeline.integer("micro_batches", upToAllPasses);
    if (!sizes.stages.has_value() || !sizes.microBatches.has_value())
        return sizes;

    const std::int64_t passes = *sizes.stages * *sizes.microBatches * passesPerStageAndMicroBatch;
    if (passes > maxPasses) {
        pipeline.reports().error("file/size", pipeline.path().place(),
            fmt::format("{} stages and {} micro-batches make at least {} passes, an F and a BW each; {} is the most.",
                *sizes.stages, *sizes.microBatches, passes, maxPasses),
            "Take fewer micro-batches: a step repeats itself long before.");
        sizes.stages.reset();
        sizes.microBatches.reset();
    }
    return sizes;
}

Placement toPlacement(const std::vector<std::int64_t>& devices)
{
    Placement placement;
    placement.reserve(devices.size());
    for (const std::int64_t device : devices)
        placement.emplace_back(static_cast<std::int32_t>(device));
    return placement;
}

std::optional<Placement> readPlacementList(
    const JsonValue& value, const JsonPath& path, const Sizes& sizes, Reports& reports)
{
    const Range devices { 0, sizes.devices.value_or(maxDevices) - 1 };
    const auto list = readIntegers(value, path, sizes.perStage(), devices, reports);
    return list.has_value() ? std::optional(toPlacement(*list)) : std::nullopt;
}

void readNamedPlacement(const SectionReader& section, const Sizes& sizes, Pipeline& pipeline)
{
    const auto name = section.oneOf("placement", placementNames);
    if (!name.has_value() || !sizes.devices.has_value() || !sizes.stages.has_value())
        return;
    pipeline.kind = static_cast<PlacementKind>(*name);
    if (pipeline.kind == PlacementKind::Linear && *sizes.devices != *sizes.stages) {
        section.reports().error("file/length", section.path("placement").place(),
            fmt::format("`linear` puts one stage on each device, but there are {} devices and {} stages.",
                *sizes.devices, *sizes.stages),
            *sizes.devices < *sizes.stages ? "Take `interleaved` or `v`, or as many stages as devices."
                                           : "Take as many devices as stages.");
        return;
    }
    pipeline.routes = { placement(pipeline.kind, pipeline.devices, pipeline.stages) };
}

void readPlacement(const SectionReader& section, const Sizes& sizes, Pipeline& pipeline)
{
    const JsonValue& value = *section.find("placement");
    if (value.as<std::string>() != nullptr) {
        readNamedPlacement(section, sizes, pipeline);
        return;
    }
    const JsonPath path = section.path("placement");
    if (value.as<JsonList>() == nullptr) {
        reportType(
            value, path, "`linear`, `interleaved`, `v` or a list with the device of each stage", section.reports());
        return;
    }
    pipeline.kind = PlacementKind::List;
    if (auto list = readPlacementList(value, path, sizes, section.reports()))
        pipeline.routes = { std::move(*list) };
}

void readRouteRule(const SectionReader& section, const Sizes& sizes, std::size_t routes, Pipeline& pipeline)
{
    const JsonValue* value = section.require("of_micro_batch");
    if (value == nullptr)
        return;
    if (value->as<JsonList>() == nullptr) {
        if (const auto name = section.oneOf("of_micro_batch", routeRuleNames))
            pipeline.rule = static_cast<RouteRule>(static_cast<std::size_t>(RouteRule::Halves) + *name);
        return;
    }
    const JsonPath path = section.path("of_micro_batch");
    const Range route { 0, static_cast<std::int64_t>(routes == 0 ? maxValues : routes) - 1 };
    pipeline.rule = RouteRule::List;
    if (const auto list = readIntegers(*value, path, sizes.perMicroBatch(), route, section.reports())) {
        for (const std::int64_t number : *list)
            pipeline.routeOfMicroBatch.emplace_back(static_cast<std::int32_t>(number));
    }
}

void readRoutes(const SectionReader& section, const Sizes& sizes, Pipeline& pipeline)
{
    std::size_t routes = 0;
    pipeline.kind = PlacementKind::List;
    const JsonPath path = section.path("placements");
    if (const JsonValue* value = section.require("placements")) {
        const JsonList* list = readList(*value, path, { std::nullopt, "route", "routes" }, section.reports());
        if (list != nullptr && list->empty())
            section.reports().error("file/length", path.place(), "`placements` has no entry, so there is no route.",
                "Give one list of devices per route, or a `placement` instead of `routes`.");
        routes = list == nullptr ? 0 : list->size();
        for (std::size_t i = 0; i < routes; ++i) {
            if (auto placement = readPlacementList((*list)[i], path.entry(i), sizes, section.reports()))
                pipeline.routes.push_back(std::move(*placement));
        }
    }
    readRouteRule(section, sizes, routes, pipeline);
}

} // namespace

PipelineSection readPipeline(const SectionReader& section)
{
    PipelineSection result;
    result.sizes = readSizes(section);
    Pipeline& pipeline = result.pipeline;
    pipeline.devices = static_cast<std::int32_t>(result.sizes.devices.value_or(1));
    pipeline.stages = static_cast<std::int32_t>(result.sizes.stages.value_or(1));
    pipeline.microBatches = static_cast<std::int32_t>(result.sizes.microBatches.value_or(1));

    const bool placed = section.find("placement") != nullptr;
    const SectionReader routes = section.section("routes", Section::Routes);
    if (placed && routes.present())
        section.reports().add(
            { "file/conflict", Severity::Error, { section.path("placement").place(), routes.path().place() }, {},
                "The pipeline has both `placement` and `routes`.",
                "Keep `placement` if all micro-batches go the same way, else `routes`." });
    if (routes.present())
        readRoutes(routes, result.sizes, pipeline);
    else if (placed || section.require("placement") != nullptr)
        readPlacement(section, result.sizes, pipeline);
    return result;
}

} // namespace pipeloom::formats
