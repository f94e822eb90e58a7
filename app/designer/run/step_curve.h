// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A figure over the steps of a run, thinned to what a chart can show without losing a spike. Pure.

#include "core/run/run_log.h"

#include <QPointF>

#include <cstdint>
#include <functional>
#include <vector>

namespace pipeloom::designer {

struct StepCurve {
    /// Stretches without a gap; x is the step.
    std::vector<std::vector<QPointF>> pieces;
    /// Steps without a finite value. Of neighbours that were thinned into one, the first.
    std::vector<double> gaps;
    double least = 0; ///< of all values, thinned or not; 0 if there are none
    double most = 0;

    [[nodiscard]] std::size_t points() const;
};

/// What of a step is shown; NaN: nothing.
using StepValue = std::function<double(const StepSummary&)>;

/// At most `most` points (>= 2): where there are more steps, of each stretch of them the lowest and the highest, in their order.
[[nodiscard]] StepCurve stepCurve(
    const std::vector<StepSummary>& steps, const StepValue& value, std::size_t most = 2000);

/// Where the axis of a curve should end, so that one or a few steps that took many times what others do (the first one, usually)
/// do not flatten the rest: the highest point, or if that is more than three times as high as all but one in fifty, half more
/// than those.
[[nodiscard]] double usefulTop(const StepCurve& curve);

/// Whole steps of an axis from `least` to `most`: 1, 2 or 5 times a power of ten, at most `ticks` of them.
[[nodiscard]] double tickStep(double least, double most, int ticks);

} // namespace pipeloom::designer
