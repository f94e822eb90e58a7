// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What devices do in a training run: their shares of the model, verification, checkpoints, events; as a job that threads or
// processes run.

#include "executor/events/event_log.h"
#include "executor/job.h"
#include "executor/run_preparation.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace pipeloom::executor {

/// What the devices' threads and whoever started them share.
struct TrainingShared {
    std::shared_ptr<const RunPreparation> preparation;
    std::shared_ptr<EventLog> events; ///< null: none are written
    std::mutex mutex;
    std::vector<const ModelWork*> works; ///< by device
    std::optional<Verification> verification;
};

/// With all devices in this process.
[[nodiscard]] Job trainingJob(const std::shared_ptr<TrainingShared>& shared, const RunOptions& options);

/// The finding if the gradients are not those of the unpipelined model (run/verify); keeps `verification` for the report.
[[nodiscard]] Findings judgeVerification(TrainingShared& shared, Verification verification);

/// How a run that ended so is called.
[[nodiscard]] Outcome outcomeOf(const JobResult& ran);

} // namespace pipeloom::executor
