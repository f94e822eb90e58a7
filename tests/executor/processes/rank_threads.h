// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ranks as threads of one process, each with a board and a network end of its own, as processes have them.

#include "executor/device_threads.h"
#include "executor/processes/messages.h"
#include "executor/processes/process_network.h"

#include <array>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace pipeloom::test {

/// Makes a rank's connections; called on its thread, and lives as long as the rank's run.
using ConnectRank = std::function<std::shared_ptr<executor::Messages>(std::int32_t rank)>;

/// Runs every device of the job as a rank; gives what each says of its run. `onStep` is told by rank 0.
inline std::vector<executor::JobResult> runRanks(const std::function<executor::Job()>& makeJob,
    const ConnectRank& connect, const std::stop_token& stop = {},
    const std::function<void(const executor::StepReport&)>& onStep = {})
{
    const std::int32_t devices = makeJob().program.devices();
    std::vector<executor::JobResult> results(static_cast<std::size_t>(devices));
    std::vector<std::thread> ranks;
    for (std::int32_t d = 0; d < devices; ++d)
        ranks.emplace_back([&, d] {
            const auto messages = connect(d);
            executor::Job job = makeJob();
            const DeviceId device { d };
            const auto board = std::make_shared<executor::Board>(devices, job.limit, device, nullptr);
            const auto network = std::make_shared<executor::ProcessNetwork>(job.program, device, board, messages);
            const auto shared = std::make_shared<executor::RunShared>(std::move(job), board, network);
            results[static_cast<std::size_t>(d)] = executor::runThreads(shared, std::array { device },
                d == 0 ? onStep : std::function<void(const executor::StepReport&)> {}, stop);
        });
    for (auto& rank : ranks)
        rank.join();
    return results;
}

} // namespace pipeloom::test
