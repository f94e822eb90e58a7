// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drawing/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace pipeloom::cli {

namespace {

constexpr std::size_t passesLookedAt = 100'000; ///< enough to choose a scale by
constexpr std::int64_t usualCell = 3;

/// What passes need for their labels and `gap` columns behind each.
std::vector<Demand> demands(const Chart& chart, std::size_t gap)
{
    std::size_t passes = 0;
    for (const Lane& lane : chart.lanes)
        passes += lane.passes.size();
    const std::size_t stride = passes / passesLookedAt + 1;

    std::vector<Demand> demands;
    std::size_t number = 0;
    for (const Lane& lane : chart.lanes)
        for (std::size_t i = 0; i < lane.passes.size(); ++i) {
            const TimedPass& pass = lane.passes[i];
            if (number++ % stride != 0 || pass.joined)
                continue;
            std::size_t columns = chart.labels.of(pass.pass, lane.device).size() + gap;
            if (i + 1 < lane.passes.size() && lane.passes[i + 1].joined)
                columns += chart.labels.of(lane.passes[i + 1].pass, lane.device).size() + 1;
            demands.push_back({ .start = pass.start,
                .duration = pass.end - pass.start,
                .columns = static_cast<std::int64_t>(columns) });
        }
    return demands;
}

/// True if too many passes are shorter than a column for labels to make sense.
bool isCrowded(const std::vector<Demand>& demands, const Scale& scale)
{
    const auto shorter = std::ranges::count_if(
        demands, [&scale](const Demand& d) { return d.duration * scale.columns < scale.ticks; });
    return 10 * shorter > std::ssize(demands);
}

std::size_t digits(Ticks number) { return std::to_string(number).size(); }

std::int64_t gutterOf(const Chart& chart)
{
    const auto name = static_cast<std::int64_t>(std::string("device ").size() + digits(std::ssize(chart.lanes) - 1));
    return name + 1;
}

/// A part of the period that divides it, of some 24 columns at most; several periods where one is too short to be numbered.
Ticks stepByPeriod(Ticks period, Ticks least, const Scale& scale)
{
    if (period < least)
        return period * roundUp((least + period - 1) / period);
    constexpr std::int64_t farApart = 24;
    for (Ticks parts = 1; parts <= farApart; ++parts)
        if (period % parts == 0 && period / parts >= least && scale.columnOf(period / parts) <= farApart)
            return period / parts;
    return period;
}

/// From one number of the ruler to the next, so that they do not run into each other.
Ticks rulerStepOf(const Chart& chart, const Scale& scale)
{
    const auto columns = static_cast<Ticks>(digits(chart.end)) + 2;
    const Ticks least = (columns * scale.ticks + scale.columns - 1) / scale.columns;
    return chart.period ? stepByPeriod(*chart.period, least, scale) : roundUp(least);
}

/// The scale to draw at, and the passes that it was chosen for.
Scale scaleOf(const Chart& chart, const View& view, TimeRange range, std::int64_t columns)
{
    const Scale readable = scaleToRead(demands(chart, 1));
    if (view.fit)
        return scaleToFit(range, columns, readable);
    const Scale touching = chart.mayTouch ? scaleToRead(demands(chart, 0)) : readable;
    const bool savesBands = readable.columnOf(range.length()) > columns && touching.columnOf(range.length()) <= columns;
    return savesBands ? touching : readable;
}

/// The longest that fits; shorter if as many bands of equal length do, and a whole number of the ruler's steps.
Ticks bandTicksOf(const Layout& layout, TimeRange range, std::int64_t columns)
{
    const Scale& scale = layout.style.scale;
    const Ticks units = std::max<Ticks>(columns / scale.columns, 1);
    const Ticks longest = units * scale.ticks;
    const Ticks bands = (range.length() + longest - 1) / longest;
    if (bands <= 1)
        return longest;
    const Ticks equal = (range.length() + bands - 1) / bands;
    const Ticks step = layout.rulerStep;
    const Ticks whole = (equal + step - 1) / step * step;
    return std::min(whole, longest);
}

std::string rulerLine(const Layout& layout, const std::string& unit, const Window& window)
{
    const Scale& scale = layout.style.scale;
    Line line(static_cast<std::size_t>(window.count + layout.gutter) + digits(layout.all.to));
    line.write(0, unit, Ink::Faint);
    const Ticks step = layout.rulerStep;
    const Ticks from = scale.timeOf(window.first);
    for (Ticks time = (from + step - 1) / step * step; time <= layout.drawn.to; time += step) {
        const std::int64_t column = scale.columnOf(time) - window.first;
        if (column >= window.count)
            break;
        line.write(static_cast<std::size_t>(layout.gutter + column), std::to_string(time), Ink::Faint);
    }
    return line.text(layout.style.colours);
}

std::string inGutter(const std::string& name, Ink ink, const Layout& layout)
{
    std::string text = paint(name, ink, layout.style.colours);
    return text.append(
        static_cast<std::size_t>(layout.gutter) - std::min(name.size(), static_cast<std::size_t>(layout.gutter)), ' ');
}

void writeLine(Output& out, std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    out.write(line + '\n');
}

void drawBand(const Chart& chart, const Layout& layout, TimeRange band, Output& out)
{
    const Scale& scale = layout.style.scale;
    const std::int64_t first = scale.columnOf(band.from);
    const bool isCut = scale.timeOf(scale.columnOf(band.to)) < band.to;
    const Window window {
        .first = first,
        .count = scale.columnOf(band.to) + (isCut ? 1 : 0) - first,
        .end = scale.columnOf(layout.all.to),
    };
    writeLine(out, rulerLine(layout, chart.unit, window));
    for (const Lane& lane : chart.lanes) {
        if (!out.open())
            return;
        writeLine(out,
            inGutter(fmt::format("device {}", lane.device.value), Ink::Plain, layout)
                + passLine(lane, chart.labels, layout.style, window).text(layout.style.colours));
        if (!lane.levels.empty())
            writeLine(out,
                inGutter("  holds", Ink::Faint, layout)
                    + stripLine(lane, layout.style, chart.strip, window).text(layout.style.colours));
    }
}

} // namespace

