// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One rank's life in a run on processes: find the others, make sure that all mean the same run, run its device, and tell how
// it went.

#include "executor/processes/rank_place.h"
#include "executor/run.h"

namespace pipeloom::executor {

/// Runs the device that this process is. Where a launcher started it, the result is the launcher's to tell: here it has the
/// outcome, and findings that the launcher cannot know. Else rank 0 gives the whole result, and others outcome and findings.
/// Returns within about the time limit of the last sign of life, as run() does.
[[nodiscard]] RunResult runRank(const Design& design, const RunOptions& options, const RankPlace& place);

} // namespace pipeloom::executor
