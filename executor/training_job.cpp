// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/training_job.h"

#include "executor/pinning.h"

#include <fmt/format.h>

#include <filesystem>

namespace pipeloom::executor {

namespace {

Finding notVerified(const Verification& found)
{
    return { "run/verify", Severity::Error, {}, "",
        fmt::format("The gradients are not those of the unpipelined model: `{}` differs by {:.3g} of its size, {} at "
                    "most is allowed "
                    "(loss {:.9g}, unpipelined {:.9g}).",
            found.parameter, found.worst, found.tolerance, found.loss, found.referenceLoss),
        "This is a fault of Pipeloom if the design passes its checks: please report it with the design." };
}

std::unique_ptr<DeviceWork> makeWork(TrainingShared& shared, DeviceId device, const std::optional<FireDrill>& drill)
{
    const auto& preparation = *shared.preparation;
    if (preparation.setup.intraOpThreads == 1)
        pinToCore(device.index(), static_cast<std::size_t>(preparation.program.devices()));
    auto work = makeModelWork(preparation.setup, device, preparation.pipeline.stagesOn(device));
    if (drill)
        work = withFault(std::move(work), *drill);
    const std::lock_guard held(shared.mutex);
    shared.works[device.index()] = work.get();
    return work;
}

Findings verifyStep(TrainingShared& shared, std::int64_t step, const std::vector<StageSums>& sums)
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
    return judgeVerification(shared, verify(shared.preparation->setup, step, devices, loss));
}

Findings saveStages(const RunPreparation& preparation, DeviceId device, const DeviceWork& work, std::int64_t step)
{
    // Every work here was made by makeWork above.
    const auto& model = static_cast<const ModelWork&>(work);
    for (const auto stage : preparation.pipeline.stagesOn(device)) {
        if (preparation.pipeline.devicesOf(stage).front() != device)
            continue; // its other holders have the same bits
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

} // namespace

Job trainingJob(const std::shared_ptr<TrainingShared>& shared, const RunOptions& options)
{
    const auto& preparation = *shared->preparation;
    Job job;
    job.program = preparation.program;
    job.stages = preparation.setup.stages;
    job.firstStep = preparation.firstStep;
    job.steps = preparation.setup.training.steps;
    job.clip = preparation.setup.training.clip;
    job.optimizer = options.optimizer;
    job.nanPolicy = options.nanPolicy;
    job.limit = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(options.timeoutSeconds));
    job.makeWork = [shared, drill = options.drill](DeviceId device) { return makeWork(*shared, device, drill); };
    if (shared->events)
        job.listen = [shared](DeviceId device) { return shared->events->device(device); };
    if (shared->events)
        job.look = [shared, stalls = std::make_shared<StallWatch>()](std::span<const DeviceStatus> devices) {
            const auto now = Clock::now();
            for (const Stall& stall : stalls->look(devices, now))
                shared->events->stall(stall, now);
        };
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
        // Device 0 begins to save as the others do, and commits when all have.
        const auto began = std::make_shared<Clock::time_point>();
        job.save = [shared, began](DeviceId device, DeviceWork& work, std::int64_t step) {
            if (device.value == 0)
                *began = Clock::now();
            return saveStages(*shared->preparation, device, work, step);
        };
        job.commit = [shared, began](std::int64_t step) {
            Findings findings = commitCheckpoint(*shared->preparation, step);
            if (shared->events && !hasErrors(findings))
                shared->events->checkpoint(
                    step + 1, std::chrono::duration<double, std::milli>(Clock::now() - *began).count());
            return findings;
        };
    }
    return job;
}

Findings judgeVerification(TrainingShared& shared, Verification verification)
{
    Findings findings;
    if (!verification.ok())
        findings.push_back(notVerified(verification));
    if (shared.events)
        shared.events->verified(verification.worst, verification.parameter);
    const std::lock_guard held(shared.mutex);
    shared.verification = std::move(verification);
    return findings;
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

} // namespace pipeloom::executor
