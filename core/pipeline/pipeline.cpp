// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

RouteId Pipeline::routeOf(MicroBatch microBatch) const
{
    const auto count = routeCount();
    switch (rule) {
    case RouteRule::Single:
        return RouteId { 0 };
    case RouteRule::List:
        return microBatch.index() < routeOfMicroBatch.size() ? routeOfMicroBatch[microBatch.index()] : RouteId { 0 };
    case RouteRule::Halves: {
        const auto share = (microBatches + count - 1) / count;
        return RouteId { std::min(microBatch.value / std::max(share, 1), count - 1) };
    }
    case RouteRule::Alternate:
        return RouteId { microBatch.value % count };
    }
    return RouteId { 0 };
}

std::vector<StageId> Pipeline::stagesOn(DeviceId device) const
{
    std::vector<StageId> found;
    for (std::int32_t s = 0; s < stages; ++s)
        for (const Placement& route : routes)
            if (route[StageId { s }.index()] == device) {
                found.emplace_back(s);
                break;
            }
    return found;
}

std::vector<DeviceId> Pipeline::devicesOf(StageId stage) const
{
    std::vector<DeviceId> found;
    for (const Placement& route : routes)
        found.push_back(route[stage.index()]);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

Placement placement(PlacementKind kind, std::int32_t devices, std::int32_t stages)
{
    Placement list;
    if (kind == PlacementKind::List)
        return list;
    for (std::int32_t s = 0; s < stages; ++s) {
        const std::int32_t leg = s / devices;
        const std::int32_t step = s % devices;
        if (kind == PlacementKind::Linear)
            list.emplace_back(s);
        else if (kind == PlacementKind::V && leg % 2 == 1)
            list.emplace_back(devices - 1 - step);
        else
            list.emplace_back(step);
    }
    return list;
}

Pipeline pipeline(PlacementKind kind, std::int32_t devices, std::int32_t stages, std::int32_t microBatches)
{
    Pipeline made;
    made.devices = devices;
    made.stages = stages;
    made.microBatches = microBatches;
    made.kind = kind;
    made.routes = { placement(kind, devices, stages) };
    return made;
}

const char* text(PlacementKind kind)
{
    switch (kind) {
    case PlacementKind::Linear:
        return "linear";
    case PlacementKind::Interleaved:
        return "interleaved";
    case PlacementKind::V:
        return "v";
    case PlacementKind::List:
        return "list";
    }
    return "";
}

namespace {

Finding error(std::string rule, std::string message, std::string remedy)
{
    return { std::move(rule), Severity::Error, { Place {} }, {}, std::move(message), std::move(remedy) };
}

void appendSizes(const Pipeline& p, Findings& findings)
{
    const auto tooSmall = [&](const char* what, std::int32_t value) {
        if (value < 1)
            findings.push_back(error("pipeline/size", fmt::format("The pipeline has {} {}.", value, what),
                fmt::format("Give it at least 1 of its {}.", what)));
    };
    tooSmall("devices", p.devices);
    tooSmall("stages", p.stages);
    tooSmall("micro-batches", p.microBatches);
    if (p.devices > maxDevices)
        findings.push_back(error("pipeline/size",
            fmt::format("The pipeline has {} devices; at most {} are handled.", p.devices, maxDevices),
            "Use fewer devices."));
    const std::int64_t passes = std::int64_t { 3 } * p.stages * p.microBatches;
    if (passes > 3 * maxPasses)
        findings.push_back(error("pipeline/size",
            fmt::format(
                "{} stages and {} micro-batches make more than {} passes.", p.stages, p.microBatches, maxPasses),
            "Use fewer stages or micro-batches."));
}

void appendRoutes(const Pipeline& p, Findings& findings)
{
    if (p.routes.empty())
        findings.push_back(error("pipeline/placement", "The pipeline has no placement.", "State one."));
    for (std::size_t r = 0; r < p.routes.size(); ++r) {
        const Placement& route = p.routes[r];
        if (route.size() != static_cast<std::size_t>(p.stages)) {
            findings.push_back(error("pipeline/placement",
                fmt::format("The placement names {} stages; the pipeline has {}.", route.size(), p.stages),
                "Name one device for each stage."));
            continue;
        }
        for (std::size_t s = 0; s < route.size(); ++s) {
            if (route[s].value >= 0 && route[s].value < p.devices)
                continue;
            Finding finding = error("pipeline/placement",
                fmt::format(
                    "Stage {} is placed on device {}; there are devices 0 to {}.", s, route[s].value, p.devices - 1),
                p.kind == PlacementKind::Linear
                    ? "A linear placement needs as many stages as devices; take interleaved, v or a list."
                    : "Place it on one of them.");
            if (p.routes.size() > 1)
                finding.where.front().route = RouteId { r };
            findings.push_back(std::move(finding));
            break;
        }
    }
}

void appendRouteRule(const Pipeline& p, Findings& findings)
{
    if (p.rule == RouteRule::Single && p.routes.size() > 1)
        findings.push_back(error("pipeline/routes",
            fmt::format("There are {} routes, and no rule which micro-batch takes which.", p.routes.size()),
            "Give of_micro_batch a list, \"halves\" or \"alternate\"."));
    if (p.rule != RouteRule::List)
        return;
    if (p.routeOfMicroBatch.size() != static_cast<std::size_t>(p.microBatches)) {
        findings.push_back(error("pipeline/routes",
            fmt::format(
                "Routes are given for {} micro-batches; there are {}.", p.routeOfMicroBatch.size(), p.microBatches),
            "Give one route for each micro-batch."));
        return;
    }
    for (std::size_t j = 0; j < p.routeOfMicroBatch.size(); ++j)
        if (const RouteId route = p.routeOfMicroBatch[j]; route.value < 0 || route.value >= p.routeCount()) {
            findings.push_back(error("pipeline/routes",
                fmt::format(
                    "Micro-batch {} takes route {}; there are routes 0 to {}.", j, route.value, p.routeCount() - 1),
                "Name one of them."));
            return;
        }
}

void appendEmptyDevices(const Pipeline& p, Findings& findings)
{
    std::vector<bool> used(static_cast<std::size_t>(p.devices), false);
    for (const Placement& route : p.routes)
        for (const DeviceId device : route)
            used[device.index()] = true;
    for (std::size_t d = 0; d < used.size(); ++d)
        if (!used[d]) {
            Finding finding = error("pipeline/empty-device", fmt::format("Device {} holds no stage.", d),
                "Place a stage on it, or use fewer devices.");
            finding.where.front().device = DeviceId { d };
            findings.push_back(std::move(finding));
        }
}

} // namespace

Findings check(const Pipeline& p)
{
    Findings findings;
    appendSizes(p, findings);
    if (!findings.empty())
        return findings;
    appendRoutes(p, findings);
    if (!findings.empty())
        return findings;
    appendRouteRule(p, findings);
    appendEmptyDevices(p, findings);
    if (p.microBatches < p.devices) {
        const double share = static_cast<double>(p.devices - 1) / static_cast<double>(p.microBatches + p.devices - 1);
        findings.push_back({ "pipeline/few-micro-batches", Severity::Warning, { Place {} }, {},
            fmt::format(
                "{} micro-batches on {} devices: the pipeline never fills; 1F1B would be idle {:.1f} % of the step.",
                p.microBatches, p.devices, 100 * share),
            fmt::format("Use {} micro-batches or more to fill it.", p.devices) });
    }
    return findings;
}

} // namespace pipeloom
