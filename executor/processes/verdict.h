// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What ended a run: one finding for all its processes. The first that is claimed stands.

#include "core/finding/finding.h"
#include "executor/device_status.h"
#include "executor/processes/store.h"

#include <algorithm>
#include <optional>

namespace pipeloom::executor {

/// What ended the run, if it has ended. Throws StoreLost.
[[nodiscard]] std::optional<Finding> verdict(Store& store);

/// Ends the run with this finding, unless it has ended; gives what ended it. Throws StoreLost.
Finding claimVerdict(Store& store, const Finding& finding);

/// How often ranks and judge give a sign of life.
[[nodiscard]] inline Nanoseconds beatPeriod(Nanoseconds limit)
{
    return std::min<Nanoseconds>(std::chrono::milliseconds(200), limit / 10);
}

} // namespace pipeloom::executor
