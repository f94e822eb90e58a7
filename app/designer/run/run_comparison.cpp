// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

LossComparison compareLosses(const std::vector<StepSummary>& here, const std::vector<StepSummary>& there)
{
    LossComparison found;
    auto other = there.begin();
    for (const StepSummary& step : here) {
        while (other != there.end() && other->step < step.step)
            ++other;
        if (other == there.end())
            break;
        if (other->step != step.step)
            continue;
        ++found.common;
        const bool same = step.loss == other->loss || (std::isnan(step.loss) && std::isnan(other->loss));
        if (!same && !found.differs) {
            found.differs = step.step;
            found.here = step.loss;
            found.there = other->loss;
        }
    }
    return found;
}

ByKindAndStage<double> ratioOf(const Drift& there, const Drift& here)
{
    ByKindAndStage<double> ratio;
    for (std::size_t kind = 0; kind < passKinds; ++kind) {
        const std::vector<double>& over = there.ratio.values[kind];
        const std::vector<double>& under = here.ratio.values[kind];
        for (std::size_t s = 0; s < std::min(over.size(), under.size()); ++s)
            ratio.values[kind].push_back(over[s] > 0 && under[s] > 0 ? over[s] / under[s] : 0);
    }
    return ratio;
}

std::string whyNotComparable(const Pipeline& here, const Pipeline& there)
{
    const auto differs = [](const char* what, auto a, auto b) {
        return fmt::format("The other run has {} {}, this one {}.", b, what, a);
    };
    if (here.devices != there.devices)
        return differs("devices", here.devices, there.devices);
    if (here.stages != there.stages)
        return differs("stages", here.stages, there.stages);
    if (here.microBatches != there.microBatches)
        return differs("micro-batches", here.microBatches, there.microBatches);
    for (std::int32_t s = 0; s < here.stages; ++s)
        if (here.devicesOf(StageId { s }) != there.devicesOf(StageId { s }))
            return fmt::format("Stage {} is on another device in the other run.", s);
    return {};
}

RunPlanPtr planOf(const MeasuredStep& step, const RunPlan& plan, std::string name)
{
    auto made = std::make_shared<RunPlan>(plan);
    made->name = std::move(name);
    made->timeline = step.timeline();
    made->makespan = 0;
    for (const TimedPass& pass : made->timeline.passes)
        made->makespan = std::max(made->makespan, pass.end);
    made->indexPasses();
    made->memory.clear();
    made->peaks.clear();
    for (std::int32_t d = 0; d < plan.pipeline.devices; ++d) {
        std::vector<LevelChange> levels = step.memory(DeviceId { d });
        if (levels.empty()) { // not told: then of no device
            made->memory.clear();
            made->peaks.clear();
            break;
        }
        Bytes peak = 0;
        for (const LevelChange& level : levels)
            peak = std::max(peak, level.level);
        made->peaks.push_back(std::max(peak, step.rows[static_cast<std::size_t>(d)].peak.value_or(0)));
        made->memory.push_back(std::move(levels));
    }
    return made;
}

} // namespace pipeloom::designer
