// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A run on processes of this machine: hosts the store, starts this program again once for each device, follows them, and
// reports. Whatever happens, when it returns none of them is left.

#include "executor/processes/line_relay.h"
#include "executor/run.h"

#include <string>
#include <vector>

namespace pipeloom::executor {

/// The variable that names the file with the launcher's design, for its ranks: theirs is the same, wherever it came from.
inline constexpr const char* designVariable = "PIPELOOM_DESIGN";

/// How the ranks are started, and what becomes of their words.
struct LaunchPlan {
    std::string program = "/proc/self/exe"; ///< calls runRank when it finds a place in its environment
    std::vector<std::string> arguments;     ///< past the program's name, the same for all
    OnLine onLine;                          ///< lines that ranks write, on a thread of the launcher's own
};

/// Like run(), on processes.
[[nodiscard]] RunResult launch(const Design& design, const RunOptions& options, const LaunchPlan& plan);

} // namespace pipeloom::executor
