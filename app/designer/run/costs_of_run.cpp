// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/costs_of_run.h"

#include "core/simulate/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pipeloom::designer {

namespace {

CostFigure figureOf(std::vector<double> means)
{
    CostFigure figure;
    figure.steps = std::ssize(means);
    if (means.empty())
        return figure;
    std::sort(means.begin(), means.end());
    const auto at = [&means](double share) {
        const double place = share * static_cast<double>(means.size() - 1);
        const auto before = static_cast<std::size_t>(place);
        const std::size_t behind = std::min(before + 1, means.size() - 1);
        return means[before] + (place - std::floor(place)) * (means[behind] - means[before]);
    };
    figure.median = at(0.5);
    figure.low = at(0.1);
    figure.high = at(0.9);
    return figure;
}

/// Sum and number, for a mean of one step.
struct Mean {
    double sum = 0;
    double count = 0;

    void add(Nanos time)
    {
        sum += static_cast<double>(time);
        ++count;
    }
    void appendTo(std::vector<double>& means) const
    {
        if (count > 0)
            means.push_back(sum / count);
    }
};

struct Samples {
    ByKindAndStage<std::vector<double>> passes;
    std::vector<double> pairs;
    std::vector<std::vector<double>> transfers;

    explicit Samples(const Pipeline& pipeline)
        : transfers(static_cast<std::size_t>(std::max(pipeline.stages - 1, 0)))
    {
        for (auto& stages : passes.values)
            stages.resize(static_cast<std::size_t>(pipeline.stages));
    }

    void add(const MeasuredStep& step)
    {
        ByKindAndStage<Mean> means;
        for (std::size_t kind = 0; kind < passKinds; ++kind)
            means.values[kind].resize(passes.values[kind].size());
        Mean pair;
        for (const MeasuredRow& row : step.rows)
            for (std::size_t i = 0; i < row.passes.size(); ++i) {
                const PassEnded& pass = row.passes[i];
                const bool isSecond = pass.joined;
                const bool isFirst = i + 1 < row.passes.size() && row.passes[i + 1].joined;
                if (isSecond || isFirst) {
                    if (isFirst)
                        pair.add(pass.end - pass.start);
                } else {
                    means.values[index(pass.pass.kind)][pass.pass.stage.index()].add(pass.end - pass.start);
                }
            }
        std::vector<Mean> ways(transfers.size());
        for (const TransferEnded& transfer : step.transfers) {
            const std::int32_t stage = transfer.pass.stage.value;
            const std::int32_t boundary = transfer.pass.kind == PassKind::F ? stage : stage - 1;
            if (boundary >= 0 && static_cast<std::size_t>(boundary) < ways.size())
                ways[static_cast<std::size_t>(boundary)].add(transfer.end - transfer.start);
        }
        for (std::size_t kind = 0; kind < passKinds; ++kind)
            for (std::size_t s = 0; s < passes.values[kind].size(); ++s)
                means.values[kind][s].appendTo(passes.values[kind][s]);
        pair.appendTo(pairs);
        for (std::size_t boundary = 0; boundary < ways.size(); ++boundary)
            ways[boundary].appendTo(transfers[boundary]);
    }
};

/// By stage what its devices take behind each pass, their mean.
std::vector<double> betweenByStage(std::span<const MeasuredStepPtr> steps, const RunPlan& plan)
{
    std::vector<double> behind;
    const std::vector<TimeSplit> split = timeSplit(steps, plan);
    for (std::int32_t d = 0; d < plan.pipeline.devices; ++d) {
        const auto passes = static_cast<double>(plan.timeline.row(DeviceId { d }).size());
        const auto at = static_cast<std::size_t>(d);
        behind.push_back(at < split.size() && passes > 0 ? static_cast<double>(split[at].between) / passes : 0);
    }
    std::vector<double> between;
    for (std::int32_t s = 0; s < plan.pipeline.stages; ++s) {
        const std::vector<DeviceId> devices = plan.pipeline.devicesOf(StageId { s });
        double sum = 0;
        for (const DeviceId device : devices)
            sum += behind[device.index()];
        between.push_back(devices.empty() ? 0 : sum / static_cast<double>(devices.size()));
    }
    return between;
}

Nanos makespanOf(const MeasuredStep& step)
{
    Nanos first = std::numeric_limits<Nanos>::max();
    Nanos last = std::numeric_limits<Nanos>::min();
    for (const MeasuredRow& row : step.rows)
        for (const PassEnded& pass : row.passes) {
            first = std::min(first, pass.start);
            last = std::max(last, pass.end);
        }
    return last > first ? last - first : 0;
}

/// Simulated in ms; none: it does not run to its end.
std::optional<double> simulatedMs(const RunPlan& plan, const CostsOfRun& costs, bool withBetween, bool withTransfers)
{
    Costs table = unitCosts(plan.pipeline.stages);
    table.tickUs = 0.001;
    for (std::size_t kind = 0; kind < passKinds; ++kind)
        for (std::size_t s = 0; s < table.ticks.values[kind].size(); ++s)
            table.ticks.values[kind][s]
                = std::llround(costs.passes.values[kind][s].median + (withBetween ? costs.between[s] : 0));
    if (costs.pair.steps > 0)
        table.pair = std::llround(costs.pair.median);
    Network network = freeNetwork(plan.pipeline.stages);
    for (std::size_t boundary = 0; withTransfers && boundary < network.transfer.size(); ++boundary)
        network.transfer[boundary] = std::llround(costs.transfers[boundary].median);
    Simulator simulator;
    Timeline timeline;
    if (!simulator.run(plan.program, plan.pipeline, table, network, QueueModel::Directed, timeline))
        return std::nullopt;
    Ticks first = std::numeric_limits<Ticks>::max();
    Ticks last = 0;
    for (const TimedPass& pass : timeline.passes) {
        first = std::min(first, pass.start);
        last = std::max(last, pass.end);
    }
    return timeline.passes.empty() ? 0 : static_cast<double>(last - first) / 1e6;
}

} // namespace

