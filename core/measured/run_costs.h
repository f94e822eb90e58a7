// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From the steps that a run told to what a design calls costs, and how far these explain the steps' time.

#include "core/measured/measured_costs.h"
#include "core/run/measured_step.h"
#include "core/run/run_plan.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pipeloom {

/// What the events of a step tell of its times. The loop of a device is the gap before passes that had all they needed, a
/// hand-over the time from the pass that made a result to the one that waited for it. The processor is not told.
/// None: passes of the plan are missing, or the step has others.
[[nodiscard]] std::optional<StepTimes> stepTimes(const MeasuredStep& step, const RunPlan& plan);

/// Why steps take as long as they do, in milliseconds from the first start of a pass to the last end. The parts of `simulated` add
/// up to it; `simulated`, `jitter`, `late` and `rest` add up to `measured`.
struct Explained {
    std::int64_t steps = 0;
    double measured = 0;  ///< median
    double simulated = 0; ///< with the measured costs
    double passes = 0;    ///< of it, pass times alone, results there at once
    double overhead = 0;  ///< what the time behind each pass adds
    double handOver = 0;  ///< what waiting for results on their way adds
    double jitter = 0;    ///< more with each step's own pass times: who waits for many waits for the slowest
    double late = 0;      ///< more with its own hand-overs too, where they were not as usual
    double rest = 0;      ///< what is left; negative: simulated too long
    double around = 0;    ///< beside `measured`: batches, sums, the optimizer's step, meeting

    friend bool operator==(const Explained&, const Explained&) = default;
};

/// `From the first pass to the last steps take 41.20 ms (median of 12). …`, sentences in one line.
[[nodiscard]] std::string text(const Explained& explained);

struct RunCosts {
    MeasuredCosts costs;
    std::int64_t steps = 0;             ///< that they are of
    std::int64_t leftOut = 0;           ///< steps with lost passes
    std::optional<Explained> explained; ///< none: no step is whole
};

/// Costs of whole steps of one run; of its whole pipeline, all replicas and rounds. Simulates each
/// step twice: some microseconds for a hundred passes.
[[nodiscard]] RunCosts runCosts(std::span<const MeasuredStepPtr> steps, const RunPlan& plan);

struct DesignWithCosts {
    std::optional<Design> design; ///< none: findings say why
    std::vector<std::string> notes;
    Findings findings;
};

/// The design, which must be of the run's stages and devices (of one replica), with the costs measured, as withCosts has it. A
/// device's costs are the mean of its replicas'. What was not measured is derived, and noted: BW = B + W, and B and W the half of
/// BW each. With `planned` that tells memory it is in bytes, else as it was.
/// Findings: run/no-costs, run/other-pipeline (errors), profile/limits (a warning).
[[nodiscard]] DesignWithCosts withMeasuredCosts(
    const Design& design, const MeasuredCosts& costs, const RunPlanned* planned);

} // namespace pipeloom
