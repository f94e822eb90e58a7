// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/emulation/emulation.h"

#include "core/check/program_check.h"
#include "core/program/lower.h"
#include "core/schedule/replicas.h"
#include "core/schedule/rounds.h"
#include "core/simulate/simulator.h"
#include "executor/events/event_log.h"
#include "executor/gpu/held.h"
#include "executor/gpu/open_place.h"
#include "executor/local_run.h"
#include "executor/processes/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace pipeloom::executor {

namespace {

constexpr std::int64_t stepsUnlessGiven = 3;
constexpr double mostBehind = 0.03;

/// What all devices of a rehearsal share.
struct Shared {
    EmulationPlan plan; ///< its pipeline is that of all replicas
    MemoryModel memory; ///< of all replicas
    Program program;
    std::mutex mutex; ///< of the next two while devices are being made
    std::vector<std::shared_ptr<EmulatedClock>> clocks;
    std::vector<std::shared_ptr<std::vector<float>>> lateness;
    std::shared_ptr<gpu::Gpu> gpu; ///< null: threads sleep; else streams are held
    std::shared_ptr<PlannedEnds> ends = std::make_shared<PlannedEnds>();
    OptimizerMode optimizer = OptimizerMode::Synchronised;
};

Findings refusedOptions(const RunOptions& options)
{
    Findings findings;
    const auto refuse = [&](bool given, const char* what) {
        if (given)
            findings.push_back({ "run/options", Severity::Error, {}, "",
                fmt::format("A rehearsal computes nothing, so it has no {}.", what), "Leave one of the two out." });
    };
    refuse(options.verify, "gradients to verify");
    refuse(!options.data.empty(), "data to read");
    refuse(!options.checkpointDir.empty(), "checkpoint to write");
    refuse(!options.resumeDir.empty(), "checkpoint to go on from");
    return findings;
}

/// True if `result` has what is to be run: findings without an error, and the program.
bool prepare(const Design& design, const RunOptions& options, RunResult& result, Shared& shared)
{
    result.outcome = Outcome::Refused;
    append(result.findings, refusedOptions(options));
    PlanOptions how { options.form, options.queue };
    if (how.form == Form::Raw) {
        how.form = Form::Squeezed;
        result.notes.emplace_back("The raw form is a drawing; its order was rehearsed squeezed.");
    }
    result.plan = pipeloom::plan(design, how);
    append(result.findings, result.plan.findings);
    const std::int64_t rounds = design.training ? design.training->accumulate.value_or(1) : 1;
    if (!hasErrors(result.findings))
        append(result.findings, checkRounds(design.pipeline, rounds));
    if (hasErrors(result.findings))
        return false;
    const Pipeline longer = inRounds(design.pipeline, static_cast<std::int32_t>(rounds));
    append(result.findings, checkReplicas(longer, options.replicas));
    if (hasErrors(result.findings))
        return false;
    shared.plan.pipeline = replicated(longer, options.replicas);
    shared.memory = replicated(design.memory, options.replicas);
    if (options.replicas > 1)
        result.notes.push_back(fmt::format("{} replicas of {} devices; planned figures are those of one replica.",
            options.replicas, design.pipeline.devices));
    const Schedule order = inRounds(result.plan.schedule, design.pipeline, static_cast<std::int32_t>(rounds));
    auto lowered = lower(
        replicated(order, longer, options.replicas), shared.plan.pipeline, design.network, QueueModel::Directed);
    if (lowered)
        append(result.findings, check(*lowered, shared.plan.pipeline, QueueModel::Directed));
    if (!lowered || hasErrors(result.findings))
        return false;
    shared.program = std::move(*lowered);
    if (options.processor == Processor::Cpu)
        return true;
    auto opened = gpu::openPlace(
        gpu::Messages::WithinProcess, 0, [](gpu::Kernels kernels) { return gpu::openMachine(kernels); });
    append(result.findings, std::move(opened.findings));
    result.outcome = Outcome::Failed;
    shared.gpu = opened.place.of(DeviceId(0));
    return shared.gpu != nullptr;
}

/// Passes and transfers hold the streams of a GPU.
void holdStreams(Job& job, const Shared& shared)
{
    const gpu::HeldPlan plan { shared.plan.pipeline, shared.plan.costs, shared.plan.network };
    job.makeWork
        = [plan, gpu = shared.gpu](DeviceId device) { return std::make_unique<gpu::HeldWork>(gpu, plan, device); };
    job.wrapEnd = [plan, gpu = shared.gpu](std::unique_ptr<Transport> end, DeviceId) {
        return std::make_unique<gpu::HeldEnd>(std::move(end), gpu, plan);
    };
}

Nanoseconds longestPass(const Design& design, const EmulationPlan& plan)
{
    Ticks longest = design.costs.pair.value_or(0);
    for (const auto& byStage : design.costs.ticks.values)
        for (const Ticks ticks : byStage)
            longest = std::max(longest, ticks);
    for (std::int32_t s = 0; s + 1 < design.pipeline.stages; ++s)
        longest = std::max(longest, design.network.transferTicks(StageId { s }));
    return plan.lengthOf(2 * longest);
}

Job jobOf(const std::shared_ptr<Shared>& shared, const std::shared_ptr<EventLog>& log, const Design& design,
    const RunOptions& options)
{
    Job job;
    job.program = shared->program;
    job.stages = design.pipeline.stages;
    job.steps = options.steps.value_or(stepsUnlessGiven);
    // A pass that sleeps its planned time shows no life meanwhile.
    job.limit = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(options.timeoutSeconds))
        + longestPass(design, shared->plan);
    job.optimizer = options.optimizer;
    job.makeWork = [shared](DeviceId device) {
        return std::make_unique<EmulatedWork>(shared->clocks[device.index()], shared->lateness[device.index()]);
    };
    if (log && shared->plan.time == EmulatedTime::Real)
        job.listen = [log](DeviceId device) { return log->device(device); };
    job.wrapEnd = [shared](std::unique_ptr<Transport> end, DeviceId device) {
        return emulatedEnd(std::move(end), shared->clocks[device.index()], device);
    };
    if (shared->gpu)
        holdStreams(job, *shared);
    return job;
}

