// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/rank_threads.h"

#include "executor/device_threads.h"
#include "executor/guarded.h"
#include "executor/processes/process_network.h"
#include "executor/processes/rendezvous.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>

namespace pipeloom::executor {

namespace {

Finding notConnected(std::int32_t rank, const std::exception& error)
{
    Place place;
    place.device = DeviceId { rank };
    return { "run/lost", Severity::Error, { place }, "",
        fmt::format("Device {} could not connect to all others: {}.", rank, firstLine(error.what())),
        "See whether the loopback network is there, and how many files may be open (ulimit -n)." };
}

} // namespace

std::vector<JobResult> runRanks(const std::function<Job()>& makeJob, const ConnectRank& connect,
    const std::stop_token& stop, const std::function<void(const StepReport&)>& onStep)
{
    const std::int32_t devices = makeJob().program.devices();
    std::vector<JobResult> results(static_cast<std::size_t>(devices));
    std::vector<std::jthread> ranks;
    for (std::int32_t d = 0; d < devices; ++d)
        ranks.emplace_back([&, d] {
            std::shared_ptr<Messages> messages;
            try {
                messages = connect(d);
            } catch (const std::exception& error) {
                results[static_cast<std::size_t>(d)].finding = notConnected(d, error);
                return;
            }
            Job job = makeJob();
            const DeviceId device { d };
            const auto board = std::make_shared<Board>(devices, job.limit, device, nullptr);
            const auto network = std::make_shared<ProcessNetwork>(job.program, device, board, messages);
            const auto shared = std::make_shared<RunShared>(std::move(job), board, network);
            results[static_cast<std::size_t>(d)] = runThreads(
                shared, std::array { device }, d == 0 ? onStep : std::function<void(const StepReport&)> {}, stop);
        });
    ranks.clear(); // joins
    return results;
}

JobResult runOverLoopback(const std::function<Job()>& makeJob, const std::function<void(const StepReport&)>& onStep,
    const std::stop_token& stop)
{
    const Job first = makeJob();
    const std::int32_t world = first.program.devices();
    StoreAddress address { "127.0.0.1", 0, "loopback" };
    HostedStore hosted;
    JobResult run;
    try {
        hosted = hostStore(address, first.limit);
    } catch (const std::exception& error) {
        run.finding = notConnected(0, error);
        return run;
    }
    address.port = hosted.port;
    const auto connect = [&](std::int32_t rank) { return connectGloo(address, rank, world, first.limit); };
    std::vector<JobResult> ranks = runRanks(makeJob, connect, stop, onStep);

    const auto isCause = [](const JobResult& rank) { return rank.finding && rank.finding->rule != "run/lost"; };
    const auto isAny = [](const JobResult& rank) { return rank.finding.has_value(); };
    auto told = std::ranges::find_if(ranks, isCause);
    if (told == ranks.end())
        told = std::ranges::find_if(ranks, isAny);
    if (told != ranks.end())
        run.finding = told->finding;
    run.interrupted = run.finding && run.finding->rule == "run/interrupted";
    for (std::size_t d = 0; d < ranks.size(); ++d) {
        append(run.warnings, std::move(ranks[d].warnings));
        if (!ranks[d].lastStep.empty())
            run.lastStep.push_back(std::move(ranks[d].lastStep[d]));
        run.peaks.push_back(ranks[d].peaks.empty() ? MemoryUse {} : ranks[d].peaks[d]);
    }
    if (run.lastStep.size() != ranks.size())
        run.lastStep.clear();
    run.lastStepTime = ranks.front().lastStepTime;
    return run;
}

} // namespace pipeloom::executor
