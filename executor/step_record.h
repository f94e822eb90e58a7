// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What was measured of one step, device by device, and the timeline made of it.

#include "core/timeline/timeline.h"
#include "executor/device_status.h"
#include "executor/device_work.h"

#include <span>
#include <vector>

namespace pipeloom::executor {

/// One device in one step. Times of passes and transfers are nanoseconds from when the device began the step.
struct StepRecord {
    Nanoseconds
        offset {}; ///< of that beginning, from a time that is the same for all devices; 0 where all begin together
    std::vector<TimedPass> passes;
    std::vector<TimedTransfer> transfers; ///< those that this device received
    Nanoseconds busy {};                  ///< in passes
    Nanoseconds processor {};     ///< of busy, what this thread really had a core; far less: something else had it
    Nanoseconds loop {};          ///< in the rank loop itself, between passes: neither pass nor wait
    Nanoseconds loopProcessor {}; ///< what this thread had a core beside its passes, waking up included
    Nanoseconds around {};   ///< in what a step has beside its passes: preparing batches, sums, the optimizer's step
    Nanoseconds transfer {}; ///< waiting for inputs that both sides had come to
    Nanoseconds wait {};     ///< the rest of the step: for inputs not yet sent, and for other devices
    MemoryUse peak;
};

/// One step as it ended, over all devices.
struct StepReport {
    std::int64_t step = 0; ///< from 0; a resumed run goes on where the checkpoint stood
    double loss = 0;       ///< mean over the tokens of the step
    /// From the end of the step before to the end of this one. Synchronised, a step ends with the last device's optimizer step.
    /// Where devices go ahead (optimizer_mode.h), it ends when the last one has its sums, and the optimizer's step belongs to
    /// the next: of one step after the other this is the time per step.
    double stepMs = 0;
};

/// Ticks of a measured timeline are nanoseconds.
inline constexpr double measuredTickUs = 0.001;

/// From the first device's beginning.
[[nodiscard]] Timeline timeline(std::span<const StepRecord> devices);

/// The higher of each number.
[[nodiscard]] MemoryUse highest(const MemoryUse& a, const MemoryUse& b);

} // namespace pipeloom::executor
