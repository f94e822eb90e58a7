// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the ranks have told, put together by whoever reports the run: the launcher, or rank 0.

#include "executor/job.h"
#include "executor/processes/store.h"
#include "executor/run.h"

#include <optional>
#include <string>

namespace pipeloom::executor {

/// The run as all ranks' reports have it; `verdict` is what ended it early. Without the last step if one of them is
/// missing or had none. Throws StoreLost.
[[nodiscard]] JobResult collected(Store& store, std::int32_t ranks, std::optional<Finding> verdict);

/// Forgets what ranks of an earlier run wrote into the folder, if `events` is one; before the ranks of this one begin.
void removeRankEvents(const std::string& events);
/// Where a rank writes its events: in a folder a file of its own, else to where all write.
[[nodiscard]] std::string rankEvents(const std::string& events, std::int32_t rank);

[[nodiscard]] std::string toWire(const VerifyReport& report);
[[nodiscard]] std::optional<VerifyReport> verifyReportFrom(const std::string& text);

} // namespace pipeloom::executor
