// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/terminal.h"
#include "core/formats/design.h"
#include "core/plan/plan.h"
#include "core/simulate/critical_path.h"

#include <string>
#include <vector>

namespace pipeloom::cli {

/// What a step takes: its time and own span, both bubbles with what they mean, a line per device, the critical path in
/// short. For a plan that was simulated.
[[nodiscard]] std::string simulateText(
    const Design& design, const Plan& plan, const std::vector<PathStep>& path, const Terminal& terminal);

/// The table of devices alone: busy and idle time, span, peak beside bound and limit.
[[nodiscard]] std::string devicesText(const Design& design, const Plan& plan, const Terminal& terminal);

/// `reordered, queue directed`; raw has no queue.
[[nodiscard]] std::string formText(const Plan& plan);

} // namespace pipeloom::cli
