// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drawing/line.h"

#include <algorithm>

namespace pipeloom::cli {

namespace {

/// UTF-8; all that is drawn is below U+10000.
void appendCharacter(std::string& text, char32_t c)
{
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text += static_cast<char>(0xC0U | (c >> 6U));
        text += static_cast<char>(0x80U | (c & 0x3FU));
    } else {
        text += static_cast<char>(0xE0U | (c >> 12U));
        text += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
        text += static_cast<char>(0x80U | (c & 0x3FU));
    }
}

} // namespace

void Line::write(std::size_t column, std::string_view text, Ink ink, bool underlined)
{
    for (const char letter : text)
        if (column < cells_.size())
            put(column++, static_cast<unsigned char>(letter), ink, underlined);
}

std::string Line::text(Colours colours) const
{
    std::size_t length = cells_.size();
    while (length > 0 && blank(length - 1) && (colours == Colours::None || cells_[length - 1].ink == Ink::Plain))
        --length;

    std::string text;
    Cell last;
    for (std::size_t column = 0; column < length; ++column) {
        const Cell& cell = cells_[column];
        if (cell.ink != last.ink || cell.underlined != last.underlined) {
            if (last.ink != Ink::Plain || last.underlined)
                text += switchBack(colours);
            text += switchTo(cell.ink, colours);
            if (cell.underlined)
                text += switchToUnderline(colours);
        }
        appendCharacter(text, cell.character);
        last = cell;
    }
    if (last.ink != Ink::Plain || last.underlined)
        text += switchBack(colours);
    return text;
}

} // namespace pipeloom::cli
