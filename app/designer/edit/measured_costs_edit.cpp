// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/measured_costs_edit.h"

#include "app/designer/edit/finished.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pipeloom::designer {

namespace {

/// Why costs of one pipeline are none of the other; empty: they are.
std::string difference(const Pipeline& design, const Pipeline& run)
{
    if (design.devices != run.devices)
        return fmt::format("The run was on {} devices, the design has {}.", run.devices, design.devices);
    if (design.stages != run.stages)
        return fmt::format("The run had {} stages, the design has {}.", run.stages, design.stages);
    if (design.routes != run.routes)
        return "The run had its stages on other devices than the design.";
    return {};
}

/// The highest 1, 2 or 5 times a power of ten that is a hundredth of the shortest pass or less; in microseconds.
double tickFor(double shortestNs)
{
    const double most = std::max(shortestNs, 1.0) / 1000 / 100;
    const double exponent = std::floor(std::log10(most));
    // Divided by whole powers of ten, so that it reads back as the short number that it is.
    const auto times = [&](double digit) {
        return exponent < 0 ? digit / std::pow(10.0, -exponent) : digit * std::pow(10.0, exponent);
    };
    for (const double digit : { 5.0, 2.0 })
        if (times(digit) <= most)
            return times(digit);
    return times(1.0);
}

/// Times of the four kinds of a stage in ns; a missing one follows from the others. Empty: it cannot.
std::optional<std::array<double, passKinds>> timesOf(const Design& design, const CostsOfRun& costs, StageId stage)
{
    const auto measured = [&](PassKind kind) -> std::optional<double> {
        const CostFigure figure = costs.passes.of(kind, stage);
        return figure.steps > 0 ? std::optional(figure.median + costs.between[stage.index()]) : std::nullopt;
    };
    const std::optional<double> forward = measured(PassKind::F);
    std::optional<double> input = measured(PassKind::B);
    std::optional<double> weights = measured(PassKind::W);
    std::optional<double> both = measured(PassKind::BW);
    if (!both && input && weights)
        both = *input + *weights;
    if (both && (!input || !weights)) {
        const auto b = static_cast<double>(design.costs.ticks.of(PassKind::B, stage));
        const auto w = static_cast<double>(design.costs.ticks.of(PassKind::W, stage));
        const double share = b + w > 0 ? b / (b + w) : 0.5;
        input = input.value_or(*both * share);
        weights = weights.value_or(*both * (1 - share));
    }
    if (!forward || !both)
        return std::nullopt;
    return std::array<double, passKinds> { *forward, *input, *weights, *both };
}

void setTransfers(Network& network, const CostsOfRun& costs, double tickUs)
{
    std::vector<double> known;
    for (const CostFigure& boundary : costs.transfers)
        if (boundary.steps > 0)
            known.push_back(boundary.median);
    std::sort(known.begin(), known.end());
    // Stages that lie on one device hand over for nothing; if they were apart it would cost what it costs the others.
    const double usual = known.empty() ? 0 : known[known.size() / 2];
    network.latency = 0;
    network.bytesPerTick = 0;
    network.transfer.clear();
    for (const CostFigure& boundary : costs.transfers)
        network.transfer.push_back(std::llround((boundary.steps > 0 ? boundary.median : usual) / 1000 / tickUs));
}

} // namespace

Edited useMeasuredCosts(const Design& design, const CostsOfRun& costs, const Pipeline& ofDesign)
{
    if (costs.steps < 1)
        return refused("No step of the run has ended yet.");
    if (std::string why = difference(design.pipeline, ofDesign); !why.empty())
        return refused(std::move(why));
    std::vector<std::array<double, passKinds>> times;
    double shortest = std::numeric_limits<double>::max();
    for (std::int32_t s = 0; s < design.pipeline.stages; ++s) {
        const auto found = timesOf(design, costs, StageId { s });
        if (!found)
            return refused(fmt::format("The run has no single forward or backward of stage {} to measure.", s));
        times.push_back(*found);
        shortest = std::min(shortest, *std::min_element(found->begin(), found->end()));
    }
    Design edited = design;
    const double tickUs = tickFor(shortest);
    edited.costs.tickUs = tickUs;
    for (std::size_t kind = 0; kind < passKinds; ++kind)
        for (std::size_t s = 0; s < times.size(); ++s)
            edited.costs.ticks.values[kind][s] = std::llround(times[s][kind] / 1000 / tickUs);
    edited.costs.pair.reset();
    if (costs.pair.steps > 0)
        edited.costs.pair = std::llround(costs.pair.median / 1000 / tickUs);
    setTransfers(edited.network, costs, tickUs);
    return finished(std::move(edited),
        costs.steps == 1 ? std::string("Costs measured in 1 step")
                         : fmt::format("Costs measured in {} steps", costs.steps));
}

} // namespace pipeloom::designer
