// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_plan.h"

#include "core/check/schedule_check.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "core/schedule/replicas.h"
#include "core/schedule/rounds.h"
#include "core/simulate/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pipeloom {

namespace {

Finding planError(std::string rule, std::string message, std::string remedy)
{
    return { std::move(rule), Severity::Error, {}, "", std::move(message), std::move(remedy) };
}

std::int64_t roundsOf(const Design& design) { return design.training ? design.training->accumulate.value_or(1) : 1; }

/// The design's pipeline as it is run: all rounds, all replicas. None: it cannot be.
std::optional<Pipeline> unfolded(const Design& design, std::int32_t replicas, Findings& findings)
{
    const std::int64_t rounds = roundsOf(design);
    append(findings, checkRounds(design.pipeline, rounds));
    if (hasErrors(findings))
        return std::nullopt;
    const Pipeline longer = inRounds(design.pipeline, static_cast<std::int32_t>(rounds));
    append(findings, checkReplicas(longer, replicas));
    if (hasErrors(findings))
        return std::nullopt;
    return replicated(longer, replicas);
}

/// The design's own order, unfolded like its pipeline.
std::optional<Schedule> orderOf(const Design& design, std::int32_t replicas, Findings& findings)
{
    const Plan made = plan(design);
    if (!made.simulated()) {
        append(findings, made.findings);
        return std::nullopt;
    }
    const auto rounds = static_cast<std::int32_t>(roundsOf(design));
    const Pipeline longer = inRounds(design.pipeline, rounds);
    return replicated(inRounds(made.schedule, design.pipeline, rounds), longer, replicas);
}

Ticks toNanos(Ticks ticks, double tickUs)
{
    constexpr double most = 1e18;
    return std::llround(std::min(static_cast<double>(ticks) * tickUs * 1000, most));
}

void fillMemory(RunPlan& made, const Design& design, std::int32_t replicas, const RunPlanned* planned)
{
    const auto devices = static_cast<std::size_t>(made.pipeline.devices);
    const auto stages = static_cast<std::size_t>(made.pipeline.stages);
    const bool inBytes = design.memory.unit == MemoryUnit::Byte;
    const MemoryModel own = replicated(design.memory, replicas);
    if (inBytes)
        made.limits = own.limit;
    const bool told = planned && planned->memory && planned->memory->fixed.size() == devices
        && std::ranges::all_of(planned->memory->change.values, [&](const auto& v) { return v.size() == stages; })
        && std::ranges::all_of(planned->memory->transient.values, [&](const auto& v) { return v.size() == stages; });
    if (told || inBytes) {
        const MemoryModel& model = told ? *planned->memory : own;
        for (std::int32_t d = 0; d < made.pipeline.devices; ++d)
            made.memory.push_back(memoryOverTime(made.timeline, model, DeviceId { d }));
        for (const DeviceMetrics& device : metrics(made.timeline, model).devices)
            made.peaks.push_back(device.peak);
    }
    if (planned && planned->predictedBytes.size() == devices)
        made.peaks = planned->predictedBytes;
}

MadeRunPlan make(std::string name, const Design& design, std::int32_t replicas, std::optional<Schedule> order,
    const RunPlanned* planned)
{
    MadeRunPlan result;
    auto made = std::make_shared<RunPlan>();
    made->name = std::move(name);
    const auto pipeline = unfolded(design, replicas, result.findings);
    if (!pipeline)
        return result;
    made->pipeline = *pipeline;
    if (!order)
        order = orderOf(design, replicas, result.findings);
    if (!order)
        return result;
    for (const Finding& wrong : check(*order, made->pipeline, design.costs)) {
        if (wrong.severity != Severity::Error)
            continue;
        result.findings.push_back(
            planError("run/plan", "The order that the run tells is none of its own design: " + wrong.message,
                "The events of two runs may have come into one file; give each run a file of its own."));
        return result;
    }
    auto program = lower(*order, made->pipeline, design.network, QueueModel::Directed);
    auto timeline = program ? simulate(*program, made->pipeline, design.costs, design.network, QueueModel::Directed)
                            : std::nullopt;
    if (!timeline) {
        result.findings.push_back(planError("run/plan", "The order that the run tells does not run to its end.",
            "Some of its passes may be missing: see whether the file of events is whole."));
        return result;
    }
    made->program = std::move(*program);
    for (TimedPass& pass : timeline->passes) {
        pass.start = toNanos(pass.start, design.costs.tickUs);
        pass.end = toNanos(pass.end, design.costs.tickUs);
        made->makespan = std::max(made->makespan, pass.end);
    }
    for (TimedTransfer& transfer : timeline->transfers) {
        transfer.start = toNanos(transfer.start, design.costs.tickUs);
        transfer.end = toNanos(transfer.end, design.costs.tickUs);
    }
    made->timeline = std::move(*timeline);
    made->indexPasses();
    fillMemory(*made, design, replicas, planned);
    result.plan = std::move(made);
    return result;
}

/// What differs of two pipelines; empty: nothing that matters to their passes.
std::string difference(const Pipeline& one, const Pipeline& other)
{
    const auto differs = [](const char* what, std::int32_t a, std::int32_t b) {
        return a == b ? std::string() : fmt::format("it has {} {}, the run {}", b, what, a);
    };
    for (const std::string& text :
        { differs("devices", one.devices, other.devices), differs("stages", one.stages, other.stages),
            differs("micro-batches", one.microBatches, other.microBatches) })
        if (!text.empty())
            return text;
    for (std::int32_t m = 0; m < one.microBatches; ++m)
        for (std::int32_t s = 0; s < one.stages; ++s) {
            const Pass pass { StageId { s }, MicroBatch { m }, PassKind::F };
            if (one.deviceOf(pass) != other.deviceOf(pass))
                return fmt::format("its stage {} is on device {}, the run's on device {}", s,
                    other.deviceOf(pass).value, one.deviceOf(pass).value);
        }
    return {};
}

} // namespace

