// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

namespace {

/// Where a device stands in a step.
struct Standing {
    bool done = false;            ///< it has ended the step
    std::optional<Pass> next;     ///< none: after its last pass
    std::optional<DeviceId> from; ///< its next pass needs something that this device has not made
};

std::vector<Standing> standings(const MeasuredStep& step, const RunPlan& plan)
{
    std::vector<std::uint8_t> told(plan.timeline.passes.size(), 0);
    const auto devices = std::min(step.rows.size(), static_cast<std::size_t>(plan.pipeline.devices));
    for (const MeasuredRow& row : step.rows)
        for (const PassEnded& pass : row.passes)
            if (const std::int32_t at = plan.find(pass.pass); at >= 0)
                told[static_cast<std::size_t>(at)] = 1;
    std::vector<Standing> standing(devices);
    for (std::size_t d = 0; d < devices; ++d) {
        standing[d].done = step.rows[d].ended;
        const auto first = static_cast<std::size_t>(plan.timeline.deviceBegin[d]);
        auto at = static_cast<std::size_t>(plan.timeline.deviceBegin[d + 1]);
        const std::size_t end = at;
        // Behind the last that was told, not the first that was not: single lines may be lost.
        while (at > first && told[at - 1] == 0)
            --at;
        if (at == end)
            continue;
        standing[d].next = plan.timeline.passes[at].pass;
        const std::int32_t message = plan.inputs[at];
        if (message < 0)
            continue;
        const Message& input = plan.program.messages[static_cast<std::size_t>(message)];
        const std::int32_t made = plan.find(input.pass);
        if (made >= 0 && told[static_cast<std::size_t>(made)] == 0)
            standing[d].from = input.from;
    }
    return standing;
}

} // namespace

std::vector<HeldUp> heldUp(const MeasuredStep& step, const RunPlan& plan)
{
    const std::vector<Standing> standing = standings(step, plan);
    const bool someHavePasses
        = std::ranges::any_of(standing, [](const Standing& s) { return !s.done && s.next.has_value(); });
    std::vector<HeldUp> found;
    for (std::size_t d = 0; d < standing.size(); ++d) {
        const Standing& own = standing[d];
        // Who is after its last pass waits for those who are not; if nobody else is, it is what all wait for.
        const bool isHolding = !own.done && !own.from && (own.next || !someHavePasses);
        if (!isHolding)
            continue;
        HeldUp one { DeviceId { d }, own.next, {} };
        std::vector<DeviceId> queue { one.device };
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (std::size_t w = 0; w < standing.size(); ++w)
                if (standing[w].from == queue[i] && std::ranges::find(queue, DeviceId { w }) == queue.end())
                    queue.emplace_back(w);
        for (std::size_t w = 0; w < standing.size(); ++w)
            if (w != d && !standing[w].next && (standing[w].done || someHavePasses))
                queue.emplace_back(w);
        one.waiting.assign(queue.begin() + 1, queue.end());
        found.push_back(std::move(one));
    }
    return found;
}

std::string text(const HeldUp& held)
{
    std::string who;
    for (std::size_t i = 0; i < held.waiting.size(); ++i) {
        if (i > 0)
            who += i + 1 == held.waiting.size() ? " and " : ", ";
        who += std::to_string(held.waiting[i].value);
    }
    std::string said = held.pass ? fmt::format("rank {} has not finished {}", held.device.value, text(*held.pass))
                                 : fmt::format("rank {} has not ended the step", held.device.value);
    if (!who.empty())
        said += held.waiting.size() == 1 ? fmt::format("; rank {} waits", who) : fmt::format("; ranks {} wait", who);
    return said;
}

} // namespace pipeloom
