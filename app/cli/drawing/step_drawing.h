// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A measured step below its plan, as text on one time axis.

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "core/run/measured_step.h"
#include "core/run/run_plan.h"

namespace pipeloom::cli {

/// Both with the same scale, in microseconds, as wide as the terminal.
void drawStep(const MeasuredStep& step, const RunPlan& plan, const Terminal& terminal, Output& out);

} // namespace pipeloom::cli
