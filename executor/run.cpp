// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/run.h"

#include "core/simulate/simulator.h"
#include "executor/events/event_log.h"
#include "executor/local_run.h"
#include "executor/run_preparation.h"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>

namespace pipeloom::executor {

namespace {

/// What the devices' threads and the caller of run() share beside the preparation.
struct Shared {
    std::shared_ptr<const RunPreparation> preparation;
    std::shared_ptr<EventLog> events; ///< null: none are written
    std::mutex mutex;
    std::vector<const ModelWork*> works; ///< by device
    std::optional<Verification> verification;
};

double milliseconds(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

Finding notVerified(const Verification& found)
{
    return { "run/verify", Severity::Error, {}, "",
        fmt::format("The gradients are not those of the unpipelined model: `{}` differs by {:.3g} of its size, {} at "
                    "most is allowed "
                    "(loss {:.9g}, unpipelined {:.9g}).",
            found.parameter, found.worst, Verification::tolerance, found.loss, found.referenceLoss),
        "This is a fault of Pipeloom if the design passes its checks: please report it with the design." };
}

std::unique_ptr<DeviceWork> makeWork(Shared& shared, DeviceId device)
{
    const auto& preparation = *shared.preparation;
    auto work = makeModelWork(preparation.setup, device, preparation.pipeline.stagesOn(device));
    const std::lock_guard held(shared.mutex);
    shared.works[device.index()] = work.get();
    return work;
}

Findings verifyStep(Shared& shared, std::int64_t step, const std::vector<StageSums>& sums)
{
    double loss = 0;
    for (const auto& stage : sums)
        loss += stage.lossSum;
    std::vector<ModelValues> devices;
    {
        const std::lock_guard held(shared.mutex);
        for (const ModelWork* work : shared.works)
            devices.push_back(valuesOf(*work));
    }
    auto verification = verify(shared.preparation->setup, step, devices, loss);
    Findings findings;
    if (!verification.ok())
        findings.push_back(notVerified(verification));
    const std::lock_guard held(shared.mutex);
    shared.verification = std::move(verification);
    return findings;
}

Findings saveStages(const RunPreparation& preparation, DeviceId device, const DeviceWork& work, std::int64_t step)
{
    // Every work here was made by makeWork above.
    const auto& model = static_cast<const ModelWork&>(work);
    for (const auto stage : preparation.pipeline.stagesOn(device)) {
        const auto path = std::filesystem::path(preparation.checkpointFolder) / stageFileName(step + 1, stage);
        if (auto findings = model.save(stage, path.string()); hasErrors(findings))
            return findings;
    }
    return {};
}

Findings commitCheckpoint(const RunPreparation& preparation, std::int64_t step)
{
    Checkpoint checkpoint;
    checkpoint.steps = step + 1;
    checkpoint.identity = preparation.identity;
    for (std::int32_t s = 0; s < preparation.setup.stages; ++s)
        checkpoint.files.push_back(stageFileName(step + 1, StageId { s }));
    return writeCheckpoint(preparation.checkpointFolder, checkpoint);
}

Job jobOf(const std::shared_ptr<Shared>& shared, const RunOptions& options)
{
    const auto& preparation = *shared->preparation;
    Job job;
    job.program = preparation.program;
    job.stages = preparation.setup.stages;
    job.firstStep = preparation.firstStep;
    job.steps = preparation.setup.training.steps;
    job.clip = preparation.setup.training.clip;
    job.limit = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(options.timeoutSeconds));
    job.makeWork = [shared](DeviceId device) { return makeWork(*shared, device); };
    if (shared->events)
        job.listen = [shared](DeviceId device) { return shared->events->device(device); };
    if (!preparation.resumeFiles.empty())
        job.load = [shared](DeviceId, DeviceWork& work) {
            return static_cast<ModelWork&>(work).load(shared->preparation->resumeFiles);
        };
    if (options.verify)
        job.verify
            = [shared](DeviceId device, const DeviceWork&, std::int64_t step, const std::vector<StageSums>& sums) {
                  // The others wait for device 0, which reads what they have.
                  return device.value == 0 ? verifyStep(*shared, step, sums) : Findings {};
              };
    if (!preparation.checkpointFolder.empty()) {
        job.saveEvery = preparation.setup.training.checkpointEvery;
        job.save = [shared](DeviceId device, DeviceWork& work, std::int64_t step) {
            return saveStages(*shared->preparation, device, work, step);
        };
        job.commit = [shared](std::int64_t step) {
            Findings findings = commitCheckpoint(*shared->preparation, step);
            if (shared->events && !hasErrors(findings))
                shared->events->checkpoint(step + 1);
            return findings;
        };
    }
    return job;
}

Outcome outcomeOf(const JobResult& ran)
{
    if (!ran.finding)
        return Outcome::Finished;
    if (ran.interrupted)
        return Outcome::Interrupted;
    const auto& rule = ran.finding->rule;
    const bool isCheckpointAtFault = rule == "file/unreadable" || rule == "file/size"
        || (rule.starts_with("checkpoint/") && rule != "checkpoint/write");
    return isCheckpointAtFault ? Outcome::Unreadable : Outcome::Failed;
}

/// The order of the run simulated with the mean time of each kind of pass. None with overlapped pairs: a pair was measured as
/// one.
std::optional<double> replayedMs(const RunPreparation& preparation, const Timeline& measured)
{
    auto costs = unitCosts(preparation.pipeline.stages);
    ByKindAndStage<Ticks> sums;
    ByKindAndStage<Ticks> counts;
    for (auto* table : { &sums, &counts })
        for (auto& row : table->values)
            row.assign(static_cast<std::size_t>(preparation.pipeline.stages), 0);
    for (const auto& timed : measured.passes) {
        if (timed.joined)
            return {};
        sums.values[index(timed.pass.kind)][timed.pass.stage.index()] += timed.end - timed.start;
        ++counts.values[index(timed.pass.kind)][timed.pass.stage.index()];
    }
    for (std::size_t kind = 0; kind < passKinds; ++kind)
        for (std::size_t s = 0; s < sums.values[kind].size(); ++s)
            costs.ticks.values[kind][s] = sums.values[kind][s] / std::max<Ticks>(1, counts.values[kind][s]);
    const auto timeline = simulate(preparation.program, preparation.pipeline, costs,
        freeNetwork(preparation.pipeline.stages), QueueModel::Directed);
    if (!timeline)
        return {};
    const auto ticks = metrics(*timeline, preparation.memory).makespan();
    return static_cast<double>(ticks) * measuredTickUs / 1000;
}

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
        device.stepMs = milliseconds(ran.lastStepTime);
        device.peak = ran.peaks[d];
        device.predicted = preparation.predicted[d];
        result.devices.push_back(device);
    }
    result.measured = timeline(ran.lastStep);
    result.measuredMetrics = metrics(result.measured, preparation.memory);
    result.replayedMs = replayedMs(preparation, result.measured);
}

} // namespace

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

RunResult run(const Design& design, const RunOptions& options)
{
    RunResult result;
    const auto preparation = prepare(design, options, result);
    if (!preparation)
        return result;
    const auto shared = std::make_shared<Shared>();
    shared->preparation = preparation;
    shared->works.resize(static_cast<std::size_t>(design.pipeline.devices));
    EventLog::Opened opened = EventLog::open(options.events);
    append(result.findings, std::move(opened.findings));
    if (hasErrors(result.findings)) {
        result.outcome = Outcome::Failed;
        return result;
    }
    shared->events = std::move(opened.log);
    if (shared->events)
        shared->events->run(design, preparation->setup.training.steps, false);
    const auto onStep = [&](const StepReport& step) {
        result.steps.push_back(step);
        if (shared->events)
            shared->events->step(step, false);
        if (options.onStep)
            options.onStep(step);
    };
    const auto ran = runLocally(jobOf(shared, options), onStep, options.stop);
    result.outcome = outcomeOf(ran);
    result.leftBehind = ran.leftBehind;
    append(result.findings, ran.warnings);
    if (ran.finding)
        result.findings.push_back(*ran.finding);
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
