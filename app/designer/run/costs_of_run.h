// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What passes and transfers cost in the steps of a run, and how far the simulated step with these costs is from the measured
// one. Pure.

#include "core/run/run_figures.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace pipeloom::designer {

/// Over steps, in nanoseconds. Of each step its mean counts, as means add up to a step's time; of the steps their median.
struct CostFigure {
    std::int64_t steps = 0; ///< 0: none was measured
    double median = 0;
    double low = 0; ///< one in ten is lower
    double high = 0;

    /// (high - low) / median; 0 if there is none.
    [[nodiscard]] double spread() const { return median > 0 ? (high - low) / median : 0; }
};

struct CostsOfRun {
    Pipeline pipeline; ///< of all replicas and rounds
    std::int64_t steps = 0;
    ByKindAndStage<CostFigure> passes; ///< those that overlap in a pair are left out
    CostFigure pair;                   ///< of overlapped pairs
    std::vector<double> between;       ///< by stage: what its device takes behind each pass
    std::vector<CostFigure> transfers; ///< by boundary
};
[[nodiscard]] CostsOfRun costsOfRun(std::span<const MeasuredStepPtr> steps, const RunPlan& plan);

/// The measured step, taken apart: each part is what the simulated step grows by, the rest is what comes neither always nor
/// everywhere: jitter, and what no cost stands for. In ms, from the first start of a pass to the last end.
struct ExplainedStep {
    double measured = 0; ///< median
    double passes = 0;   ///< simulated with nothing between passes
    double between = 0;  ///< more with the devices' time between passes
    double transfer = 0; ///< more with transfers
    double rest = 0;     ///< measured beyond that; may be negative

    [[nodiscard]] double simulated() const { return passes + between + transfer; }
};
/// In the run's own order. None: the run lacks a cost, or its program cannot be simulated.
[[nodiscard]] std::optional<ExplainedStep> explainedStep(
    std::span<const MeasuredStepPtr> steps, const RunPlan& plan, const CostsOfRun& costs);

} // namespace pipeloom::designer
