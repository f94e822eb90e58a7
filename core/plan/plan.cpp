// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan.h"

#include "core/check/memory_check.h"
#include "core/check/program_check.h"
#include "core/check/schedule_check.h"
#include "core/plan/reordered.h"
#include "core/plan/split_overhead.h"
#include "core/schedule/repeat.h"
#include "core/simulate/simulator.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

namespace {

/// True if every work of every stage and member is placed, once and in its row: then the order of the block can be tried
/// even if it collides or is early.
bool isComplete(const Findings& findings)
{
    return std::all_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.severity != Severity::Error || finding.rule == "block/collision" || finding.rule == "block/early"
            || (finding.rule == "block/interval" && finding.where.front().device.has_value());
    });
}

std::vector<BackwardUse> backwardUse(const Design& design)
{
    std::vector<BackwardUse> use(static_cast<std::size_t>(design.pipeline.stages));
    const auto note = [&](const Pass& pass) {
        if (pass.stage.value < 0 || pass.stage.value >= design.pipeline.stages)
            return; // the check of the block or the schedule tells
        use[pass.stage.index()].fused |= pass.kind == PassKind::BW;
        use[pass.stage.index()].split |= pass.kind == PassKind::B || pass.kind == PassKind::W;
    };
    if (const BuildingBlock* block = design.block())
        for (const BlockPass& placed : block->passes) {
            note(placed.slot.first);
            note(placed.slot.second);
        }
    if (const Schedule* schedule = design.schedule())
        for (const Slot& slot : schedule->slots) {
            note(slot.first);
            note(slot.second);
        }
    return use;
}

class Planner {
public:
    Planner(const Design& design, const PlanOptions& options)
        : design_(design)
        , stop_(options.stop)
    {
        const Form wanted = design.reorder ? Form::Reordered : Form::Squeezed;
        plan_.form = design.schedule() ? Form::Squeezed : options.form.value_or(wanted);
        plan_.queue = options.queue.value_or(design.network.queue);
        if (design.schedule() && options.form && *options.form != Form::Squeezed)
            plan_.findings.push_back({ "plan/form", Severity::Note, { Place {} }, {},
                fmt::format("An explicit schedule has one form, squeezed; it was asked for {}.", text(*options.form)),
                "Give the design a block to see it raw, squeezed and reordered." });
        plan_.bounds.resize(static_cast<std::size_t>(std::max(design.pipeline.devices, 0)));
    }

    Plan run()
    {
        if (makeOrder() && goesOn())
            makeTimeline();
        std::stable_sort(plan_.findings.begin(), plan_.findings.end(),
            [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
        return std::move(plan_);
    }

private:
    bool makeOrder()
    {
        append(plan_.findings, check(design_.pipeline));
        if (hasErrors(plan_.findings))
            return false;
        append(plan_.findings, check(design_.costs, design_.memory, design_.pipeline, backwardUse(design_)));
        if (const Schedule* schedule = design_.schedule()) {
            plan_.schedule = *schedule;
            return true;
        }
        const BuildingBlock& block = *design_.block();
        Findings findings = check(block, design_.pipeline);
        const bool complete = isComplete(findings);
        append(plan_.findings, std::move(findings));
        if (!complete)
            return false;
        plan_.bounds = bounds(block, design_.pipeline, design_.memory);
        plan_.schedule = repeatedOrder(block, design_.pipeline);
        return true;
    }

    void makeTimeline()
    {
        Findings findings = check(plan_.schedule, design_.pipeline, design_.costs);
        const bool broken = hasErrors(findings);
        append(plan_.findings, std::move(findings));
        if (!goesOn())
            return;
        if (plan_.form == Form::Raw) {
            plan_.timeline = repeat(*design_.block(), design_.pipeline);
            plan_.metrics = metrics(plan_.timeline, design_.memory);
        } else if (broken) {
            return;
        } else if (!takeForm()) {
            return;
        }
        std::vector<Bytes> peaks;
        for (const DeviceMetrics& device : plan_.metrics.devices)
            peaks.push_back(device.peak);
        append(plan_.findings, checkLimits(peaks, design_.memory, design_.pipeline));
        if (std::optional<Finding> note = splitOverhead(design_, plan_.schedule, plan_.metrics))
            plan_.findings.push_back(std::move(*note));
    }

    bool takeForm()
    {
        std::optional<Realised> made = realise(plan_.schedule, design_, plan_.queue);
        if (made)
            plan_.squeezedTicks = made->metrics.makespan();
        if (!goesOn())
            return false;
        if (made && plan_.form == Form::Reordered)
            made = reordered(std::move(*made), design_, plan_.queue);
        if (!made || !goesOn())
            return false;
        append(plan_.findings, check(made->program, design_.pipeline, plan_.queue));
        plan_.schedule = std::move(made->schedule);
        plan_.program = std::move(made->program);
        plan_.timeline = std::move(made->timeline);
        plan_.metrics = std::move(made->metrics);
        return true;
    }

    bool goesOn()
    {
        plan_.stopped = stop_.stop_requested();
        return !plan_.stopped;
    }

    const Design& design_;
    std::stop_token stop_;
    Plan plan_;
};

} // namespace

Plan plan(const Design& design, const PlanOptions& options) { return Planner(design, options).run(); }

const char* text(Form form)
{
    switch (form) {
    case Form::Raw:
        return "raw";
    case Form::Squeezed:
        return "squeezed";
    case Form::Reordered:
        return "reordered";
    }
    return "";
}

} // namespace pipeloom
