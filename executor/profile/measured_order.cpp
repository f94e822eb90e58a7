// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/profile/measured_order.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::executor {

namespace {

constexpr double nsPerMs = 1e6;

double milliseconds(Ticks nanoseconds) { return static_cast<double>(nanoseconds) / nsPerMs; }

/// Of a step with these pass times.
double makespanMs(
    const Program& program, const Pipeline& pipeline, const MeasuredCosts& costs, std::span<const Ticks> passTimes)
{
    const auto times = replay(program, pipeline, passTimes, costs.between());
    return times ? milliseconds(times->handOver) : 0;
}

double withScatter(const Program& program, const Pipeline& pipeline, const MeasuredCosts& costs)
{
    constexpr std::size_t draws = 101;
    constexpr std::size_t mostPasses = 5'000'000; // a second or two
    const auto passes = static_cast<std::size_t>(program.passBegin.back());
    const auto affordable = std::clamp<std::size_t>(mostPasses / std::max<std::size_t>(passes, 1), 1, draws);
    std::vector<double> drawn;
    for (std::uint32_t draw = 0; draw < affordable; ++draw)
        drawn.push_back(makespanMs(program, pipeline, costs, costs.drawnPassTimes(program, draw)));
    return spreadOf(std::move(drawn)).median;
}

} // namespace

void MeasuredOrder::add(std::span<const StepRecord> devices)
{
    steps.push_back(stepTimes(program, devices));
    const StepRecord& one = devices.front(); // the parts of any device are the whole step
    const Nanoseconds whole = one.busy + one.around + one.transfer + one.wait;
    aroundMs.push_back(milliseconds(whole.count() - steps.back().makespan));
}

void MeasuredOrder::setDisturbedAside()
{
    disturbed = std::count_if(steps.begin(), steps.end(), [](const StepTimes& step) { return step.disturbed(); });
    allAreDisturbed = static_cast<std::int64_t>(steps.size()) - disturbed < enough;
    if (allAreDisturbed)
        return;
    std::vector<StepTimes> left;
    std::vector<double> around;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (!steps[i].disturbed()) {
            left.push_back(std::move(steps[i]));
            around.push_back(aroundMs[i]);
        }
    steps = std::move(left);
    aroundMs = std::move(around);
}

MeasuredCosts MeasuredOrder::costs(const Pipeline& pipeline) const
{
    CostSamples samples(pipeline);
    for (const StepTimes& step : steps)
        samples.add(program, step);
    return samples.costs();
}

Foretold MeasuredOrder::foretold(const Pipeline& pipeline, const MeasuredCosts& costs) const
{
    const MeasuredCosts own = this->costs(pipeline);
    std::vector<double> measured;
    std::vector<double> errors;
    std::vector<double> passes;
    std::vector<double> loop;
    std::vector<double> handOver;
    std::vector<double> rest;
    Foretold result;
    for (const StepTimes& step : steps) {
        const auto replayed = replay(program, pipeline, step.passes, own.between());
        if (!replayed || step.makespan <= 0)
            continue;
        measured.push_back(milliseconds(step.makespan));
        errors.push_back(milliseconds(replayed->handOver) / measured.back() - 1);
        passes.push_back(milliseconds(replayed->passes));
        loop.push_back(milliseconds(replayed->loop - replayed->passes));
        handOver.push_back(milliseconds(replayed->handOver - replayed->loop));
        rest.push_back(measured.back() - milliseconds(replayed->handOver));
        if (std::abs(errors.back()) > std::abs(result.replayWorst))
            result.replayWorst = errors.back();
    }
    result.name = name;
    result.steps = allAreDisturbed ? static_cast<std::int64_t>(steps.size())
                                   : static_cast<std::int64_t>(steps.size()) + disturbed;
    result.disturbed = disturbed;
    result.measured = spreadOf(measured);
    result.around = spreadOf(aroundMs);
    result.replayMedian = spreadOf(errors).median;
    result.passes = spreadOf(passes);
    result.loop = spreadOf(loop);
    result.handOver = spreadOf(handOver);
    result.rest = spreadOf(rest);
    const auto simulated
        = [&](const MeasuredCosts& with) { return makespanMs(program, pipeline, with, with.passTimes(program)); };
    result.forecast = simulated(costs);
    result.forecastWithScatter = withScatter(program, pipeline, costs);
    if (own.hasAllOf(program))
        result.withItsOwnCosts = simulated(own);
    return result;
}

} // namespace pipeloom::executor
