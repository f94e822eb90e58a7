// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One line of a run's events to its value.

#include "core/run/run_event.h"

#include <optional>
#include <string>
#include <string_view>

namespace pipeloom {

/// None if the line is garbled or of a kind that is not known; then `problem` says what is wrong (empty: not known). Never
/// throws. Passes and transfers, which are nearly all lines of a long run, are read without building a tree.
[[nodiscard]] std::optional<RunEvent> readEvent(std::string_view line, std::string& problem);

/// `2F7`, `2B7`, `2BW7`, numbers within the limits of core; none if it is none.
[[nodiscard]] std::optional<Pass> readPass(std::string_view text);

} // namespace pipeloom
