// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a design to what is run: its plan, the program that the devices execute, the model's shares, and the memory to expect.

#include "executor/checkpoint.h"
#include "executor/model.h"
#include "executor/run.h"

#include <memory>
#include <optional>

namespace pipeloom::executor {

/// All that a run needs and that no longer changes; shared by the devices.
struct RunPreparation {
    Pipeline pipeline;
    ModelSetup setup;
    Program program;                  ///< lowered for `directed`
    MemoryModel memory;               ///< in bytes, from the dry pass
    std::vector<MemoryUse> predicted; ///< by device
    RunIdentity identity;
    std::string checkpointFolder;
    std::vector<std::string> resumeFiles; ///< whole paths; empty: from the seed
    std::int64_t firstStep = 0;
};

/// Fills findings, plan, model and notes of `result`. Nothing if the run cannot start; then `result.outcome` says why.
[[nodiscard]] std::shared_ptr<const RunPreparation> prepare(
    const Design& design, const RunOptions& options, RunResult& result);

/// What each device will hold at most when it runs the program: activations (with transients), receive buffers as
/// `Passing`, and the stages' weights, gradients and moments.
[[nodiscard]] std::vector<MemoryUse> predictedMemory(
    const Program& program, const Pipeline& pipeline, const MemoryModel& memory, const ModelSetup& setup);

} // namespace pipeloom::executor
