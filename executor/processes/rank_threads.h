// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ranks as threads of one process, each with a board and a network end of its own, as processes have them: what is sent goes the
// way that it goes between processes. For measuring that way, and for tests of it.

#include "executor/job.h"
#include "executor/processes/messages.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace pipeloom::executor {

/// Makes a rank's connections; called on its thread, and lives as long as the rank's run. May throw: then that rank has failed
/// (run/lost), and so will those that wait for it.
using ConnectRank = std::function<std::shared_ptr<Messages>(std::int32_t rank)>;

/// Runs every device of the job as a rank; gives what each says of its run, by device. `makeJob` is called on each rank's
/// thread. `onStep` is told by rank 0, on its thread. No judge looks after them: a rank that is stuck in a pass holds up all.
[[nodiscard]] std::vector<JobResult> runRanks(const std::function<Job()>& makeJob, const ConnectRank& connect,
    const std::stop_token& stop = {}, const std::function<void(const StepReport&)>& onStep = {});

/// The same as one run, over gloo and the loopback network, with a store of its own. Of several findings the cause is given,
/// not its symptoms. Never throws for want of a network.
[[nodiscard]] JobResult runOverLoopback(const std::function<Job()>& makeJob,
    const std::function<void(const StepReport&)>& onStep = {}, const std::stop_token& stop = {});

} // namespace pipeloom::executor
