// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/device_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <thread>

namespace pipeloom::executor {

namespace {

constexpr auto aWhile = std::chrono::milliseconds(200);

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
std::vector<std::thread> startThreads(const std::shared_ptr<RunShared>& shared, std::span<const DeviceId> devices)
{
    std::vector<std::thread> threads;
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const DeviceId device = devices[d];
        try {
            threads.emplace_back([shared, device] { deviceThread(shared, device); });
        } catch (const std::system_error& error) {
            shared->board->end(noThread(device, error.what()));
            for (const DeviceId rest : devices.subspan(d))
                shared->board->enter(rest, Doing::Ended);
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
        const auto seen = shared.board->watch([&] { return !shared.news.empty(); }, token, aWhile);
        if (shared.job.look)
            shared.job.look(shared.board->statuses());
        if (seen == Board::Watched::Stopped && shared.job.save) {
            endWithThisStep(shared);
            token = {};
        } else if (seen == Board::Watched::Stopped) {
            shared.board->end(interrupted());
        } else if (seen == Board::Watched::AllEnded || seen == Board::Watched::RunEnded) {
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

JobResult runThreads(const std::shared_ptr<RunShared>& shared, std::span<const DeviceId> devices,
    const std::function<void(const StepReport&)>& onStep, const std::stop_token& stop)
{
    JobResult run;
    auto threads = startThreads(shared, devices);
    follow(*shared, onStep, stop);
    if (shared->board->ended())
        shared->network->abort();
    run.leftBehind = shared->board->leave();
    for (std::size_t d = 0; d < threads.size(); ++d) {
        const bool isStuck
            = std::find(run.leftBehind.begin(), run.leftBehind.end(), devices[d]) != run.leftBehind.end();
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
    run.counts = shared->counts;
    return run;
}

} // namespace pipeloom::executor
