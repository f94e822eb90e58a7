// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/clipboard_edits.h"

#include "app/designer/edit/finished.h"
#include "app/designer/edit/lacking.h"
#include "core/block/block_index.h"
#include "core/formats/pass_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pipeloom::designer {

namespace {

struct Line {
    std::vector<formats::RowSlot> slots;
    std::string fault; ///< empty: it can be read
};

Line readLine(std::string_view row, const formats::RowGrammar& grammar)
{
    Line line;
    formats::RowParser parser(row, grammar);
    while (parser.next()) {
        if (!parser.slot()) {
            line.fault = parser.fault().message + " " + parser.fault().remedy;
            return line;
        }
        line.slots.push_back(*parser.slot());
    }
    return line;
}

/// With members, as a group has them, or without.
Line readLine(std::string_view row)
{
    Line line = readLine(row, formats::blockGrammar(std::nullopt, 1));
    if (line.fault.empty())
        return line;
    formats::RowGrammar group = formats::blockGrammar(std::nullopt, 2);
    group.mostMembers.reset();
    Line withMembers = readLine(row, group);
    return withMembers.fault.empty() ? withMembers : line;
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    while (!lines.empty() && lines.back().find_first_not_of(' ') == std::string_view::npos)
        lines.pop_back();
    return lines;
}

/// The passes that stand for those of the slot on the device; why, if there are none.
std::string assign(Slot& slot, DeviceId device, Lacking& lacking)
{
    const auto take = [&](Pass& pass) {
        const std::optional<Pass> next = lacking.next(device, pass.kind);
        if (!next)
            return lacking.why(device, pass.kind);
        pass = *next;
        lacking.take(pass);
        return std::string();
    };
    std::string why = take(slot.first);
    if (why.empty() && slot.isPair())
        why = take(slot.second);
    return why;
}

Edited paste(const Design& design, std::string_view text, DeviceId device, Ticks start, const char* verb)
{
    const std::vector<std::string_view> lines = linesOf(text);
    if (device.value < 0 || device.value >= design.pipeline.devices)
        return refused(fmt::format("There is no device {}.", device.value));
    if (lines.size() > static_cast<std::size_t>(design.pipeline.devices - device.value))
        return refused(fmt::format("The passes are of {} devices; from device {} on there are {}.", lines.size(),
            device.value, design.pipeline.devices - device.value));
    Design edited = design;
    auto& passes = std::get<BuildingBlock>(edited.plan).passes;
    Lacking lacking(design);
    start = std::clamp<Ticks>(start, 0, maxTicks);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Line line = readLine(lines[i]);
        if (!line.fault.empty())
            return refused(fmt::format("Line {} is no row of passes: {}", i + 1, line.fault));
        std::stable_sort(line.slots.begin(), line.slots.end(),
            [](const formats::RowSlot& a, const formats::RowSlot& b) { return a.start < b.start; });
        const DeviceId row { device.value + static_cast<std::int32_t>(i) };
        for (formats::RowSlot& read : line.slots) {
            if (std::string why = assign(read.slot, row, lacking); !why.empty())
                return refused(std::move(why));
            passes.push_back({ row, read.slot, start + read.start });
        }
    }
    const std::size_t count = passes.size() - design.block()->passes.size();
    if (count == 0)
        return refused("There are no passes to paste.");
    return finished(std::move(edited), fmt::format("{} {} pass{}", verb, count, count == 1 ? "" : "es"));
}

} // namespace

std::string copyText(const Design& design, std::span<const std::int32_t> passes)
{
    const BuildingBlock* block = design.block();
    if (!block || passes.empty() || !areThere(*block, passes))
        return {};
    BuildingBlock copied;
    copied.group = block->group;
    Ticks first = std::numeric_limits<Ticks>::max();
    std::int32_t top = std::numeric_limits<std::int32_t>::max();
    std::int32_t bottom = 0;
    for (const std::int32_t pass : passes) {
        const BlockPass& placed = block->passes[static_cast<std::size_t>(pass)];
        copied.passes.push_back(placed);
        first = std::min(first, placed.start);
        top = std::min(top, placed.device.value);
        bottom = std::max(bottom, placed.device.value);
    }
    for (BlockPass& placed : copied.passes) {
        placed.start -= first;
        placed.device = DeviceId { placed.device.value - top };
    }
    std::string text;
    for (const std::string& row : formats::rowsOf(copied, bottom - top + 1))
        text += row + "\n";
    return text;
}

Edited pastePasses(const Design& design, std::string_view text, DeviceId device, Ticks start)
{
    if (!design.block())
        return refusedWithoutBlock();
    return paste(design, text, device, start, "Paste");
}

Edited duplicatePasses(const Design& design, std::span<const std::int32_t> passes)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    if (passes.empty() || !areThere(*block, passes))
        return refusedWithoutPass();
    DeviceId top { std::numeric_limits<std::int32_t>::max() };
    Ticks end = 0;
    for (const std::int32_t pass : passes) {
        const BlockPass& placed = block->passes[static_cast<std::size_t>(pass)];
        top = std::min(top, placed.device);
        end = std::max(end, placed.start + block->duration(placed.slot));
    }
    return paste(design, copyText(design, passes), top, end, "Duplicate");
}

} // namespace pipeloom::designer
