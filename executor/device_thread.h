// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The life of one device's thread: make its share of the model, then step after step run the list, gather the sums, clip, step
// the optimizer, and save where that is due.

#include "executor/local_run.h"
#include "executor/local_transport.h"

#include <deque>
#include <limits>

namespace pipeloom::executor {

/// What all threads of a local run share, and each keeps alive. Past the first three, under the board's lock.
struct LocalShared {
    LocalJob job;
    std::shared_ptr<Board> board;
    LocalNetwork network;

    std::vector<StepRecord> records; ///< of the step that ends, by device
    std::vector<StepRecord> lastStep;
    Nanoseconds lastStepTime {};
    std::vector<MemoryUse> peaks;
    std::deque<StepReport> news;
    Findings warnings;
    std::int64_t begun = -1; ///< the last step that any device has begun
    /// No device begins a later step; it is saved like the last one. Named before any device has begun it, so that all agree.
    std::int64_t stopAfter = std::numeric_limits<std::int64_t>::max();

    explicit LocalShared(LocalJob job);
};

/// Lives it to its end, whatever happens: the board then says Ended.
void deviceThread(const std::shared_ptr<LocalShared>& shared, DeviceId device);

/// The factor on all gradients: 1, or clip / norm where the norm is above. Norms are summed in double, in stage order.
[[nodiscard]] double clipScale(const std::vector<StageSums>& sums, double clip);

/// Sum over tokens / tokens of the step.
[[nodiscard]] double meanLoss(const std::vector<StageSums>& sums);

} // namespace pipeloom::executor