Lateness latenessOf(const Shared& shared)
{
    std::vector<float> all;
    for (const auto& device : shared.lateness)
        all.insert(all.end(), device->begin(), device->end());
    if (all.empty())
        return {};
    std::sort(all.begin(), all.end());
    const auto at = [&](double share) {
        return static_cast<double>(all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))]);
    };
    constexpr double median = 0.5;
    constexpr double p99 = 0.99;
    return { at(median), at(p99), static_cast<double>(all.back()) };
}

double milliseconds(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// A step as simulated, or of one step after the other the time per step; 0 if the program cannot run to its end.
double plannedMs(const Shared& shared, const Design& design)
{
    const auto simulated
        = simulate(shared.program, shared.plan.pipeline, design.costs, design.network, QueueModel::Directed);
    if (!simulated)
        return 0;
    const auto figures = metrics(*simulated, shared.memory);
    const bool isSynchronised = shared.optimizer == OptimizerMode::Synchronised;
    return milliseconds(shared.plan.lengthOf(isSynchronised ? figures.makespan() : figures.ownSpan));
}

/// How long the step that ended last was planned to take on each device: to its own last pass, or synchronised to that of all.
std::vector<Nanoseconds> plannedSteps(const Shared& shared)
{
    std::vector<Nanoseconds> steps;
    for (const auto& clock : shared.clocks) {
        Ticks last = 0;
        for (const TimedPass& pass : clock->planned().passes)
            last = std::max(last, pass.end);
        steps.emplace_back(last);
    }
    if (shared.optimizer == OptimizerMode::Synchronised)
        steps.assign(steps.size(), *std::max_element(steps.begin(), steps.end()));
    return steps;
}

void report(const Shared& shared, const JobResult& ran, RunResult& result)
{
    if (ran.lastStep.empty())
        return;
    const bool isVirtual = shared.plan.time == EmulatedTime::Virtual;
    std::vector<StepRecord> records = ran.lastStep;
    const auto planned = plannedSteps(shared);
    for (std::size_t d = 0; d < records.size(); ++d) {
        if (isVirtual) {
            records[d] = shared.clocks[d]->planned();
            records[d].wait = planned[d] - records[d].busy;
        }
        DeviceReport device;
        device.busyMs = milliseconds(records[d].busy + records[d].around);
        device.aroundMs = milliseconds(records[d].around);
        device.transferMs = milliseconds(records[d].transfer);
        device.waitMs = milliseconds(records[d].wait);
        device.stepMs = device.busyMs + device.transferMs + device.waitMs;
        result.devices.push_back(device);
    }
    result.measured = timeline(records);
    result.measuredMetrics = metrics(result.measured, shared.memory);
}

/// Of the last step on a GPU, each pass against its place in the simulated one.
void appendLateness(const Shared& shared, const Design& design, const JobResult& ran)
{
    const auto planned
        = simulate(shared.program, shared.plan.pipeline, design.costs, design.network, QueueModel::Directed);
    for (std::size_t d = 0; planned && d < ran.lastStep.size(); ++d) {
        const auto& passes = ran.lastStep[d].passes;
        const auto row = planned->row(DeviceId { d });
        for (std::size_t i = 0; i < std::min(passes.size(), row.size()); ++i) {
            const auto late = Nanoseconds(passes[i].end) - shared.plan.lengthOf(row[i].end);
            shared.lateness[d]->push_back(static_cast<float>(milliseconds(late)));
        }
    }
}

void judge(const Shared& shared, const Design& design, RunResult& result)
{
    Emulation emulation;
    emulation.isVirtual = shared.plan.time == EmulatedTime::Virtual;
    emulation.lateness = latenessOf(shared);
    emulation.plannedMs = plannedMs(shared, design);
    result.emulation = emulation;
    if (emulation.isVirtual || result.steps.empty() || emulation.plannedMs <= 0)
        return;
    std::vector<double> steps;
    for (const StepReport& step : result.steps)
        steps.push_back(step.stepMs);
    std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
    const double median = steps[steps.size() / 2];
    const double behind = median / emulation.plannedMs - 1;
    if (behind > mostBehind)
        result.findings.push_back({ "run/late", Severity::Warning, {}, "",
            fmt::format(
                "The rehearsal fell {:.1f} % behind: a step took {:.2f} ms, planned were {:.2f} ms; passes ended "
                "{:.2f} ms late at the median, {:.2f} ms at worst.",
                behind * 100, median, emulation.plannedMs, emulation.lateness.medianMs, emulation.lateness.worstMs),
            "Take a longer tick, fewer devices, or --emulate=virtual." });
}

} // namespace

