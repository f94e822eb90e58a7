// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the events of a run come to, for people.

#include "app/cli/console/terminal.h"
#include "app/cli/replay.h"

#include <string>

namespace pipeloom::cli {

/// What ran and how it ended, its steps, where the time of each device went, memory, drift, and what was told of it.
[[nodiscard]] std::string replayText(const Replayed& run, const Terminal& terminal);

/// One step: where the time of each device went, and how late its passes were.
[[nodiscard]] std::string stepText(const MeasuredStep& step, const RunPlan& plan, const Terminal& terminal);

/// Two runs beside each other.
[[nodiscard]] std::string diffText(const Replayed& run, const Replayed& other, const Terminal& terminal);

/// One notice in a line: time since the run began, and what happened.
[[nodiscard]] std::string noticeText(const RunNotice& notice, const Terminal& terminal);

} // namespace pipeloom::cli
