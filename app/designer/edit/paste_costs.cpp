// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/costs_edits.h"
#include "app/designer/edit/finished.h"
#include "app/designer/edit/following.h"
#include "app/designer/edit/tables.h"
#include "core/formats/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace pipeloom::designer {

namespace {

/// A column of the cost table.
struct Column {
    bool memory = false;
    PassKind kind = PassKind::F;
    const char* title = "";
};

constexpr std::array<Column, costColumns> columns {
    Column { false, PassKind::F, "F" },
    Column { false, PassKind::B, "B" },
    Column { false, PassKind::W, "W" },
    Column { false, PassKind::BW, "BW" },
    Column { true, PassKind::F, "memory of F" },
    Column { true, PassKind::B, "memory of B" },
    Column { true, PassKind::W, "memory of W" },
};

std::string_view trimmed(std::string_view cell)
{
    while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\r'))
        cell.remove_prefix(1);
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\r'))
        cell.remove_suffix(1);
    return cell;
}

/// The pieces between separators; a table's last line may end with one.
std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> pieces;
    while (true) {
        const std::size_t end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return pieces;
        text.remove_prefix(end + 1);
    }
}

struct Cell {
    std::int64_t number = 0;
    std::string fault; ///< empty: it is a whole number
};

Cell readCell(std::string_view cell, const NumberRange& range)
{
    std::string_view digits = cell;
    if (digits.starts_with('+'))
        digits.remove_prefix(1);
    Cell read;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), read.number);
    const bool isWhole = error == std::errc() && end == digits.data() + digits.size();
    if (isWhole)
        read.fault = outOfRange(read.number, range);
    else if (error == std::errc::result_out_of_range)
        read.fault = fmt::format("{} go from {} to {}.", range.what, range.least, range.most);
    else if (cell.find_first_of(".,") != std::string_view::npos)
        read.fault = "only whole numbers, without separators, can be pasted; take a shorter tick for fractions.";
    else
        read.fault = "it is no whole number.";
    return read;
}

} // namespace

Edited pasteCosts(const Design& design, std::string_view table, int firstRow, int firstColumn)
{
    if (firstRow < 0 || firstColumn < 0)
        return refused("The table begins at row 1 and column 1.");
    std::vector<std::string_view> lines = split(table, '\n');
    while (!lines.empty() && trimmed(lines.back()).empty())
        lines.pop_back();
    Design edited = design;
    int pasted = 0;
    bool pastedBw = false;
    for (std::size_t line = 0; line < lines.size(); ++line) {
        const std::vector<std::string_view> cells = split(lines[line], '\t');
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string_view cell = trimmed(cells[i]);
            if (cell.empty())
                continue;
            const std::size_t stage = static_cast<std::size_t>(firstRow) + line;
            const std::size_t at = static_cast<std::size_t>(firstColumn) + i;
            const auto refuse = [&](const std::string& why) {
                return refused(
                    fmt::format("Row {}, column {}, {}: {}", line + 1, i + 1, formats::quotedText(cell), why));
            };
            if (stage >= static_cast<std::size_t>(design.pipeline.stages))
                return refuse(
                    fmt::format("it would be of stage {}; there are {} stages.", stage, design.pipeline.stages));
            if (at >= columns.size())
                return refuse(fmt::format(
                    "the cost table has {} columns, and it would be in number {}.", columns.size(), at + 1));
            const Column& column = columns[at];
            const Cell read = readCell(cell, column.memory ? changeRange : tickRange);
            if (!read.fault.empty())
                return refuse(read.fault);
            auto& kinds = column.memory ? edited.memory.change : edited.costs.ticks;
            kinds.values[index(column.kind)][stage] = read.number;
            pastedBw = pastedBw || (!column.memory && column.kind == PassKind::BW);
            ++pasted;
        }
    }
    if (pasted == 0)
        return refused("There is no table to paste.");
    if (!pastedBw)
        followTicks(edited, design);
    followMemory(edited, design);
    return finished(std::move(edited), fmt::format("Paste {} cost{}", pasted, pasted == 1 ? "" : "s"));
}

} // namespace pipeloom::designer
