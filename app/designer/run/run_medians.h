// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The steps that medians are taken over, few enough to be gone through in a frame however large a step is.

#include "core/run/run_figures.h"
#include "core/run/run_log.h"

#include <optional>
#include <vector>

namespace pipeloom::designer {

/// Of these (newest last) the newest ones that together have at most `mostPasses`, at least three.
[[nodiscard]] std::vector<MeasuredStepPtr> forMedians(
    std::vector<MeasuredStepPtr> whole, std::int64_t mostPasses = 50'000);

/// The last whole steps of a log that nobody follows, newest last.
[[nodiscard]] std::vector<MeasuredStepPtr> lastWhole(const RunLog& log, std::size_t most = 20);

/// Median of the last steps' times, in ms; none if there are no steps.
[[nodiscard]] std::optional<double> medianStepMs(const std::vector<StepSummary>& steps, std::size_t most = 20);

/// How much slower a device is than the others, both against plan: 0.12 is 12 %. By its passes in these steps; 0 if there are none.
[[nodiscard]] double slownessOf(DeviceId device, const std::vector<MeasuredStepPtr>& steps, const RunPlan& plan);

} // namespace pipeloom::designer
