// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drawing/schedule_drawing.h"

#include "app/cli/text/paint.h"
#include "app/cli/text/quantity.h"
#include "app/cli/text/simulate_text.h"
#include "app/cli/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace pipeloom::cli {

namespace {

Chart chartOf(const Design& design, const Plan& plan)
{
    Chart chart;
    chart.labels = Labels::ofSchedule(design.pipeline);
    chart.end = plan.metrics.lastEnd;
    for (std::int32_t d = 0; d < plan.timeline.devices(); ++d) {
        const DeviceId device(d);
        chart.lanes.push_back({
            .device = device,
            .passes = plan.timeline.row(device),
            .levels = memoryOverTime(plan.timeline, design.memory, device),
            .limit = design.memory.limit[device.index()],
        });
    }
    return chart;
}

constexpr std::int64_t mostNumberColumns = 6;

/// Numbers where they are short, as activations are; else columns.
StripStyle stripStyleOf(const Chart& chart, const MemoryModel& memory, const LaneStyle& style)
{
    StripStyle strip;
    for (const Lane& lane : chart.lanes)
        for (const LevelChange& change : lane.levels)
            strip.full = std::max(strip.full, change.level);
    strip.base = strip.full;
    for (std::size_t d = 0; d < chart.lanes.size(); ++d)
        strip.base = std::min(strip.base, memory.fixed[d] + memory.communication[d]);

    const auto columns = static_cast<std::int64_t>(std::to_string(strip.full).size()) + 1;
    strip.numbers = memory.unit == MemoryUnit::Activation && columns <= mostNumberColumns;
    strip.cell = (columns + style.cell - 1) / style.cell * style.cell;
    return strip;
}

std::string stripText(const StripStyle& strip, MemoryUnit unit)
{
    if (strip.numbers)
        return " holds: activations, at their most.";
    if (strip.base <= 0)
        return fmt::format(" holds: memory, at its most; the highest column is {}.", memoryText(strip.full, unit));
    return fmt::format(" holds: memory, at its most; columns go from {} (static) to {}, receive buffers left out.",
        memoryText(strip.base, unit), memoryText(strip.full, unit));
}

std::string kindsText(const Timeline& timeline, const LaneStyle& style)
{
    const char* both
        = style.scale.columns == 1 ? "BW both gradients (X where there is little room)" : "BW both gradients";
    const std::array<const char*, passKinds> meanings { "F forward", "B gradient of the input",
        "W gradient of the weights", both };
    std::array<bool, passKinds> drawn {};
    for (const TimedPass& pass : timeline.passes)
        drawn[index(pass.pass.kind)] = true;
    std::vector<std::string> kinds;
    for (std::size_t kind = 0; kind < drawn.size(); ++kind)
        if (drawn[kind])
            kinds.emplace_back(meanings[kind]);
    return fmt::format("{}.", fmt::join(kinds, ", "));
}

std::string keyText(const Design& design, const Plan& plan, const Chart& chart, const Layout& layout)
{
    std::string key = kindsText(plan.timeline, layout.style);
    if (layout.style.detail == Detail::Shares)
        key += " Each column shows what takes most of it.";
    else if (chart.labels.tellsStagesByLetters())
        key += " Capitals: the first stage of a device; small letters: its second.";
    if (layout.labelled)
        key += chart.labels.tellsStages() ? " Before it the stage, behind it the micro-batch."
                                          : " The number is the micro-batch.";
    key += fmt::format(" Drawn so that {}.", text(layout.style.scale));
    key += stripText(chart.strip, design.memory.unit);
    if (const auto none
        = std::ranges::count_if(plan.timeline.passes, [](const TimedPass& p) { return p.start == p.end; });
        none > 0)
        key += fmt::format(" Not drawn: {} of no length.", none == 1 ? "1 pass" : fmt::format("{} passes", none));
    return key;
}

void writeWrapped(const std::string& paragraph, const Terminal& terminal, Output& out)
{
    for (const std::string& line : wrap(paragraph, terminal.width))
        out.write(paint(line, Ink::Faint, terminal.colours) + '\n');
}

void writeRemainder(const Layout& layout, Output& out)
{
    if (const std::string remainder = remainderText(layout); !remainder.empty())
        out.write('\n' + remainder + '\n');
}

} // namespace

void drawSchedule(const Design& design, const Plan& plan, const View& view, const Terminal& terminal, Output& out)
{
    Chart chart = chartOf(design, plan);
    const Layout layout = layOut(chart, view, terminal);
    chart.strip = stripStyleOf(chart, design.memory, layout.style);

    out.write(paint("Schedule", Ink::Strong, terminal.colours) + fmt::format(": {}\n", formText(plan)));
    out.write(fmt::format("Step {}, idle share {}, own-span bubble {}\n\n", ticksText(plan.metrics.makespan()),
        percentText(plan.metrics.idleShare()), percentText(plan.metrics.ownSpanBubble())));
    draw(chart, layout, out);
    writeRemainder(layout, out);
    out.write("\n");
    writeWrapped(keyText(design, plan, chart, layout), terminal, out);
    out.write("\n" + devicesText(design, plan, terminal));
}

void drawOrder(const Design& design, const Plan& plan, const View& view, const Terminal& terminal, Output& out)
{
    std::vector<std::vector<TimedPass>> rows(static_cast<std::size_t>(plan.schedule.devices()));
    Chart chart;
    chart.unit = "slot";
    chart.labels = Labels::ofSchedule(design.pipeline);
    for (std::size_t d = 0; d < rows.size(); ++d) {
        for (const Slot& slot : plan.schedule.row(DeviceId(d))) {
            const auto position = static_cast<Ticks>(rows[d].empty() ? 0 : rows[d].back().end);
            rows[d].push_back({ .start = position, .end = position + 1, .pass = slot.first, .joined = false });
            if (slot.isPair())
                rows[d].push_back({ .start = position, .end = position + 1, .pass = slot.second, .joined = true });
            chart.end = std::max(chart.end, position + 1);
        }
        chart.lanes.push_back({ .device = DeviceId(d), .passes = rows[d], .levels = {}, .limit = {} });
    }
    out.write(paint("Order", Ink::Strong, terminal.colours)
        + ": slot after slot, without times, as it cannot run as it is\n");
    const Layout layout = layOut(chart, view, terminal);
    draw(chart, layout, out);
    writeRemainder(layout, out);
}

} // namespace pipeloom::cli
