// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A checkpoint: a folder with one file per stage and `checkpoint.json`, which is written last and names the files that belong to
// it. So at any moment the folder holds a whole checkpoint or none, and the one before stays until the next is complete.

#include "core/finding/finding.h"
#include "core/program/program.h"
#include "executor/model.h"

#include <optional>
#include <string>
#include <vector>

namespace pipeloom::executor {

/// What the bits of a training run depend on.
struct RunIdentity {
    Model model;
    std::int32_t microBatches = 1;
    std::vector<std::int32_t> layersPerStage;
    TrainingSettings training;
    std::string text;  ///< digest of the data
    std::string order; ///< digest of the devices' lists of passes
    std::int32_t intraOpThreads = 1;
    std::string processor;

    friend bool operator==(const RunIdentity&, const RunIdentity&) = default;
};

struct Checkpoint {
    std::int64_t steps = 0; ///< that were trained
    RunIdentity identity;
    std::vector<std::string> files; ///< names inside the folder, stages ascending

    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

struct ReadCheckpoint {
    std::optional<Checkpoint> checkpoint;
    Findings findings; ///< checkpoint/unreadable
};

[[nodiscard]] RunIdentity identityOf(const ModelSetup& setup, const Program& program, const std::string& processor);

/// The same for all processes that would run the same steps of it; processors may differ.
[[nodiscard]] std::string digestOf(RunIdentity identity, std::int64_t firstStep, std::int64_t steps);

/// Makes the folder if it is not there. An error (checkpoint/write) if that cannot be, or nothing can be written there; a
/// warning (checkpoint/replaced) if a checkpoint is there already, which the first one of this run will replace.
[[nodiscard]] Findings prepareFolder(const std::string& folder);

/// The name inside the folder that a stage's file has after `steps` steps.
[[nodiscard]] std::string stageFileName(std::int64_t steps, StageId stage);

/// Makes the stage files a checkpoint; then takes away stage files of earlier ones.
[[nodiscard]] Findings writeCheckpoint(const std::string& folder, const Checkpoint& checkpoint);

/// Takes away what a run left that failed while saving: stage files after more than `from` and at most `to` steps that are none
/// of the folder's checkpoint. Nothing where that is damaged. When all devices have ended.
void removeUnfinished(const std::string& folder, std::int64_t from, std::int64_t to);

[[nodiscard]] ReadCheckpoint readCheckpoint(const std::string& folder);

/// Why this run cannot go on from it (an error, checkpoint/model: other weights), or not bit for bit (a warning,
/// checkpoint/differs, with all that differs).
[[nodiscard]] Findings compare(const RunIdentity& checkpoint, const RunIdentity& now);

} // namespace pipeloom::executor
