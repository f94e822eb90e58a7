// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/table.h"

#include "app/cli/text/paint.h"
#include "app/cli/text/wrap.h"

#include <algorithm>
#include <cstddef>

namespace pipeloom::cli {

namespace {

constexpr std::size_t gap = 2;
constexpr int leastWrappingWidth = 16;

std::vector<std::size_t> widths(const Table& table, int terminalWidth)
{
    std::vector<std::size_t> widths;
    for (const Column& column : table.columns)
        widths.push_back(columnsOf(column.heading));
    for (const std::vector<std::string>& row : table.rows)
        for (std::size_t c = 0; c < row.size(); ++c)
            widths[c] = std::max(widths[c], columnsOf(row[c]));

    const auto wrapping = std::ranges::find(table.columns, true, &Column::wraps);
    if (wrapping == table.columns.end())
        return widths;
    const auto index = static_cast<std::size_t>(wrapping - table.columns.begin());
    int others = 0;
    for (std::size_t c = 0; c < widths.size(); ++c)
        others += static_cast<int>(gap + (c == index ? 0 : widths[c]));
    const auto left = static_cast<std::size_t>(std::max(terminalWidth - others, leastWrappingWidth));
    widths[index] = std::min(widths[index], left);
    return widths;
}

void appendCell(std::string& line, const std::string& cell, Align align, std::size_t width)
{
    const std::size_t taken = columnsOf(cell);
    const std::string blanks(width > taken ? width - taken : 0, ' ');
    line.append(gap, ' ');
    line += align == Align::Right ? blanks + cell : cell + blanks;
}

void appendLine(std::string& text, std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
}

} // namespace

std::string Table::text(const Terminal& terminal) const
{
    const std::vector<std::size_t> width = widths(*this, terminal.width);
    std::string text;
    std::string heading;
    for (std::size_t c = 0; c < columns.size(); ++c)
        appendCell(heading, paint(columns[c].heading, Ink::Faint, terminal.colours), columns[c].align, width[c]);
    appendLine(text, heading);

    for (const std::vector<std::string>& row : rows) {
        std::vector<std::vector<std::string>> cells;
        std::size_t lines = 1;
        for (std::size_t c = 0; c < row.size(); ++c) {
            cells.push_back(columns[c].wraps ? wrap(row[c], static_cast<int>(width[c])) : std::vector { row[c] });
            lines = std::max(lines, cells.back().size());
        }
        for (std::size_t l = 0; l < lines; ++l) {
            std::string line;
            for (std::size_t c = 0; c < row.size(); ++c)
                appendCell(line, l < cells[c].size() ? cells[c][l] : std::string(), columns[c].align, width[c]);
            appendLine(text, line);
        }
    }
    return text;
}

} // namespace pipeloom::cli
