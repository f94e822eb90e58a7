// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run measured, put beside what was planned.

#include "executor/events/event_log.h"
#include "executor/job.h"
#include "executor/run_preparation.h"

namespace pipeloom::executor {

/// Fills devices, timeline, metrics and the replayed step of `result` from the last step; nothing if none ended. Records of all
/// devices must be there.
void report(const RunPreparation& preparation, const JobResult& ran, RunResult& result);

/// Of the whole plan's form, in milliseconds.
[[nodiscard]] double plannedStepMs(const Design& design, const Plan& plan);

/// The first lines of a run's events: what is run, and its plan.
void tellBeginning(EventLog& events, const Design& design, const RunPreparation& preparation, const RunOptions& options,
    const Plan& plan);

/// After a run that failed, when all its devices have ended: takes away what a checkpoint that was not finished left.
void tidyUp(const RunPreparation& preparation, const JobResult& ran);

/// How the run ended: outcome, findings, devices left behind.
void conclude(const JobResult& ran, RunResult& result);

} // namespace pipeloom::executor
