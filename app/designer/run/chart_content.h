// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the charts of the Run layout have in common.

#include "app/designer/run/run_chart.h"

#include <optional>

namespace pipeloom::designer {

class RunSession;

/// Axis over all steps of the run, marks, and the step shown; curve, levels and values are the chart's own.
[[nodiscard]] ChartContent commonContent(const RunSession& session, const RunMarks& marks);
/// The summary of a step: the last one of that number, as a step that was rolled back is told again; null: none.
[[nodiscard]] const StepSummary* summaryOf(const std::vector<StepSummary>& steps, std::int64_t step);
/// `checkpoint after step 83` and the like, each behind a new line; empty: nothing happened at the step.
[[nodiscard]] QString markLines(const RunMarks& marks, std::int64_t step);
/// Clicks and keys of a chart show steps of the session.
void letChoose(RunChart& chart, RunSession& session);

} // namespace pipeloom::designer
