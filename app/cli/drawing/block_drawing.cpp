// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drawing/block_drawing.h"

#include "app/cli/drawing/chart.h"
#include "app/cli/text/paint.h"
#include "app/cli/text/quantity.h"
#include "app/cli/text/table.h"
#include "app/cli/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace pipeloom::cli {

namespace {

using Rows = std::vector<std::vector<TimedPass>>;

void appendSlot(std::vector<TimedPass>& row, const Slot& slot, TimeRange time)
{
    row.push_back({ .start = time.from, .end = time.to, .pass = slot.first, .joined = false });
    if (slot.isPair())
        row.push_back({ .start = time.from, .end = time.to, .pass = slot.second, .joined = true });
}

/// Each device's passes by start, as they are drawn.
Rows rowsOf(const BuildingBlock& block, std::int32_t devices)
{
    std::vector<BlockPass> passes = block.passes;
    std::ranges::stable_sort(passes, {}, &BlockPass::start);
    Rows rows(static_cast<std::size_t>(devices));
    for (const BlockPass& pass : passes)
        if (pass.device.index() < rows.size())
            appendSlot(rows[pass.device.index()], pass.slot, { pass.start, pass.start + block.duration(pass.slot) });
    return rows;
}

/// The same within one interval: what goes over its end goes on at its beginning.
Rows rowsModulo(const BuildingBlock& block, std::int32_t devices)
{
    std::vector<std::vector<BlockPass>> byResidue(static_cast<std::size_t>(devices));
    for (BlockPass pass : block.passes)
        if (pass.device.index() < byResidue.size()) {
            pass.start %= block.interval;
            byResidue[pass.device.index()].push_back(pass);
        }
    Rows rows(byResidue.size());
    for (std::size_t d = 0; d < rows.size(); ++d) {
        std::ranges::stable_sort(byResidue[d], {}, &BlockPass::start);
        for (const BlockPass& pass : byResidue[d]) {
            const Ticks end = pass.start + std::min(block.duration(pass.slot), block.interval);
            if (end > block.interval)
                appendSlot(rows[d], pass.slot, { 0, end - block.interval });
        }
        for (const BlockPass& pass : byResidue[d]) {
            const Ticks end = pass.start + std::min(block.duration(pass.slot), block.interval);
            appendSlot(rows[d], pass.slot, { pass.start, std::min(end, block.interval) });
        }
    }
    return rows;
}

Chart chartOf(const Rows& rows, const BuildingBlock& block)
{
    Chart chart;
    chart.labels = Labels::ofBlock(block);
    for (std::size_t d = 0; d < rows.size(); ++d) {
        chart.lanes.push_back({ .device = DeviceId(d), .passes = rows[d], .levels = {}, .limit = {} });
        for (const TimedPass& pass : rows[d])
            chart.end = std::max(chart.end, pass.end);
    }
    return chart;
}

/// Passes that start beyond what is drawn: a block's far ones are few, so they are named.
std::string beyondText(const Chart& chart, Ticks end)
{
    constexpr std::size_t most = 8;
    std::vector<std::string> beyond;
    for (const Lane& lane : chart.lanes)
        for (const TimedPass& pass : lane.passes)
            if (pass.start >= end)
                beyond.push_back(fmt::format(
                    "{}@{} on device {}", chart.labels.of(pass.pass, lane.device), pass.start, lane.device.value));
    const std::size_t more = beyond.size() > most ? beyond.size() - most : 0;
    beyond.resize(beyond.size() - more);
    return fmt::format("Beyond: {}{}.", fmt::join(beyond, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

/// In a few bands; a longer block in one, if passes can still be told apart there, else its beginning.
void drawInFew(const Chart& chart, const Terminal& terminal, Output& out)
{
    Layout layout = layOut(chart, {}, terminal);
    if (layout.drawn.to == layout.all.to) {
        draw(chart, layout, out);
        return;
    }
    const Layout fit = layOut(chart, { .from = {}, .to = {}, .fit = true }, terminal);
    if (fit.style.detail == Detail::Labels) {
        draw(chart, fit, out);
        return;
    }
    layout.drawn.to = layout.drawn.from + 2 * layout.bandTicks;
    draw(chart, layout, out);
    for (const std::string& line : wrap(beyondText(chart, layout.drawn.to), terminal.width))
        out.write(line + '\n');
}

/// True if two passes of a device overlap as they are drawn.
bool overlap(const Rows& rows)
{
    return std::ranges::any_of(rows, [](const std::vector<TimedPass>& row) {
        for (std::size_t i = 1; i < row.size(); ++i)
            if (!row[i].joined && row[i].start < row[i - 1].end)
                return true;
        return false;
    });
}

/// `0: 27 (5)`: the lifespan of stage 0, and how many intervals it reaches into. For members that have the same: once.
std::string lifespanText(const BuildingBlock& block, StageId stage, const std::vector<std::int32_t>& members)
{
    std::vector<std::string> texts;
    for (const std::int32_t member : members) {
        const std::optional<Ticks> ticks = lifespan(block, stage, member);
        texts.push_back(ticks ? fmt::format("{} ({})", *ticks, (*ticks + block.interval - 1) / block.interval) : "-");
    }
    const bool same = std::ranges::count(texts, texts.front()) == std::ssize(texts);
    if (texts.size() > 1 && same)
        return fmt::format("{}: {} each", stage.value, texts.front());
    return fmt::format("{}: {}", stage.value, fmt::join(texts, " "));
}

std::string lifespansText(const Design& design, const BuildingBlock& block, DeviceId device)
{
    const Pipeline& pipeline = design.pipeline;
    std::vector<std::string> parts;
    for (const StageId stage : pipeline.stagesOn(device)) {
        std::vector<std::int32_t> members;
        for (std::int32_t member = 0; member < block.group; ++member)
            if (pipeline.deviceOf(stage, RouteId(member % pipeline.routeCount())) == device)
                members.push_back(member);
        if (!members.empty())
            parts.push_back(lifespanText(block, stage, members));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

void drawLifespans(
    const Design& design, const std::vector<std::optional<Bytes>>& bounds, const Terminal& terminal, Output& out)
{
    Table table;
    table.columns = { { .heading = "device" }, { .heading = "bound", .align = Align::Right },
        { .heading = "stage: lifespan in ticks (in how many intervals)", .wraps = true } };
    for (std::int32_t d = 0; d < design.pipeline.devices; ++d) {
        const auto index = static_cast<std::size_t>(d);
        const std::optional<Bytes> bound = index < bounds.size() ? bounds[index] : std::nullopt;
        table.rows.push_back({ std::to_string(d), memoryText(bound, design.memory.unit),
            lifespansText(design, *design.block(), DeviceId(d)) });
    }
    out.write('\n' + table.text(terminal));
}

void writeHeading(std::string_view heading, const std::string& rest, const Terminal& terminal, Output& out)
{
    out.write(paint(heading, Ink::Strong, terminal.colours) + rest + '\n');
}

} // namespace

void drawBlock(
    const Design& design, const std::vector<std::optional<Bytes>>& bounds, const Terminal& terminal, Output& out)
{
    const BuildingBlock& block = *design.block();
    if (block.passes.empty()) {
        writeHeading("Block", fmt::format(": empty, interval {}", ticksText(block.interval)), terminal, out);
        return;
    }
    const Rows rows = rowsOf(block, design.pipeline.devices);
    Chart chart = chartOf(rows, block);
    chart.mayTouch = true;
    chart.period = block.interval;
    const std::string members = block.group > 1 ? fmt::format("{} micro-batches", block.group) : "a micro-batch";
    const std::string heading
        = fmt::format(": {} in {}, the next {} later", members, ticksText(chart.end), ticksText(block.interval));
    writeHeading("Block", heading, terminal, out);
    drawInFew(chart, terminal, out);

    const Rows modulo = rowsModulo(block, design.pipeline.devices);
    Chart interval = chartOf(modulo, block);
    interval.end = block.interval;
    out.write("\n");
    writeHeading("Repeated", fmt::format(" every {}: times modulo {}", ticksText(block.interval), block.interval),
        terminal, out);
    drawInFew(interval, terminal, out);
    if (overlap(modulo))
        out.write("! two passes at once\n");

    if (!hasErrors(check(design.pipeline)))
        drawLifespans(design, bounds, terminal, out);
}

} // namespace pipeloom::cli
