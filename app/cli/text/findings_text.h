// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/terminal.h"
#include "core/finding/finding.h"

#include <limits>
#include <string>

namespace pipeloom::cli {

/// How many findings of one rule a command that has more to say prints; `check` prints all.
inline constexpr int fewOfARule = 5;
inline constexpr int allOfARule = std::numeric_limits<int>::max();

/// Findings grouped by severity, errors first: rule, queue model if for one only, sentence, place in the file, remedy.
/// Of each rule at most `mostOfARule`; how many more there are is said. Empty for no findings.
[[nodiscard]] std::string findingsText(const Findings& findings, const Terminal& terminal, int mostOfARule);

/// `1 error, 2 warnings`; `nothing found`.
[[nodiscard]] std::string countsText(const Findings& findings);

} // namespace pipeloom::cli
