// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_medians.h"

#include <algorithm>

namespace pipeloom::designer {

std::vector<MeasuredStepPtr> forMedians(std::vector<MeasuredStepPtr> whole, std::int64_t mostPasses)
{
    std::int64_t passes = 0;
    std::size_t taken = 0;
    for (auto step = whole.rbegin(); step != whole.rend(); ++step, ++taken) {
        passes += (*step)->passes();
        if (taken >= 3 && passes > mostPasses)
            break;
    }
    whole.erase(whole.begin(), whole.end() - static_cast<std::ptrdiff_t>(taken));
    return whole;
}

std::vector<MeasuredStepPtr> lastWhole(const RunLog& log, std::size_t most)
{
    std::vector<MeasuredStepPtr> whole;
    for (auto step = log.steps().rbegin(); step != log.steps().rend() && whole.size() < most; ++step)
        if ((*step)->isWhole())
            whole.push_back(*step);
    std::reverse(whole.begin(), whole.end());
    return whole;
}

std::optional<double> medianStepMs(const std::vector<StepSummary>& steps, std::size_t most)
{
    if (steps.empty())
        return std::nullopt;
    std::vector<double> times;
    for (auto step = steps.rbegin(); step != steps.rend() && times.size() < most; ++step)
        times.push_back(step->stepMs);
    std::sort(times.begin(), times.end());
    const std::size_t middle = times.size() / 2;
    return times.size() % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
}

double slownessOf(DeviceId device, const std::vector<MeasuredStepPtr>& steps, const RunPlan& plan)
{
    for (const Straggler& straggler : stragglers(steps, plan, 0))
        if (straggler.device == device)
            return straggler.slower;
    return 0;
}

} // namespace pipeloom::designer
