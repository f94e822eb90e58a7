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
    Pipeline pipeline;                ///< of all replicas and rounds
    ModelSetup setup;                 ///< with the micro-batches of all replicas and rounds
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

/// How messages come to another device: as the sender's own tensor, or into a buffer of the receiver's.
enum class HandOver : std::uint8_t { ByReference, ByCopy };

/// What each device will hold at most when it runs the program: activations (with transients), receive buffers as
/// `Passing`, and the stages' weights, gradients, moments and, with post-validation, the
/// copies for rolling back. Gradients packed for other holders of a stage, and by copy those
/// of the others, count as `Passing` from the stage's reduction to the end of the step.
[[nodiscard]] std::vector<MemoryUse> predictedMemory(const Program& program, const Pipeline& pipeline,
    const MemoryModel& memory, const ModelSetup& setup, HandOver handOver = HandOver::ByReference);

} // namespace pipeloom::executor
