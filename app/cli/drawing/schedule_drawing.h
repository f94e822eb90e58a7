// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The schedule as text: devices as rows, time as columns, memory below each.

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/drawing/chart.h"
#include "core/plan/plan.h"

namespace pipeloom::cli {

/// Draws the timeline of a plan that was simulated, the key to it and what each device holds.
void drawSchedule(const Design& design, const Plan& plan, const View& view, const Terminal& terminal, Output& out);

/// Draws the order of the slots without times, for a schedule that cannot run.
void drawOrder(const Design& design, const Plan& plan, const View& view, const Terminal& terminal, Output& out);

} // namespace pipeloom::cli
