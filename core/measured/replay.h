// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A measured step simulated with its own pass times: what the order makes of them, and what the rest of the step's time is.

#include "core/measured/step_times.h"
#include "core/pipeline/pipeline.h"

#include <optional>
#include <span>

namespace pipeloom {

/// What a step takes beside its passes, in nanoseconds.
struct BetweenPasses {
    std::vector<double> loop;     ///< by device: behind each pass
    std::vector<double> handOver; ///< by stage boundary, either way; what StepTimes::handOvers measures
};

/// Makespans in nanoseconds, each with more of what is between passes.
struct Replay {
    Ticks passes = 0;   ///< pass times alone, results there at once
    Ticks loop = 0;     ///< and the rank loop behind each pass
    Ticks handOver = 0; ///< and hand-overs: the replay
};

/// None if the program does not run to its end, which check says before it is run. `own`: hand-overs whose times are known, in
/// the place of `between`'s.
[[nodiscard]] std::optional<Replay> replay(const Program& program, const Pipeline& pipeline,
    std::span<const Ticks> passes, const BetweenPasses& between, std::span<const MeasuredHandOver> own = {});

} // namespace pipeloom
