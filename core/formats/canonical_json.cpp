// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/canonical_json.h"

#include "core/formats/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace pipeloom::formats {

namespace {

constexpr int step = 2; ///< blanks of indent

template <class Number> std::string digitsOf(Number number)
{
    std::array<char, 32> digits {};
    return { digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr };
}

/// The escape of a character that may not stand in a JSON text by itself; empty for all others.
std::string escapeOf(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 ? fmt::format("\\u{:04x}", static_cast<unsigned>(byte)) : std::string();
    }
}

std::string lineBreak(int indent) { return "\n" + std::string(static_cast<std::size_t>(indent), ' '); }

} // namespace

std::string textOf(std::string_view text)
{
    const auto isPlain = [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; };
    std::string json = "\"";
    json.reserve(text.size() + 2);
    while (!text.empty()) {
        // Nearly all text is plain, and rows are long: in one go.
        const auto plain = std::ranges::find_if_not(text, isPlain) - text.begin();
        json += text.substr(0, static_cast<std::size_t>(plain));
        text.remove_prefix(static_cast<std::size_t>(plain));
        if (text.empty())
            break;
        const std::size_t bytes = characterBytes(text);
        const std::string escape = bytes == 1 ? escapeOf(text[0]) : std::string();
        if (bytes == 0)
            json += "\xEF\xBF\xBD";
        else if (!escape.empty())
            json += escape;
        else
            json += text.substr(0, bytes);
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return json + '"';
}

std::string textOf(std::int64_t number) { return digitsOf(number); }

std::string textOf(double number) { return digitsOf(number); }

std::string textOf(const std::optional<std::int64_t>& number)
{
    return number.has_value() ? digitsOf(*number) : "null";
}

std::string listOf(const std::vector<std::string>& entries)
{
    std::string list = "[";
    for (const std::string& entry : entries) {
        if (list.size() > 1)
            list += ", ";
        list += entry;
    }
    return list + ']';
}

std::string listOf(std::span<const std::int64_t> numbers)
{
    std::vector<std::string> entries;
    entries.reserve(numbers.size());
    for (const std::int64_t number : numbers)
        entries.push_back(digitsOf(number));
    return listOf(entries);
}

std::string numberOrListOf(std::span<const std::int64_t> numbers)
{
    const bool same = std::ranges::adjacent_find(numbers, std::ranges::not_equal_to()) == numbers.end();
    return same && !numbers.empty() ? digitsOf(numbers.front()) : listOf(numbers);
}

std::string linesOf(const std::vector<std::string>& texts, int indent)
{
    std::string lines = "[";
    for (const std::string& text : texts) {
        if (lines.size() > 1)
            lines += ',';
        lines += lineBreak(indent + step);
        lines += textOf(text);
    }
    lines += lineBreak(indent);
    return lines + ']';
}

void ObjectText::add(std::string_view key, std::string value) { members_.emplace_back(key, std::move(value)); }

std::string ObjectText::onOneLine() const
{
    if (members_.empty())
        return "{}";
    std::string object = "{";
    for (const auto& [key, value] : members_) {
        object += object.size() > 1 ? ", " : " ";
        object += textOf(key);
        object += ": ";
        object += value;
    }
    return object + " }";
}

std::string ObjectText::overLines(int indent) const
{
    std::string object = "{";
    for (const auto& [key, value] : members_) {
        if (object.size() > 1)
            object += ',';
        object += lineBreak(indent + step);
        object += textOf(key);
        object += ": ";
        object += value;
    }
    object += lineBreak(indent);
    return object + '}';
}

} // namespace pipeloom::formats
