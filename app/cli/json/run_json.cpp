// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json/run_json.h"

#include "app/cli/json/findings_json.h"

#include <array>
#include <cstddef>

namespace pipeloom::cli {

namespace {

using executor::DeviceReport;
using executor::MemoryUse;
using executor::RunResult;

constexpr std::array<const char*, executor::memoryClasses> classNames { "weights", "gradients", "optimizer",
    "activations", "passing" };

void writeBytes(JsonWriter& json, const char* name, const MemoryUse& use)
{
    json.key(name);
    json.beginObject();
    json.member("total", use.total);
    for (std::size_t i = 0; i < classNames.size(); ++i)
        json.member(classNames[i], use.byClass[i]);
    json.endObject();
}

void writeSteps(JsonWriter& json, const RunResult& result)
{
    json.key("steps");
    json.beginArray();
    for (const executor::StepReport& step : result.steps) {
        json.beginObject();
        json.member("step", step.step);
        if (result.emulation) {
            json.key("loss");
            json.value(nullptr);
        } else {
            json.member("loss", step.loss);
        }
        json.member("step_ms", step.stepMs);
        json.endObject();
    }
    json.endArray();
}

void writeEmulation(JsonWriter& json, const RunResult& result)
{
    if (!result.emulation)
        return;
    json.key("emulation");
    json.beginObject();
    json.member("clock", result.emulation->isVirtual ? "virtual" : "real");
    json.member("planned_ms", result.emulation->plannedMs);
    json.member("late_median_ms", result.emulation->lateness.medianMs);
    json.member("late_p99_ms", result.emulation->lateness.p99Ms);
    json.member("late_worst_ms", result.emulation->lateness.worstMs);
    json.endObject();
}

void writeOptimizer(JsonWriter& json, const RunResult& result)
{
    json.key("optimizer");
    json.beginObject();
    json.member("mode", executor::text(result.optimizer));
    json.member("ahead", result.counts.ahead);
    json.member("rolled_back", result.counts.rolledBack);
    json.member("skipped", result.counts.skipped);
    json.endObject();
}

void writeVerify(JsonWriter& json, const RunResult& result)
{
    json.key("verify");
    if (!result.verify) {
        json.value(nullptr);
        return;
    }
    json.beginObject();
    json.member("worst", result.verify->worst);
    json.member("parameter", result.verify->parameter);
    json.endObject();
}

void writeDevices(JsonWriter& json, const RunResult& result)
{
    json.key("devices");
    json.beginArray();
    for (std::size_t d = 0; d < result.devices.size(); ++d) {
        const DeviceReport& device = result.devices[d];
        json.beginObject();
        json.member("device", static_cast<std::int64_t>(d));
        json.member("busy_ms", device.busyMs);
        json.member("around_ms", device.aroundMs);
        json.member("wait_ms", device.waitMs);
        json.member("loop_ms", device.loopMs);
        json.member("transfer_ms", device.transferMs);
        json.member("step_ms", device.stepMs);
        if (!result.emulation) {
            writeBytes(json, "peak_bytes", device.peak);
            writeBytes(json, "predicted_bytes", device.predicted);
        }
        json.endObject();
    }
    json.endArray();
}

void writeModel(JsonWriter& json, const RunResult& result)
{
    const Model& model = result.model;
    json.key("model");
    if (model.layers == 0) {
        json.value(nullptr);
        return;
    }
    json.beginObject();
    json.member("default", result.defaultModel);
    json.member("layers", model.layers);
    json.member("hidden", model.hidden);
    json.member("heads", model.heads);
    json.member("sequence", model.sequence);
    json.member("micro_batch_size", model.microBatchSize);
    json.member("vocabulary", model.vocabulary);
    json.endObject();
}

void writeFigures(JsonWriter& json, const char* name, const Metrics& metrics)
{
    json.key(name);
    if (metrics.devices.empty()) {
        json.value(nullptr);
        return;
    }
    json.beginObject();
    json.member("idle_share", metrics.idleShare());
    json.member("own_span_bubble", metrics.ownSpanBubble());
    json.endObject();
}

} // namespace

void writeRun(JsonWriter& json, const RunResult& result, const Findings& findings)
{
    json.beginObject();
    writeFindingMembers(json, result.ok(), findings);
    json.member("emulated", result.emulation.has_value());
    writeEmulation(json, result);
    writeOptimizer(json, result);
    writeSteps(json, result);
    writeVerify(json, result);
    writeDevices(json, result);
    writeModel(json, result);
    writeFigures(json, "planned", result.plan.metrics);
    writeFigures(json, "measured", result.measuredMetrics);
    json.member("replayed_ms", result.replayedMs);
    json.member("times_comparable", result.timesComparable);
    json.key("notes");
    json.beginArray();
    for (const std::string& note : result.notes)
        json.value(note);
    json.endArray();
    json.endObject();
}

} // namespace pipeloom::cli
