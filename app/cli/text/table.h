// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tables for people: columns as wide as what is in them, and one that wraps where the terminal is too narrow.

#include "app/cli/console/terminal.h"

#include <string>
#include <vector>

namespace pipeloom::cli {

enum class Align : unsigned char { Left, Right };

struct Column {
    std::string heading;
    Align align = Align::Left;
    bool wraps = false; ///< takes what the others leave; at most one of a table
};

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows; ///< a cell for each column; may be painted, if it does not wrap

    /// Two columns of blanks before each line and between columns; no blanks at the end of a line.
    [[nodiscard]] std::string text(const Terminal& terminal) const;
};

} // namespace pipeloom::cli
