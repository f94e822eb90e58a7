// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json/simulate_json.h"

#include "app/cli/json/findings_json.h"

#include <algorithm>
#include <cstddef>

namespace pipeloom::cli {

namespace {

void writePathStep(JsonWriter& json, const PathStep& step)
{
    json.beginObject();
    if (step.isTransfer) {
        json.member("transfer", text(step.pass));
        json.member("from", step.device.value);
        json.member("to", step.to.value);
    } else {
        json.member("pass", text(step.pass));
        json.member("device", step.device.value);
    }
    json.member("start", step.start);
    json.member("end", step.end);
    json.endObject();
}

void writeDevice(JsonWriter& json, const Design& design, const Plan& plan, std::size_t device)
{
    std::optional<DeviceMetrics> metrics;
    if (plan.simulated())
        metrics = plan.metrics.devices[device];
    const auto figure = [&metrics](auto of) { return metrics ? std::optional(of(*metrics)) : std::nullopt; };

    json.beginObject();
    json.member("device", static_cast<std::int64_t>(device));
    json.member("busy_ticks", figure([](const DeviceMetrics& m) { return m.busy; }));
    json.member("span_ticks", figure([](const DeviceMetrics& m) { return m.span(); }));
    json.member("idle_ticks", figure([&plan](const DeviceMetrics& m) { return plan.metrics.makespan() - m.busy; }));
    json.member("idle_share", figure([&](const DeviceMetrics&) { return plan.metrics.idleShare(DeviceId(device)); }));
    json.member("peak", figure([](const DeviceMetrics& m) { return m.peak; }));
    json.member("bound", device < plan.bounds.size() ? plan.bounds[device] : std::nullopt);
    json.member("limit", design.memory.limit[device]);
    json.endObject();
}

} // namespace

void writeSimulation(JsonWriter& json, const Design& design, const Plan& plan, const Findings& findings,
    const std::vector<PathStep>& path)
{
    const auto figure = [&plan](auto value) { return plan.simulated() ? std::optional(value) : std::nullopt; };
    json.beginObject();
    writeFindingMembers(json, !hasErrors(findings), findings);
    json.member("form", text(plan.form));
    json.member("queue", text(plan.queue));
    json.member("tick_us", design.costs.tickUs);
    json.member("memory_unit", design.memory.unit == MemoryUnit::Activation ? "activations" : "bytes");
    json.member("step_ticks", figure(plan.metrics.makespan()));
    json.member("own_span_ticks", figure(plan.metrics.ownSpan));
    json.member("idle_share", figure(plan.metrics.idleShare()));
    json.member("own_span_bubble", figure(plan.metrics.ownSpanBubble()));
    json.key("critical_path");
    json.beginArray();
    for (const PathStep& step : path)
        writePathStep(json, step);
    json.endArray();
    json.key("devices");
    json.beginArray();
    for (std::int32_t d = 0; d < design.pipeline.devices; ++d)
        writeDevice(json, design, plan, static_cast<std::size_t>(d));
    json.endArray();
    json.endObject();
}

} // namespace pipeloom::cli
