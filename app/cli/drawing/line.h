// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/text/paint.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pipeloom::cli {

/// One line of a drawing: a character, an ink and an underline for each column.
class Line {
public:
    explicit Line(std::size_t columns)
        : cells_(columns)
    {
    }

    [[nodiscard]] std::size_t columns() const { return cells_.size(); }
    [[nodiscard]] bool blank(std::size_t column) const { return cells_[column].character == U' '; }

    void put(std::size_t column, char32_t character, Ink ink = Ink::Plain, bool underlined = false)
    {
        cells_[column] = { .character = character, .ink = ink, .underlined = underlined };
    }
    /// ASCII text, cut at the end of the line.
    void write(std::size_t column, std::string_view text, Ink ink = Ink::Plain, bool underlined = false);

    /// Without blanks at the end, unless they are painted.
    [[nodiscard]] std::string text(Colours colours) const;

private:
    struct Cell {
        char32_t character = U' ';
        Ink ink = Ink::Plain;
        bool underlined = false;
    };
    std::vector<Cell> cells_;
};

} // namespace pipeloom::cli
