// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/local_run.h"

#include "executor/device_thread.h"
#include "executor/local_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <thread>

namespace pipeloom::executor {

namespace {

Finding interrupted()
{
    Finding finding;
    finding.rule = "run/interrupted";
    finding.message = "The run was stopped from outside before its last step.";
    finding.remedy = "Start it again; if it has saved a checkpoint, --resume goes on from there.";
    return finding;
}

Finding noThread(DeviceId device, const std::string& why)
{
    Place place;
    place.device = device;
    Finding finding;
    finding.rule = "run/failed";
    finding.where = { place };
    finding.message = fmt::format("No thread could be started for device {}: {}.", device.value, why);
    finding.remedy = "Take fewer devices, or raise the limit of threads.";
    return finding;
}

/// One thread per device; a device whose thread cannot be started counts as ended, and ends the run.
std::vector<std::thread> startThreads(const std::shared_ptr<RunShared>& shared)
{
    std::vector<std::thread> threads;
    const auto devices = static_cast<std::size_t>(shared->job.program.devices());
    for (std::size_t d = 0; d < devices; ++d) {
        const DeviceId device { d };
        try {
            threads.emplace_back([shared, device] { deviceThread(shared, device); });
        } catch (const std::system_error& error) {
            shared->board->end(noThread(device, error.what()));
            for (std::size_t rest = d; rest < devices; ++rest)
                shared->board->enter(DeviceId { rest }, Doing::Ended);
            break;
        }
    }
    return threads;
}

/// Passes on what steps said since the last time.
void reportNews(RunShared& shared, const std::function<void(const StepReport&)>& onStep)
{
    std::deque<StepReport> news;
    {
        const auto held = shared.board->lock();
        news.swap(shared.news);
    }
    for (const auto& report : news)
        if (onStep)
            onStep(report);
}

/// Lets the devices end with the step under way, and save there.
void endWithThisStep(RunShared& shared)
{
    const auto held = shared.board->lock();
    shared.stop = true;
}

/// Until the run has ended.
void follow(RunShared& shared, const std::function<void(const StepReport&)>& onStep, const std::stop_token& stop)
{
    std::stop_token token = stop;
    while (true) {
        const auto seen = shared.board->watch([&] { return !shared.news.empty(); }, token);
        if (seen == Board::Watched::Stopped && shared.job.save) {
            endWithThisStep(shared);
            token = {};
        } else if (seen == Board::Watched::Stopped) {
            shared.board->end(interrupted());
        } else if (seen != Board::Watched::News) {
            return;
        }
        reportNews(shared, onStep);
    }
}

Finding stoppedAfter(std::int64_t step)
{
    Finding finding;
    finding.rule = "run/interrupted";
    finding.message = fmt::format("The run was stopped from outside after step {}, and saved there.", step);
    finding.remedy = "--resume goes on from there.";
    return finding;
}

} // namespace

Findings runnable(const Program& program)
{
    Findings findings;
    if (program.pairing != Pairing::ByKind) {
        Finding finding;
        finding.rule = "run/lowering";
        finding.message
            = "The program shares channels between activations and gradients, and `local` has one for each.";
        finding.remedy = "Lower the schedule for the queue model `directed`.";
        findings.push_back(finding);
    }
    const auto reduce = std::find_if(program.instructions.begin(), program.instructions.end(),
        [](const Instruction& instruction) { return instruction.op == Op::Reduce; });
    if (reduce != program.instructions.end()) {
        Finding finding;
        finding.rule = "run/routes";
        finding.message
            = fmt::format("Stage {} lives on several devices, and sums of gradients among devices are not offered yet.",
                reduce->pass.stage.value);
        finding.remedy = "Run a design with one route; `pipeloom simulate` takes this one.";
        findings.push_back(finding);
    }
    return findings;
}

JobResult runLocally(Job job, const std::function<void(const StepReport&)>& onStep, const std::stop_token& stop)
{
    JobResult run;
    if (const auto findings = runnable(job.program); !findings.empty()) {
        run.finding = findings.front();
        return run;
    }
    const auto board = std::make_shared<Board>(job.program.devices(), job.limit);
    const auto network = std::make_shared<LocalNetwork>(board, job.program.devices());
    const auto shared = std::make_shared<RunShared>(std::move(job), board, network);
    auto threads = startThreads(shared);
    follow(*shared, onStep, stop);
    run.leftBehind = shared->board->leave();
    for (std::size_t d = 0; d < threads.size(); ++d) {
        const bool isStuck
            = std::find(run.leftBehind.begin(), run.leftBehind.end(), DeviceId { d }) != run.leftBehind.end();
        isStuck ? threads[d].detach() : threads[d].join();
    }
    // A device may have failed in what follows a step before another one had said that the step has ended.
    reportNews(*shared, onStep);
    run.finding = shared->board->finding();
    run.interrupted = run.finding && run.finding->rule == "run/interrupted";
    const auto held = shared->board->lock();
    const std::int64_t last = shared->job.firstStep + shared->job.steps - 1;
    if (!run.finding && shared->stopped.value_or(last) < last) {
        run.finding = stoppedAfter(*shared->stopped);
        run.interrupted = true;
    }
    run.warnings = shared->warnings;
    if (shared->lastStepTime > Nanoseconds::zero())
        run.lastStep = shared->lastStep;
    run.lastStepTime = shared->lastStepTime;
    run.peaks = shared->peaks;
    return run;
}

} // namespace pipeloom::executor
