// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Text files are UTF-8: where a text stops being so, and which row and column an offset is.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pipeloom::formats {

/// Bytes of the well-formed UTF-8 character (RFC 3629: shortest form, no surrogates, up to U+10FFFF) that `text` starts
/// with; 0 if it starts with none.
[[nodiscard]] std::size_t characterBytes(std::string_view text);

/// Offset of the first byte that belongs to no well-formed character; nothing if all is UTF-8.
[[nodiscard]] std::optional<std::size_t> firstInvalidUtf8(std::string_view text);

/// A place in a text, both counted from 1. Columns count characters, as editors do.
struct TextPosition {
    std::int32_t row = 1;
    std::int32_t column = 1;

    friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

/// Where the byte at `offset` stands; at the end of the text for offsets beyond it.
[[nodiscard]] TextPosition positionOf(std::string_view text, std::size_t offset);

} // namespace pipeloom::formats
