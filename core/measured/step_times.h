// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is read off one measured step: how long each pass took, what lay between passes, and whether the step was left in
// peace. Times are nanoseconds.

#include "core/program/program.h"
#include "core/timeline/timeline.h"

#include <optional>
#include <vector>

namespace pipeloom {

/// How long a result took to the pass that waited for it: from the end of the pass that made it to the start of the one that
/// takes it. On `local` no data moves: it is the sender's way to its send, and the waiting thread's waking up.
struct MeasuredHandOver {
    std::int32_t message = 0; ///< index into Program::messages
    Ticks time = 0;
};

/// One step.
struct StepTimes {
    Ticks makespan = 0;        ///< from the first start to the last end of a pass
    std::vector<Ticks> passes; ///< by device in list order; of a pair both halves its whole time
    /// By device: the rank loop's own time behind each pass, on average; none: not measured.
    std::vector<std::optional<double>> loop;
    std::vector<MeasuredHandOver> handOvers; ///< of results whose taker had nothing else to do and waited
    double loopShare = 0;      ///< of devices times makespan, in the rank loop; its processor time, which what else
                               ///< the machine does hardly lengthens
    double waitingShare = 0;   ///< of the same, what is neither pass nor loop
    double processorShare = 1; ///< processor time of a device's thread over its pass time; the lowest of all devices

    /// Something else took a core away from a pass.
    [[nodiscard]] bool disturbed() const { return processorShare < 0.97; }
};

/// Makespan, passes and hand-overs of a measured timeline of the program, in nanoseconds, its passes by device in list order.
[[nodiscard]] StepTimes stepTimes(const Program& program, const Timeline& timeline);

} // namespace pipeloom
