// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is read off measured steps beside their plan: where the time of each device goes, which passes are slower than planned
// and later, who holds up whom.

#include "core/pipeline/costs.h"
#include "core/run/measured_step.h"
#include "core/run/run_plan.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pipeloom {

/// One device's time in one step, in nanoseconds; the parts add up to `step` (CASES 38).
struct TimeSplit {
    Nanos compute = 0;  ///< in passes
    Nanos transfer = 0; ///< its next pass waited for an input that was on its way
    Nanos waiting = 0;  ///< its next pass waited for an input that was not yet sent; at the end: for other devices
    Nanos own = 0;      ///< all inputs were there: the rank loop between passes, batches, sums, the optimizer's step
    Nanos between = 0;  ///< of own: between passes
    Nanos step = 0;     ///< from the step's beginning to its end
    Bytes peak = -1;
};
/// By device; of a step under way up to the last event of it. A device whose passes were lost has what is left as waiting.
[[nodiscard]] std::vector<TimeSplit> timeSplit(const MeasuredStep& step, const RunPlan& plan);
/// Medians over several steps.
[[nodiscard]] std::vector<TimeSplit> timeSplit(std::span<const MeasuredStepPtr> steps, const RunPlan& plan);

/// Measured over planned time of passes by kind and stage: the median over the steps; 0: none ran.
struct Drift {
    ByKindAndStage<double> ratio;
    ByKindAndStage<double> spread; ///< (one in ten higher - one in ten lower) / median of the measured times
    double overall = 0;            ///< all compute measured over all planned; 0: nothing ran
    std::int64_t steps = 0;
};
[[nodiscard]] Drift drift(std::span<const MeasuredStepPtr> steps, const RunPlan& plan);

/// How much later than planned a pass started, counted from the step's beginning, in nanoseconds; negative: earlier. None: it is not in the plan.
[[nodiscard]] std::optional<Nanos> lateness(const PassEnded& pass, const MeasuredStep& step, const RunPlan& plan);

/// A device that is slower than the others against plan.
struct Straggler {
    DeviceId device;
    double base = 1;             ///< what all take, measured over planned
    double slower = 0;           ///< 0.12: 12 % slower than planned, beyond what all are
    std::vector<PassKind> kinds; ///< in which it is
    double stepMs = 0;           ///< what it costs a step: simulated with and without its slowness
    Pass worst;                  ///< kind and stage (micro-batch 0) with the highest ratio
};
/// Devices whose passes take at least `from` longer than the median device's, both against plan, over at least 3 steps.
[[nodiscard]] std::vector<Straggler> stragglers(
    std::span<const MeasuredStepPtr> steps, const RunPlan& plan, double from = 0.08);

/// Where a step that does not go on stands, by plan and passes told: the devices whose next pass has all it needs, or that are
/// between steps, and those that wait for them, directly or through others.
struct HeldUp {
    DeviceId device;
    std::optional<Pass> pass;      ///< none: after its last pass
    std::vector<DeviceId> waiting; ///< nearest first
};
[[nodiscard]] std::vector<HeldUp> heldUp(const MeasuredStep& step, const RunPlan& plan);
/// `rank 2 has not finished 3B5; ranks 1 and 0 wait`
[[nodiscard]] std::string text(const HeldUp& held);

} // namespace pipeloom