CostsOfRun costsOfRun(std::span<const MeasuredStepPtr> steps, const RunPlan& plan)
{
    Samples samples(plan.pipeline);
    for (const MeasuredStepPtr& step : steps)
        samples.add(*step);
    CostsOfRun costs;
    costs.pipeline = plan.pipeline;
    costs.steps = std::ssize(steps);
    for (std::size_t kind = 0; kind < passKinds; ++kind)
        for (std::vector<double>& means : samples.passes.values[kind])
            costs.passes.values[kind].push_back(figureOf(std::move(means)));
    costs.pair = figureOf(std::move(samples.pairs));
    for (std::vector<double>& means : samples.transfers)
        costs.transfers.push_back(figureOf(std::move(means)));
    costs.between = betweenByStage(steps, plan);
    return costs;
}

std::optional<ExplainedStep> explainedStep(
    std::span<const MeasuredStepPtr> steps, const RunPlan& plan, const CostsOfRun& costs)
{
    std::vector<double> spans;
    for (const MeasuredStepPtr& step : steps)
        spans.push_back(static_cast<double>(makespanOf(*step)) / 1e6);
    const std::optional<double> passes = simulatedMs(plan, costs, false, false);
    const std::optional<double> between = simulatedMs(plan, costs, true, false);
    const std::optional<double> all = simulatedMs(plan, costs, true, true);
    if (spans.empty() || !passes || !between || !all)
        return std::nullopt;
    ExplainedStep explained;
    explained.measured = figureOf(std::move(spans)).median;
    explained.passes = *passes;
    explained.between = *between - *passes;
    explained.transfer = *all - *between;
    explained.rest = explained.measured - *all;
    return explained;
}

} // namespace pipeloom::designer
