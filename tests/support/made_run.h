// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs that never were: the events that devices would write if their passes took what a test says.

#include "core/library/library.h"
#include "core/run/run_event.h"
#include "core/run/run_plan.h"
#include "core/simulate/simulator.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace pipeloom::test {

constexpr Nanos milli = 1'000'000;

inline Design libraryDesign(std::string_view name, std::int32_t devices, std::int32_t microBatches)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    return findInLibrary(name)->make(request).design.value();
}

class MadeRun {
public:
    explicit MadeRun(Design design, std::int32_t replicas = 1)
    {
        began_.replicas = replicas;
        began_.design = std::make_shared<const Design>(std::move(design));
        const MadeRunPlan made = runPlan(began_, nullptr);
        if (!made.plan)
            throw std::invalid_argument(made.findings.front().message);
        plan_ = made.plan;
        began_.devices = plan_->pipeline.devices;
        began_.stages = plan_->pipeline.stages;
        began_.microBatches = plan_->pipeline.microBatches;
    }

    [[nodiscard]] const RunBegan& began() const { return began_; }
    [[nodiscard]] const RunPlan& plan() const { return *plan_; }

    /// The order as an executor tells it.
    [[nodiscard]] RunPlanned planned() const
    {
        RunPlanned told;
        for (std::int32_t d = 0; d < began_.devices; ++d) {
            auto& row = told.rows.emplace_back();
            for (const TimedPass& pass : plan_->timeline.row(DeviceId { d })) {
                if (pass.joined)
                    row.back().second = pass.pass;
                else
                    row.push_back({ pass.pass, {} });
            }
        }
        return told;
    }

    /// How long a pass takes; the argument is as planned.
    using Took = std::function<Nanos(const TimedPass&)>;

    [[nodiscard]] Timeline timeline(const Took& took = {}, Nanos transfer = 0) const
    {
        std::vector<Ticks> times;
        for (const TimedPass& pass : plan_->timeline.passes)
            times.push_back(took ? took(pass) : pass.end - pass.start);
        const std::vector<Ticks> transfers(plan_->program.messages.size(), transfer);
        return simulate(plan_->program, plan_->pipeline, OwnTimes { times, transfers }, QueueModel::Directed).value();
    }

    /// A step by device, each device's events in the order in which it writes them.
    [[nodiscard]] std::vector<std::vector<RunEvent>> step(
        std::int64_t step, Nanos begin, const Timeline& times, Bytes peak = 1000) const
    {
        std::vector<std::vector<RunEvent>> rows;
        for (std::int32_t d = 0; d < began_.devices; ++d) {
            const DeviceId device { d };
            std::vector<RunEvent> row;
            for (const TimedPass& pass : times.row(device))
                row.emplace_back(
                    PassEnded { step, device, pass.pass, begin + pass.start, begin + pass.end, pass.joined, 0 });
            for (const TimedTransfer& one : times.transfers)
                if (one.to == device)
                    row.emplace_back(
                        TransferEnded { step, one.pass, one.from, one.to, begin + one.start, begin + one.end });
            std::ranges::stable_sort(row, {}, [](const RunEvent& event) { return timeOf(event).value(); });
            row.insert(row.begin(), StepBegan { step, device, begin });
            row.emplace_back(MemoryPeaked { step, device, peak });
            rows.push_back(std::move(row));
        }
        return rows;
    }

    [[nodiscard]] static Nanos length(const Timeline& times)
    {
        Nanos last = 0;
        for (const TimedPass& pass : times.passes)
            last = std::max(last, pass.end);
        return last;
    }

    [[nodiscard]] static StepEnded ended(std::int64_t step, const Timeline& times, Nanos more = 0)
    {
        return { step, 2.5, static_cast<double>(length(times) + more) / static_cast<double>(milli) };
    }

private:
    RunBegan began_;
    RunPlanPtr plan_;
};

/// The whole step into something that has add().
template <class Log>
void addStep(Log& log, const MadeRun& run, std::int64_t step, Nanos begin, const Timeline& times, Nanos more = 0)
{
    for (auto& row : run.step(step, begin, times))
        for (RunEvent& event : row)
            log.add(std::move(event));
    log.add(MadeRun::ended(step, times, more));
}

} // namespace pipeloom::test
