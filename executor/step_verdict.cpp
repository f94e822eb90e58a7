// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/step_verdict.h"

#include "executor/device_thread.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::executor {

bool isFinite(const StageSums& sums) { return std::isfinite(sums.lossSum) && std::isfinite(sums.squaredGradientNorm); }

StepVerdict stepVerdict(const std::vector<StageSums>& sums, double clip)
{
    StepVerdict result;
    const auto bad = std::find_if_not(sums.begin(), sums.end(), isFinite);
    if (bad != sums.end())
        result.notFinite = *bad;
    else
        result.scale = clipScale(sums, clip);
    return result;
}

} // namespace pipeloom::executor
