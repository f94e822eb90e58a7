// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/simulate_text.h"

#include "app/cli/text/paint.h"
#include "app/cli/text/path_text.h"
#include "app/cli/text/quantity.h"
#include "app/cli/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace pipeloom::cli {

namespace {

std::string timeText(Ticks ticks, const Design& design)
{
    return fmt::format("{} ({})", ticksText(ticks), durationText(ticks, design.costs.tickUs));
}

/// The four figures of a step, each with what it means.
std::string figuresText(const Design& design, const Plan& plan, const Terminal& terminal)
{
    const Metrics& metrics = plan.metrics;
    Table table;
    table.columns = { { .heading = "" }, { .heading = "" }, { .heading = "", .wraps = true } };
    table.rows = {
        { "step time", timeText(metrics.makespan(), design), "from the first start to the last end of all devices" },
        { "own span", timeText(metrics.ownSpan, design), "the longest of a single device" },
        { "idle share", percentText(metrics.idleShare()),
            "1 - busy / (devices x step time): what a step costs when devices synchronise at its end" },
        { "own-span bubble", percentText(metrics.ownSpanBubble()),
            "1 - longest busy time / own span: what it costs when they need not" },
    };
    for (std::vector<std::string>& row : table.rows)
        row[1] = paint(row[1], Ink::Strong, terminal.colours);
    const std::string text = table.text(terminal);
    return text.substr(text.find('\n') + 1); // it needs no headings
}

} // namespace

std::string formText(const Plan& plan)
{
    if (plan.form == Form::Raw)
        return "raw (the block repeated as it is drawn, no network)";
    return fmt::format("{}, queue {}", text(plan.form), text(plan.queue));
}

std::string devicesText(const Design& design, const Plan& plan, const Terminal& terminal)
{
    Table table;
    for (const char* heading : { "device", "busy", "idle", "idle share", "span", "peak", "bound", "limit" })
        table.columns.push_back({ .heading = heading, .align = Align::Right });
    for (std::size_t d = 0; d < plan.metrics.devices.size(); ++d) {
        const DeviceMetrics& device = plan.metrics.devices[d];
        const std::optional<Bytes> limit = design.memory.limit[d];
        const bool isOver = limit && device.peak > *limit;
        const std::string peak = memoryText(device.peak, design.memory.unit);
        table.rows.push_back({
            std::to_string(d),
            std::to_string(device.busy),
            std::to_string(plan.metrics.makespan() - device.busy),
            percentText(plan.metrics.idleShare(DeviceId(d))),
            std::to_string(device.span()),
            isOver ? paint(peak, Ink::Error, terminal.colours) : peak,
            memoryText(d < plan.bounds.size() ? plan.bounds[d] : std::nullopt, design.memory.unit),
            memoryText(limit, design.memory.unit),
        });
    }
    const char* unit = design.memory.unit == MemoryUnit::Activation ? "activations" : "bytes";
    return table.text(terminal) + fmt::format("  Times in ticks; peak, bound and limit of memory in {}.\n", unit);
}

std::string simulateText(
    const Design& design, const Plan& plan, const std::vector<PathStep>& path, const Terminal& terminal)
{
    std::string text = paint(headline(design), Ink::Strong, terminal.colours) + '\n';
    text += "Form " + formText(plan) + "\n\n";
    text += figuresText(design, plan, terminal) + '\n';
    text += devicesText(design, plan, terminal) + '\n';
    text += pathText(path, plan.metrics.makespan(), terminal);
    return text;
}

} // namespace pipeloom::cli
