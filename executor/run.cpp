// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/run.h"

#include "core/simulate/simulator.h"
#include "executor/local_run.h"
#include "executor/overhead.h"
#include "executor/processes/collect.h"
#include "executor/profile/step_times.h"
#include "executor/run_report.h"
#include "executor/training_job.h"

#include <fmt/format.h>

namespace pipeloom::executor {

namespace {

double milliseconds(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// The order of the run simulated with each pass's own time.
std::optional<double> replayedMs(const RunPreparation& preparation, const Timeline& measured, OptimizerMode optimizer)
{
    std::vector<Ticks> passes;
    for (const TimedPass& timed : measured.passes)
        passes.push_back(timed.end - timed.start);
    const auto replayed
        = simulate(preparation.program, preparation.pipeline, OwnTimes { passes, {} }, QueueModel::Directed);
    if (!replayed)
        return {};
    const auto figures = metrics(*replayed, preparation.memory);
    const auto ticks = optimizer == OptimizerMode::Synchronised ? figures.makespan() : figures.ownSpan;
    return static_cast<double>(ticks) * measuredTickUs / 1000;
}

} // namespace

void report(const RunPreparation& preparation, const JobResult& ran, RunResult& result)
{
    if (ran.lastStep.empty())
        return;
    for (std::size_t d = 0; d < ran.lastStep.size(); ++d) {
        const auto& step = ran.lastStep[d];
        DeviceReport device;
        device.busyMs = milliseconds(step.busy + step.around);
        device.aroundMs = milliseconds(step.around);
        device.transferMs = milliseconds(step.transfer);
        device.waitMs = milliseconds(step.wait);
        device.loopMs = milliseconds(step.loop);
        device.stepMs = device.busyMs + device.transferMs + device.waitMs;
        device.peak = ran.peaks[d];
        device.predicted = preparation.predicted[d];
        result.devices.push_back(device);
    }
    result.measured = timeline(ran.lastStep);
    result.measuredMetrics = metrics(result.measured, preparation.memory);
    result.replayedMs = replayedMs(preparation, result.measured, result.optimizer);
    const StepTimes times = stepTimes(preparation.program, ran.lastStep);
    append(result.findings, overheadNote(times.loopShare, times.waitingShare));
}

double plannedStepMs(const Design& design, const Plan& plan)
{
    return static_cast<double>(plan.metrics.makespan()) * design.costs.tickUs / 1000;
}

void tellBeginning(EventLog& events, const Design& design, const RunPreparation& preparation, const RunOptions& options,
    const Plan& plan)
{
    RunFacts facts;
    facts.pipeline = preparation.pipeline;
    facts.replicas = options.replicas;
    facts.firstStep = preparation.firstStep;
    facts.steps = preparation.setup.training.steps;
    facts.transport = text(options.transport);
    facts.tokensPerStep = preparation.setup.tokensPerStep();
    events.run(design, facts);
    events.plan(plannedStepMs(design, plan), preparation.program, preparation.predicted, preparation.memory);
}

const char* text(TransportKind transport)
{
    switch (transport) {
    case TransportKind::Local:
        return "local";
    case TransportKind::Gloo:
        return "gloo";
    case TransportKind::Nccl:
        return "nccl";
    }
    return "";
}

void conclude(const JobResult& ran, RunResult& result)
{
    result.outcome = outcomeOf(ran);
    result.leftBehind = ran.leftBehind;
    result.counts = ran.counts;
    for (auto& note : stepNotes(result))
        result.notes.push_back(std::move(note));
    append(result.findings, ran.warnings);
    if (ran.finding)
        result.findings.push_back(*ran.finding);
}

void tidyUp(const RunPreparation& preparation, const JobResult& ran)
{
    if (!ran.finding || ran.interrupted || preparation.checkpointFolder.empty() || !ran.leftBehind.empty())
        return;
    removeUnfinished(
        preparation.checkpointFolder, preparation.firstStep, preparation.firstStep + preparation.setup.training.steps);
}

const char* text(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Finished:
        return "finished";
    case Outcome::Refused:
        return "refused";
    case Outcome::Unreadable:
        return "unreadable";
    case Outcome::Failed:
        return "failed";
    case Outcome::Interrupted:
        return "interrupted";
    }
    return "";
}

std::vector<std::string> stepNotes(const RunResult& result)
{
    std::vector<std::string> notes;
    const auto& counts = result.counts;
    if (result.optimizer == OptimizerMode::PostValidation)
        notes.push_back(fmt::format("Of {} steps {} went ahead of their validation, and {} of these {} rolled back.",
            result.steps.size(), counts.ahead, counts.rolledBack, counts.rolledBack == 1 ? "was" : "were"));
    if (counts.skipped > 0)
        notes.push_back(fmt::format("{} of {} steps {} skipped: loss or gradients were not finite.", counts.skipped,
            result.steps.size(), counts.skipped == 1 ? "was" : "were"));
    return notes;
}

RunResult run(const Design& design, const RunOptions& options)
{
    RunResult result;
    const auto preparation = prepare(design, options, result);
    if (!preparation)
        return result;
    const auto shared = std::make_shared<TrainingShared>();
    shared->preparation = preparation;
    shared->works.resize(static_cast<std::size_t>(preparation->pipeline.devices));
    removeRankEvents(options.events);
    EventLog::Opened opened = EventLog::open(options.events);
    append(result.findings, std::move(opened.findings));
    if (hasErrors(result.findings)) {
        result.outcome = Outcome::Failed;
        return result;
    }
    shared->events = std::move(opened.log);
    if (shared->events)
        tellBeginning(*shared->events, design, *preparation, options, result.plan);
    const auto onStep = [&](const StepReport& step) {
        result.steps.push_back(step);
        if (shared->events)
            shared->events->step(step, false);
        if (options.onStep)
            options.onStep(step);
    };
    const auto ran = runLocally(trainingJob(shared, options), onStep, options.stop);
    tidyUp(*preparation, ran);
    conclude(ran, result);
    if (shared->events)
        shared->events->close(ran.finding, text(result.outcome), result.findings);
    {
        const std::lock_guard held(shared->mutex);
        if (shared->verification)
            result.verify = VerifyReport { shared->verification->worst, shared->verification->parameter };
    }
    report(*preparation, ran, result);
    return result;
}

} // namespace pipeloom::executor
