// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_figures.h"

#include <algorithm>
#include <cmath>

namespace pipeloom {

namespace {

bool isOf(const Pipeline& pipeline, const Pass& pass)
{
    return pass.stage.value < pipeline.stages && pass.microBatch.value < pipeline.microBatches;
}

/// The transfers of a step by the pass that made their data.
class Transfers {
public:
    Transfers(const MeasuredStep& step, const Pipeline& pipeline)
        : step_(step)
        , pipeline_(pipeline)
        , of_(static_cast<std::size_t>(pipeline.stages) * static_cast<std::size_t>(pipeline.microBatches) * 3, -1)
    {
        for (std::size_t i = 0; i < step.transfers.size(); ++i)
            if (isOf(pipeline, step.transfers[i].pass))
                of_[placeOf(pipeline, step.transfers[i].pass)] = static_cast<std::int32_t>(i);
    }
    [[nodiscard]] const TransferEnded* of(const Pass& pass) const
    {
        const std::int32_t i = of_[placeOf(pipeline_, pass)];
        return i < 0 ? nullptr : &step_.transfers[static_cast<std::size_t>(i)];
    }

private:
    const MeasuredStep& step_;
    const Pipeline& pipeline_;
    std::vector<std::int32_t> of_;
};

Nanos endOf(const MeasuredStep& step)
{
    const Nanos latest = step.latest();
    if (!step.ended)
        return latest;
    constexpr double nanosPerMs = 1e6;
    return std::max(latest, step.began().value_or(0) + Nanos { std::llround(step.ended->stepMs * nanosPerMs) });
}

/// Splits the gap before a pass into waiting, transfer and own.
void splitGap(TimeSplit& split, Nanos from, Nanos to, const TransferEnded* input, bool needsInput)
{
    if (to <= from)
        return;
    if (needsInput && !input) { // its transfer was not told
        split.waiting += to - from;
        return;
    }
    const Nanos started = input ? std::clamp(input->start, from, to) : from;
    const Nanos arrived = input ? std::clamp(input->end, from, to) : from;
    split.waiting += started - from;
    split.transfer += arrived - started;
    split.own += to - arrived;
    split.between += to - arrived;
}

double median(std::vector<double>& values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double quantile(std::vector<double>& values, double share)
{
    const auto at = static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

Nanos middleOf(std::span<const std::vector<TimeSplit>> steps, std::size_t device, Nanos TimeSplit::*part)
{
    std::vector<double> values;
    for (const auto& step : steps)
        values.push_back(static_cast<double>(step[device].*part));
    return std::llround(median(values));
}

} // namespace

std::vector<TimeSplit> timeSplit(const MeasuredStep& step, const RunPlan& plan)
{
    std::vector<TimeSplit> splits(step.rows.size());
    const Nanos begin = step.began().value_or(0);
    const Nanos end = endOf(step);
    const Transfers transfers(step, plan.pipeline);
    Nanos lastOfAll = begin;
    for (const MeasuredRow& row : step.rows)
        for (const PassEnded& pass : row.passes)
            lastOfAll = std::max(lastOfAll, pass.end);
    for (std::size_t d = 0; d < step.rows.size(); ++d) {
        const MeasuredRow& row = step.rows[d];
        TimeSplit& split = splits[d];
        split.step = end - begin;
        split.peak = row.peak.value_or(-1);
        Nanos free = row.began.value_or(begin);
        split.waiting += free - begin;
        for (const PassEnded& pass : row.passes) {
            const std::int32_t at = plan.find(pass.pass);
            const std::int32_t message = at < 0 ? -1 : plan.inputs[static_cast<std::size_t>(at)];
            const TransferEnded* input
                = message < 0 ? nullptr : transfers.of(plan.program.messages[static_cast<std::size_t>(message)].pass);
            splitGap(split, free, pass.start, input, message >= 0);
            split.compute += std::max<Nanos>(0, pass.end - std::max(free, pass.start)); // a pair counts once
            free = std::max(free, pass.end);
        }
        // After its last pass a device waits for the others' last; what comes then (sums, the optimizer's step) is its own.
        const Nanos met = std::max(free, lastOfAll);
        split.waiting += met - free;
        split.own += end - met;
    }
    return splits;
}

std::vector<TimeSplit> timeSplit(std::span<const MeasuredStepPtr> steps, const RunPlan& plan)
{
    std::vector<std::vector<TimeSplit>> each;
    for (const MeasuredStepPtr& step : steps)
        each.push_back(timeSplit(*step, plan));
    std::vector<TimeSplit> middle(each.empty() ? 0 : each.front().size());
    for (std::size_t d = 0; d < middle.size(); ++d) {
        TimeSplit& split = middle[d];
        for (Nanos TimeSplit::*part :
            { &TimeSplit::compute, &TimeSplit::transfer, &TimeSplit::own, &TimeSplit::between, &TimeSplit::step })
            split.*part = middleOf(each, d, part);
        // Medians of parts do not add up to that of the whole; what has no cause of its own takes the difference.
        split.waiting = split.step - split.compute - split.transfer - split.own;
        if (split.waiting < 0) {
            split.own = std::max<Nanos>(0, split.own + split.waiting);
            split.waiting = std::max<Nanos>(0, split.step - split.compute - split.transfer - split.own);
            split.step = split.compute + split.transfer + split.own + split.waiting;
        }
        for (const auto& step : each)
            split.peak = std::max(split.peak, step[d].peak);
    }
    return middle;
}

namespace {

template <class Number> ByKindAndStage<Number> tableFor(std::int32_t stages)
{
    ByKindAndStage<Number> table;
    for (auto& byStage : table.values)
        byStage.resize(static_cast<std::size_t>(stages));
    return table;
}

template <class Number> Number& at(ByKindAndStage<Number>& table, const Pass& pass)
{
    return table.values[index(pass.kind)][pass.stage.index()];
}

/// Gathers pass times of several steps.
class DriftSamples {
public:
    explicit DriftSamples(const RunPlan& plan)
        : plan_(plan)
    {
        for (const TimedPass& pass : plan.timeline.passes) {
            at(planned_, pass.pass) += static_cast<double>(pass.end - pass.start);
            ++at(plannedCount_, pass.pass);
        }
    }

    void add(const MeasuredStep& step)
    {
        auto sum = tableFor<double>(plan_.pipeline.stages);
        auto count = tableFor<int>(plan_.pipeline.stages);
        for (const MeasuredRow& row : step.rows)
            for (const PassEnded& pass : row.passes) {
                const std::int32_t found = plan_.find(pass.pass);
                if (found < 0)
                    continue;
                const TimedPass& should = plan_.timeline.passes[static_cast<std::size_t>(found)];
                const auto time = static_cast<double>(pass.end - pass.start);
                at(sum, pass.pass) += time;
                ++at(count, pass.pass);
                at(all_, pass.pass).push_back(time);
                measuredInAll_ += time;
                plannedInAll_ += static_cast<double>(should.end - should.start);
            }
        for (std::size_t kind = 0; kind < passKinds; ++kind)
            for (std::size_t s = 0; s < sum.values[kind].size(); ++s)
                if (count.values[kind][s] > 0)
                    means_.values[kind][s].push_back(sum.values[kind][s] / count.values[kind][s]);
    }

    [[nodiscard]] Drift drift(std::int64_t steps)
    {
        Drift found { tableFor<double>(plan_.pipeline.stages), tableFor<double>(plan_.pipeline.stages), 0, steps };
        for (std::size_t kind = 0; kind < passKinds; ++kind)
            for (std::size_t s = 0; s < found.ratio.values[kind].size(); ++s) {
                const int count = plannedCount_.values[kind][s];
                const double should = count > 0 ? planned_.values[kind][s] / count : 0;
                const double middle = median(means_.values[kind][s]);
                auto& samples = all_.values[kind][s];
                found.ratio.values[kind][s] = should > 0 ? middle / should : 0;
                if (middle > 0)
                    found.spread.values[kind][s] = (quantile(samples, 0.9) - quantile(samples, 0.1)) / median(samples);
            }
        found.overall = plannedInAll_ > 0 ? measuredInAll_ / plannedInAll_ : 0;
        return found;
    }

private:
    const RunPlan& plan_;
    ByKindAndStage<double> planned_ = tableFor<double>(plan_.pipeline.stages);
    ByKindAndStage<int> plannedCount_ = tableFor<int>(plan_.pipeline.stages);
    ByKindAndStage<std::vector<double>> means_ = tableFor<std::vector<double>>(plan_.pipeline.stages);
    ByKindAndStage<std::vector<double>> all_ = tableFor<std::vector<double>>(plan_.pipeline.stages);
    double measuredInAll_ = 0;
    double plannedInAll_ = 0;
};

} // namespace

Drift drift(std::span<const MeasuredStepPtr> steps, const RunPlan& plan)
{
    DriftSamples samples(plan);
    for (const MeasuredStepPtr& step : steps)
        samples.add(*step);
    return samples.drift(static_cast<std::int64_t>(steps.size()));
}

std::optional<Nanos> lateness(const PassEnded& pass, const MeasuredStep& step, const RunPlan& plan)
{
    const std::int32_t at = plan.find(pass.pass);
    if (at < 0)
        return std::nullopt;
    return pass.start - step.began().value_or(0) - plan.timeline.passes[static_cast<std::size_t>(at)].start;
}

} // namespace pipeloom