RunResult emulate(const Design& design, const RunOptions& options, EmulatedTime time)
{
    RunResult result;
    const auto shared = std::make_shared<Shared>();
    shared->plan = { design.pipeline, design.costs, design.network, time };
    shared->optimizer = options.optimizer;
    result.optimizer = options.optimizer;
    if (!prepare(design, options, result, *shared))
        return result;
    removeRankEvents(options.events);
    EventLog::Opened opened = EventLog::open(options.events);
    append(result.findings, std::move(opened.findings));
    if (hasErrors(result.findings)) {
        result.outcome = Outcome::Failed;
        return result;
    }
    const std::shared_ptr<EventLog> log = std::move(opened.log);
    if (log)
        log->run(design,
            { .pipeline = shared->plan.pipeline,
                .replicas = options.replicas,
                .steps = options.steps.value_or(stepsUnlessGiven),
                .emulated = true,
                .transport = text(TransportKind::Local) });
    if (log)
        log->plan(plannedMs(*shared, design), shared->program, {}, shared->memory);
    for (std::int32_t d = 0; d < shared->plan.pipeline.devices; ++d) {
        shared->clocks.push_back(
            std::make_shared<EmulatedClock>(shared->plan, shared->program, DeviceId { d }, shared->ends));
        shared->lateness.push_back(std::make_shared<std::vector<float>>());
        if (log && time == EmulatedTime::Virtual)
            shared->clocks.back()->listen(log->device(DeviceId { d }));
    }
    const bool isSynchronised = options.optimizer == OptimizerMode::Synchronised;
    // On a virtual clock steps that begin together all take what is planned.
    const double virtualMs = plannedMs(*shared, design);
    const auto onStep = [&](const StepReport& step) {
        StepReport told = step;
        const Nanoseconds planned = shared->gpu ? Nanoseconds {} : shared->ends->timeOf(step.step);
        if (time == EmulatedTime::Virtual)
            told.stepMs = isSynchronised ? virtualMs : milliseconds(planned);
        result.steps.push_back(told);
        if (log)
            log->step(told, true);
        if (options.onStep)
            options.onStep(told);
    };
    const JobResult ran = runLocally(jobOf(shared, log, design, options), onStep, options.stop);
    result.outcome = !ran.finding ? Outcome::Finished : ran.interrupted ? Outcome::Interrupted : Outcome::Failed;
    result.leftBehind = ran.leftBehind;
    append(result.findings, ran.warnings);
    if (ran.finding)
        result.findings.push_back(*ran.finding);
    for (const auto& clock : shared->clocks)
        if (ran.leftBehind.empty()) // else one of them may still be told of something
            clock->listen(nullptr);
    if (log)
        log->close(ran.finding, text(result.outcome), result.findings);
    result.counts = ran.counts;
    for (auto& note : stepNotes(result))
        result.notes.push_back(std::move(note));
    report(*shared, ran, result);
    if (shared->gpu)
        appendLateness(*shared, design, ran);
    judge(*shared, design, result);
    return result;
}

} // namespace pipeloom::executor
