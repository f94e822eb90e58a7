// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program run on this machine, a thread per device (transport `local`). It runs any program, checked or not: one whose
// devices wait for each other ends with a finding instead. What the devices do is behind DeviceWork.

#include "executor/job.h"

#include <functional>
#include <stop_token>

namespace pipeloom::executor {

/// Why a program cannot be run here at all: shared channels (run/lowering).
[[nodiscard]] Findings runnable(const Program& program);

/// Runs the steps; `onStep` is called on this thread, in order, and must not throw. Returns when all devices have ended or, if
/// one is stuck, within the limit of its last sign of life; the stuck thread cannot be killed and stays behind, with all
/// it uses.
[[nodiscard]] JobResult runLocally(
    Job job, const std::function<void(const StepReport&)>& onStep = {}, const std::stop_token& stop = {});

} // namespace pipeloom::executor
