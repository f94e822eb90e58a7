// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/utf8.h"

#include <algorithm>

namespace pipeloom::formats {

namespace {

unsigned byteAt(std::string_view text, std::size_t offset)
{
    return offset < text.size() ? static_cast<unsigned char>(text[offset]) : 0U;
}

bool isContinuation(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

/// The second byte's range rules out overlong forms, surrogates and what lies beyond U+10FFFF.
bool secondByteFits(unsigned first, unsigned second)
{
    switch (first) {
    case 0xE0:
        return second >= 0xA0 && second <= 0xBF;
    case 0xED:
        return second >= 0x80 && second <= 0x9F;
    case 0xF0:
        return second >= 0x90 && second <= 0xBF;
    case 0xF4:
        return second >= 0x80 && second <= 0x8F;
    default:
        return isContinuation(second);
    }
}

} // namespace

std::size_t characterBytes(std::string_view text)
{
    if (text.empty())
        return 0;
    const unsigned first = byteAt(text, 0);
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4 || !secondByteFits(first, byteAt(text, 1)))
        return 0;
    if (first < 0xE0)
        return 2;
    if (!isContinuation(byteAt(text, 2)))
        return 0;
    if (first < 0xF0)
        return 3;
    return isContinuation(byteAt(text, 3)) ? 4 : 0;
}

std::optional<std::size_t> firstInvalidUtf8(std::string_view text)
{
    std::size_t offset = 0;
    while (offset < text.size()) {
        if (byteAt(text, offset) < 0x80) {
            ++offset;
            continue;
        }
        const std::size_t bytes = characterBytes(text.substr(offset, 4));
        if (bytes == 0)
            return offset;
        offset += bytes;
    }
    return std::nullopt;
}

TextPosition positionOf(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const std::string_view line = before.substr(lineStart);
    const auto characters = std::count_if(
        line.begin(), line.end(), [](char c) { return !isContinuation(static_cast<unsigned char>(c)); });
    TextPosition position;
    position.row = static_cast<std::int32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    position.column = static_cast<std::int32_t>(characters) + 1;
    return position;
}

} // namespace pipeloom::formats
