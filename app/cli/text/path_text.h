// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/terminal.h"
#include "core/simulate/critical_path.h"

#include <string>
#include <vector>

namespace pipeloom::cli {

/// The critical path in short: what it consists of, and device by device its first and last parts.
[[nodiscard]] std::string pathText(const std::vector<PathStep>& path, Ticks makespan, const Terminal& terminal);

} // namespace pipeloom::cli
