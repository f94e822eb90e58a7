// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The life of one device's thread: make its share of the model, then step after step run the list, gather the sums, clip, step
// the optimizer, and save where that is due.

#include "executor/board.h"
#include "executor/job.h"

#include <deque>

namespace pipeloom::executor {

/// What all device threads of a process share, and each keeps alive. Past the first three, under the board's lock.
struct RunShared {
    Job job;
    std::shared_ptr<Board> board;
    std::shared_ptr<TransportNetwork> network;

    std::vector<StepRecord> lastStep; ///< by device; of the step that ended last
    Nanoseconds lastStepTime {};
    std::vector<MemoryUse> peaks; ///< by device
    std::deque<StepReport> news;  ///< of device 0
    Findings warnings;
    StepCounts counts;                   ///< of device 0
    bool stop = false;                   ///< asked to end with the step that is under way, which is saved
    std::optional<std::int64_t> stopped; ///< the last step, if all ended with it because one was asked to

    RunShared(Job job, std::shared_ptr<Board> board, std::shared_ptr<TransportNetwork> network);
};

/// Lives it to its end, whatever happens: the board then says Ended.
void deviceThread(const std::shared_ptr<RunShared>& shared, DeviceId device);

/// The factor on all gradients: 1, or clip / norm where the norm is above. Norms are summed in double, in stage order, each
/// stage once however many devices hold it.
[[nodiscard]] double clipScale(const std::vector<StageSums>& sums, double clip);

/// Sum over tokens / tokens of the step.
[[nodiscard]] double meanLoss(const std::vector<StageSums>& sums);

} // namespace pipeloom::executor
