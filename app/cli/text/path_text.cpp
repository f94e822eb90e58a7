// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/path_text.h"

#include "app/cli/text/paint.h"
#include "app/cli/text/quantity.h"
#include "app/cli/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace pipeloom::cli {

namespace {

constexpr std::size_t partsAtEachEnd = 6;

/// Passes of a device that follow each other on the path, or one transfer.
struct Part {
    PathStep first;
    PathStep last;
    int passes = 0;
};

std::vector<Part> partsOf(const std::vector<PathStep>& path)
{
    std::vector<Part> parts;
    for (const PathStep& step : path) {
        const bool goesOn = !parts.empty() && !step.isTransfer && !parts.back().last.isTransfer
            && parts.back().last.device == step.device;
        if (!goesOn)
            parts.push_back({ .first = step, .last = step });
        parts.back().last = step;
        ++parts.back().passes;
    }
    return parts;
}

std::vector<std::string> row(const Part& part)
{
    const std::string ticks = std::to_string(part.last.end - part.first.start);
    const std::string start = std::to_string(part.first.start);
    if (part.first.isTransfer)
        return { start, ticks, fmt::format("{} to {}", part.first.device.value, part.first.to.value),
            "transfer " + text(part.first.pass) };
    std::string passes = text(part.first.pass);
    if (part.passes == 2)
        passes += ' ' + text(part.last.pass);
    else if (part.passes > 2)
        passes += fmt::format(" .. {} ({} passes)", text(part.last.pass), part.passes);
    return { start, ticks, std::to_string(part.first.device.value), passes };
}

/// `F 12, B 20, W 9, transfers 6, gaps 2 ticks`
std::string sharesText(const std::vector<PathStep>& path, Ticks makespan)
{
    constexpr std::array<const char*, passKinds + 1> names { "F", "B", "W", "BW", "transfers" };
    std::array<Ticks, passKinds + 1> ticks {};
    Ticks gaps = makespan;
    for (const PathStep& step : path) {
        ticks[step.isTransfer ? passKinds : index(step.pass.kind)] += step.end - step.start;
        gaps -= step.end - step.start;
    }
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (ticks[i] > 0)
            parts.push_back(fmt::format("{} {}", names[i], ticks[i]));
    if (gaps > 0)
        parts.push_back(fmt::format("waiting {}", gaps));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

std::string pathText(const std::vector<PathStep>& path, Ticks makespan, const Terminal& terminal)
{
    if (path.empty())
        return "";
    const std::vector<Part> parts = partsOf(path);
    Table table;
    table.columns = { { .heading = "start", .align = Align::Right }, { .heading = "ticks", .align = Align::Right },
        { .heading = "device" }, { .heading = "passes" } };
    const bool isLong = parts.size() > 2 * partsAtEachEnd + 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (isLong && i == partsAtEachEnd) {
            const std::size_t left = parts.size() - 2 * partsAtEachEnd;
            const Ticks ticks = parts[i + left].first.start - parts[i].first.start;
            table.rows.push_back(
                { "..", std::to_string(ticks), "", fmt::format("{} more visits; --json has all", left) });
            i += left;
        }
        table.rows.push_back(row(parts[i]));
    }
    return paint("Critical path", Ink::Strong, terminal.colours) + fmt::format(": {}\n", sharesText(path, makespan))
        + table.text(terminal);
}

} // namespace pipeloom::cli
