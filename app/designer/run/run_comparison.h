// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Two runs of one pipeline beside each other. Pure.

#include "core/run/run_figures.h"
#include "core/run/run_log.h"

#include <optional>
#include <string>
#include <vector>

namespace pipeloom::designer {

struct LossComparison {
    std::int64_t common = 0;             ///< steps that both have
    std::optional<std::int64_t> differs; ///< the first of them with another loss
    double here = 0;                     ///< the losses there
    double there = 0;
};
/// Both by ascending step, as a log has them. Equal means equal to the last bit that is told; two that are not finite are equal.
[[nodiscard]] LossComparison compareLosses(const std::vector<StepSummary>& here, const std::vector<StepSummary>& there);

/// Time there over time here, by kind and stage; 0 where one has none. Both against the same plan.
[[nodiscard]] ByKindAndStage<double> ratioOf(const Drift& there, const Drift& here);

/// Why the steps of `there` cannot be laid over those of `here`, as one sentence; empty: they can. Devices, stages, micro-batches
/// and placement must be the same.
[[nodiscard]] std::string whyNotComparable(const Pipeline& here, const Pipeline& there);

/// A step that was measured, as a plan to hold other steps against: its times are its passes' own, its memory what was told with
/// them. `plan` is that of the run that it is of; the step must have passes.
[[nodiscard]] RunPlanPtr planOf(const MeasuredStep& step, const RunPlan& plan, std::string name);

} // namespace pipeloom::designer
