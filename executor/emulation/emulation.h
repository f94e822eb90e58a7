// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A rehearsal: the program runs on this machine, a thread per device, with passes and transfers that take their planned time
// and no arithmetic. 64 devices fit on a laptop. Needs no model, no data and no LibTorch.

#include "executor/emulation/emulated_clock.h"
#include "executor/run.h"

namespace pipeloom::executor {

/// Plans the design as `run` does and rehearses it for options.steps (3 if not given). What only a model has (verify, data,
/// checkpoints, resuming) is refused (run/options). Reductions among devices take no time. `result.emulation` is set, losses
/// and memory are not. In real time, falling more than 3 % behind the plan is a warning (run/late).
[[nodiscard]] RunResult emulate(const Design& design, const RunOptions& options, EmulatedTime time);

} // namespace pipeloom::executor
