// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/wrap.h"

#include "app/cli/text/paint.h"

namespace pipeloom::cli {

std::vector<std::string> wrap(std::string_view text, int width)
{
    std::vector<std::string> lines(1);
    std::size_t columns = 0;
    while (!text.empty()) {
        const std::size_t blank = text.find(' ');
        const std::string_view word = text.substr(0, blank);
        text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);

        const std::size_t length = columnsOf(word);
        if (columns > 0 && columns + 1 + length > static_cast<std::size_t>(width)) {
            lines.emplace_back();
            columns = 0;
        }
        if (columns > 0) {
            lines.back() += ' ';
            ++columns;
        }
        lines.back() += word;
        columns += length;
    }
    return lines;
}

} // namespace pipeloom::cli