void RunPlan::indexPasses()
{
    place.assign(static_cast<std::size_t>(pipeline.stages) * static_cast<std::size_t>(pipeline.microBatches) * 3, -1);
    for (std::size_t i = 0; i < timeline.passes.size(); ++i)
        place[placeOf(pipeline, timeline.passes[i].pass)] = static_cast<std::int32_t>(i);
    inputs.clear();
    for (const Instruction& instruction : program.instructions)
        if (instruction.op == Op::Compute)
            inputs.push_back(instruction.message);
}

std::int32_t RunPlan::find(const Pass& pass) const
{
    const bool isOfIt = pass.stage.value >= 0 && pass.stage.value < pipeline.stages && pass.microBatch.value >= 0
        && pass.microBatch.value < pipeline.microBatches;
    return isOfIt ? place[placeOf(pipeline, pass)] : -1;
}

MadeRunPlan runPlan(const RunBegan& run, const RunPlanned* planned)
{
    if (!run.design)
        return { nullptr, { planError("run/plan", "The run does not tell its design.", "Run it again.") } };
    std::optional<Schedule> order;
    if (planned && !planned->rows.empty())
        order = schedule(planned->rows);
    return make("the run's plan", *run.design, run.replicas, std::move(order), planned);
}

MadeRunPlan runPlan(const RunBegan& run, const RunPlanned* planned, const Design& other)
{
    MadeRunPlan own = runPlan(run, planned);
    MadeRunPlan result
        = make(other.name.empty() ? "the design" : other.name, other, run.replicas, std::nullopt, nullptr);
    if (!result.plan || !own.plan)
        return result.plan ? std::move(own) : std::move(result);
    const std::string differs = difference(own.plan->pipeline, result.plan->pipeline);
    if (differs.empty())
        return result;
    return { nullptr,
        { planError("run/other-pipeline",
            fmt::format("The run cannot be held against {}: {}.", result.plan->name, differs),
            "Take a design with the same devices, stages, placement and micro-batches.") } };
}

RunPlan scaled(const RunPlan& plan, double factor)
{
    RunPlan made = plan;
    const auto times = [factor](Ticks time) { return std::llround(static_cast<double>(time) * factor); };
    for (TimedPass& pass : made.timeline.passes) {
        pass.start = times(pass.start);
        pass.end = times(pass.end);
    }
    for (TimedTransfer& transfer : made.timeline.transfers) {
        transfer.start = times(transfer.start);
        transfer.end = times(transfer.end);
    }
    for (auto& device : made.memory)
        for (LevelChange& change : device)
            change.time = times(change.time);
    made.makespan = times(plan.makespan);
    return made;
}

} // namespace pipeloom
