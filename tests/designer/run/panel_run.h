// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Events of a run as an executor would write them, made from a plan: V-Half on four devices, 8 micro-batches, with devices that
// are slower than planned, spikes, and what else a test needs.

#include "app/designer/run/run_session.h"
#include "core/plan/plan.h"
#include "tests/designer/panels/panel_designs.h"

#include <cmath>
#include <limits>
#include <vector>

namespace pipeloom::designer::testing {

struct RunRecipe {
    Design design = mockDesign();
    std::int64_t steps = 3;
    std::int64_t ofSteps = 0;                  ///< what the run means to do; 0: as many as there are
    std::vector<double> slower { 1, 1, 1, 1 }; ///< by device: pass times over planned
    std::int64_t stepGapNs = 2'000'000;        ///< between the last pass of a step and the next step
    std::int64_t tokensPerStep = 0;
    bool emulated = false;
    bool ranks = true;
    std::int64_t beganUnixNs = 0;
    std::string transport = "gloo";
};

/// Times of a step on devices that are slower than planned.
inline Plan slowPlan(const RunRecipe& recipe)
{
    Design slow = recipe.design;
    slow.costs.tickUs /= 1000;
    for (auto& stages : slow.costs.ticks.values)
        for (std::int32_t s = 0; s < slow.pipeline.stages; ++s) {
            const std::size_t device = slow.pipeline.deviceOf(StageId { s }, RouteId { 0 }).index();
            Ticks& ticks = stages[static_cast<std::size_t>(s)];
            ticks = std::llround(static_cast<double>(ticks) * 1000 * recipe.slower[device]);
        }
    for (Ticks& ticks : slow.network.transfer)
        ticks *= 1000;
    return plan(slow);
}

inline std::vector<RunEvent> openingEvents(const RunRecipe& recipe)
{
    const Plan planned = plan(recipe.design);
    const std::int32_t devices = recipe.design.pipeline.devices;
    RunBegan began;
    began.devices = devices;
    began.stages = recipe.design.pipeline.stages;
    began.microBatches = recipe.design.pipeline.microBatches;
    began.steps = recipe.ofSteps > 0 ? recipe.ofSteps : recipe.steps;
    began.emulated = recipe.emulated;
    began.transport = recipe.transport;
    began.tokensPerStep = recipe.tokensPerStep;
    began.beganUnixNs = recipe.beganUnixNs;
    began.design = std::make_shared<const Design>(recipe.design);
    std::vector<RunEvent> events { began };
    for (std::int32_t d = 0; recipe.ranks && d < devices; ++d)
        events.push_back(RankBegan { DeviceId { d }, d, 4711 + d, "node7" });
    RunPlanned told;
    told.stepMs = static_cast<double>(planned.metrics.makespan()) * recipe.design.costs.tickUs / 1000;
    for (std::int32_t d = 0; d < devices; ++d) {
        const auto row = planned.schedule.row(DeviceId { d });
        told.rows.emplace_back(row.begin(), row.end());
    }
    events.push_back(std::move(told));
    return events;
}

/// A step that begins at a time. `stretch`: of all its times, for spikes.
inline std::vector<RunEvent> stepEvents(
    const RunRecipe& recipe, const Plan& slow, std::int64_t step, Nanos at, double loss, double stretch = 1)
{
    const double nsPerTick = recipe.design.costs.tickUs * stretch;
    const auto when = [&](Ticks ticks) { return at + std::llround(static_cast<double>(ticks) * nsPerTick); };
    std::vector<RunEvent> events;
    for (std::int32_t d = 0; d < recipe.design.pipeline.devices; ++d) {
        const DeviceId device { d };
        events.push_back(StepBegan { step, device, at });
        for (const TimedPass& pass : slow.timeline.row(device))
            events.push_back(
                PassEnded { step, device, pass.pass, when(pass.start), when(pass.end), pass.joined, 1000 });
    }
    for (const TimedTransfer& each : slow.timeline.transfers)
        events.push_back(TransferEnded { step, each.pass, each.from, each.to, when(each.start), when(each.end) });
    for (std::int32_t d = 0; d < recipe.design.pipeline.devices; ++d)
        events.push_back(MemoryPeaked { step, DeviceId { d }, 400'000'000 + d });
    StepEnded ended;
    ended.step = step;
    if (!recipe.emulated)
        ended.loss = loss;
    ended.stepMs = static_cast<double>(when(slow.metrics.makespan()) + recipe.stepGapNs - at) / 1e6;
    events.push_back(ended);
    return events;
}

inline double lossAt(std::int64_t step) { return 2.4 + 3.1 * std::exp(-static_cast<double>(step) / 30); }

/// The whole run up to its last step, without an end.
inline std::vector<RunEvent> runEvents(const RunRecipe& recipe)
{
    std::vector<RunEvent> events = openingEvents(recipe);
    const Plan slow = slowPlan(recipe);
    Nanos at = 1'000'000;
    for (std::int64_t step = 0; step < recipe.steps; ++step) {
        const std::vector<RunEvent> more = stepEvents(recipe, slow, step, at, lossAt(step));
        events.insert(events.end(), more.begin(), more.end());
        at += std::llround(std::get<StepEnded>(more.back()).stepMs * 1e6);
    }
    return events;
}

} // namespace pipeloom::designer::testing