Layout layOut(const Chart& chart, const View& view, const Terminal& terminal)
{
    Layout layout;
    layout.gutter = gutterOf(chart);
    layout.all = { .from = 0, .to = chart.end };
    TimeRange range { .from = std::clamp<Ticks>(view.from.value_or(0), 0, chart.end),
        .to = std::min(view.to.value_or(chart.end), chart.end) };
    range.to = std::max(range.from, range.to);

    const std::int64_t columns = std::max<std::int64_t>(terminal.width - layout.gutter, 1);
    LaneStyle& style = layout.style;
    style.colours = terminal.colours;
    style.characters = terminal.characters;
    style.scale = scaleOf(chart, view, range, columns);
    const std::vector<Demand> passes = demands(chart, 0);
    style.detail = isCrowded(passes, style.scale) ? Detail::Shares : Detail::Labels;
    layout.labelled = style.detail == Detail::Labels && std::ranges::any_of(passes, [&style](const Demand& d) {
        return d.duration * style.scale.columns >= d.columns * style.scale.ticks;
    });
    style.cell = style.scale.columns > 1 ? style.scale.columns : usualCell;
    if (style.detail == Detail::Shares)
        style.cell = 1;

    layout.rulerStep = rulerStepOf(chart, style.scale);
    // Bands start where columns do.
    range.from -= range.from % style.scale.ticks;
    layout.bandTicks = bandTicksOf(layout, range, columns);
    layout.drawn = range;
    if (!view.to && (range.length() - 1) / layout.bandTicks >= usualBands)
        layout.drawn.to = range.from + usualBands * layout.bandTicks;
    return layout;
}

void draw(const Chart& chart, const Layout& layout, Output& out)
{
    for (Ticks from = layout.drawn.from; from < layout.drawn.to && out.open(); from += layout.bandTicks) {
        if (from > layout.drawn.from)
            out.write("\n");
        drawBand(chart, layout, { .from = from, .to = std::min(from + layout.bandTicks, layout.drawn.to) }, out);
    }
}

std::string remainderText(const Layout& layout)
{
    if (layout.drawn.from <= 0 && layout.drawn.to >= layout.all.to)
        return "";
    if (layout.drawn.length() == 0)
        return fmt::format("Nothing to draw there: the last pass ends at {}.", layout.all.to);
    std::string text = fmt::format("Drawn: {} to {} of {}.", layout.drawn.from, layout.drawn.to, layout.all.to);
    if (layout.drawn.to < layout.all.to)
        text += fmt::format(" --from {} goes on, --fit shows all at once.", layout.drawn.to);
    return text;
}

} // namespace pipeloom::cli
