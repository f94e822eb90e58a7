// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_figures.h"
#include "core/simulate/simulator.h"

#include <algorithm>
#include <cmath>

namespace pipeloom {

namespace {

/// Measured against planned time of one device, by kind and in all.
struct DeviceDrift {
    std::array<double, passKinds> measured {};
    std::array<double, passKinds> planned {};

    void add(PassKind kind, double took, double should)
    {
        measured[index(kind)] += took;
        planned[index(kind)] += should;
    }
    [[nodiscard]] double ratio(PassKind kind) const
    {
        return planned[index(kind)] > 0 ? measured[index(kind)] / planned[index(kind)] : 0;
    }
    [[nodiscard]] double ratio() const
    {
        double took = 0;
        double should = 0;
        for (std::size_t kind = 0; kind < passKinds; ++kind) {
            took += measured[kind];
            should += planned[kind];
        }
        return should > 0 ? took / should : 0;
    }
};

double lowerMedian(std::vector<double> values)
{
    std::ranges::sort(values);
    return values.empty() ? 0 : values[(values.size() - 1) / 2];
}

/// How each device did against plan: of the steps the median, so that one that was held up once does not count as slow.
std::vector<DeviceDrift> byDevice(std::span<const MeasuredStepPtr> steps, const RunPlan& plan)
{
    const auto devices = static_cast<std::size_t>(plan.pipeline.devices);
    std::vector<std::vector<DeviceDrift>> each(devices);
    for (const MeasuredStepPtr& step : steps)
        for (std::size_t d = 0; d < std::min(devices, step->rows.size()); ++d) {
            DeviceDrift one;
            for (const PassEnded& pass : step->rows[d].passes)
                if (const std::int32_t at = plan.find(pass.pass); at >= 0) {
                    const TimedPass& should = plan.timeline.passes[static_cast<std::size_t>(at)];
                    one.add(pass.pass.kind, static_cast<double>(pass.end - pass.start),
                        static_cast<double>(should.end - should.start));
                }
            each[d].push_back(one);
        }
    std::vector<DeviceDrift> middle(devices);
    for (std::size_t d = 0; d < devices; ++d) {
        auto& all = each[d];
        if (all.empty())
            continue;
        const auto at = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
        std::ranges::nth_element(all, at, {}, [](const DeviceDrift& drift) { return drift.ratio(); });
        middle[d] = *at;
    }
    return middle;
}

/// The plan's order with every pass as long as such passes really take, those of one device as long as if it were not slow.
Ticks makespanWith(const RunPlan& plan, const Drift& drift, double base, std::optional<DeviceId> mended, double slower)
{
    std::vector<Ticks> times;
    for (std::int32_t d = 0; d < plan.timeline.devices(); ++d)
        for (const TimedPass& pass : plan.timeline.row(DeviceId { d })) {
            double ratio = drift.ratio.of(pass.pass.kind, pass.pass.stage);
            if (ratio <= 0)
                ratio = base;
            if (mended && mended->value == d)
                ratio /= 1 + slower;
            times.push_back(std::llround(static_cast<double>(pass.end - pass.start) * ratio));
        }
    std::vector<Ticks> transfers(plan.program.messages.size(), 0);
    for (std::size_t m = 0; m < std::min(transfers.size(), plan.timeline.transfers.size()); ++m)
        transfers[m] = plan.timeline.transfers[m].end - plan.timeline.transfers[m].start;
    const auto timeline = simulate(plan.program, plan.pipeline, OwnTimes { times, transfers }, QueueModel::Directed);
    Ticks last = 0;
    if (timeline)
        for (const TimedPass& pass : timeline->passes)
            last = std::max(last, pass.end);
    return last;
}

} // namespace

std::vector<Straggler> stragglers(std::span<const MeasuredStepPtr> steps, const RunPlan& plan, double from)
{
    constexpr std::size_t least = 3;
    std::vector<Straggler> found;
    if (steps.size() < least || plan.pipeline.devices < 2)
        return found;
    const std::vector<DeviceDrift> devices = byDevice(steps, plan);
    std::vector<double> ratios;
    for (const DeviceDrift& device : devices)
        ratios.push_back(device.ratio());
    const double base = lowerMedian(ratios);
    if (!(base > 0))
        return found;
    std::optional<Drift> all;
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const double slower = ratios[d] / base - 1;
        if (slower < from)
            continue;
        if (!all)
            all = drift(steps, plan);
        Straggler one { DeviceId { d }, base, slower, {}, 0, {} };
        double worst = 0;
        for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW }) {
            if (devices[d].ratio(kind) / base - 1 >= from)
                one.kinds.push_back(kind);
            for (const StageId stage : plan.pipeline.stagesOn(one.device))
                if (all->ratio.of(kind, stage) > worst) {
                    worst = all->ratio.of(kind, stage);
                    one.worst = { stage, MicroBatch {}, kind };
                }
        }
        constexpr double nanosPerMs = 1e6;
        one.stepMs = static_cast<double>(makespanWith(plan, *all, base, std::nullopt, 0)
                         - makespanWith(plan, *all, base, one.device, slower))
            / nanosPerMs;
        found.push_back(std::move(one));
    }
    return found;
}

} // namespace pipeloom
