// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/terminal.h"
#include "executor/run.h"

#include <optional>
#include <string>

namespace pipeloom::cli {

/// One step, as it ends: its number, loss and time, in columns of fixed width. An emulated one has no loss.
[[nodiscard]] std::string stepText(const executor::StepReport& step, bool emulated = false);
/// The headings of these columns.
[[nodiscard]] std::string stepHeading(bool emulated = false);

/// How far the run is and, where it is known how many steps there are, how long it will take on.
[[nodiscard]] std::string progressText(std::int64_t done, std::optional<std::int64_t> steps, double secondsSoFar);

/// What was run, whether it is right, and planned beside measured, in time and memory.
[[nodiscard]] std::string runText(const executor::RunResult& result, const Terminal& terminal);

} // namespace pipeloom::cli
