// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON text as a tree that keeps what a strict reader asks for and JSON libraries drop: the order of keys, how a number
// was written, and where an object stands in the text.

#include "core/formats/reports.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pipeloom::formats {

inline constexpr std::size_t maxNesting = 64;        ///< lists and objects inside one another
inline constexpr std::size_t maxValues = 20'000'000; ///< numbers, texts, lists, objects of one file

struct JsonValue;
struct JsonMember;

/// A number that is no 64-bit integer: with a fraction, an exponent or too many digits.
struct JsonReal {
    double value = 0;
    std::string text; ///< as it was written
};

using JsonList = std::vector<JsonValue>;

struct JsonObject {
    std::vector<JsonMember> members; ///< in the order of the text
    std::size_t begin = 0;           ///< offset of `{`
    std::size_t end = 0;             ///< offset after `}`

    /// The first value of that key; null if there is none.
    [[nodiscard]] const JsonValue* find(std::string_view key) const;
};

struct JsonValue {
    std::variant<std::nullptr_t, bool, std::int64_t, JsonReal, std::string, JsonList, JsonObject> data;

    template <class Type> [[nodiscard]] const Type* as() const { return std::get_if<Type>(&data); }
};

struct JsonMember {
    std::string key;
    JsonValue value;
};

/// The tree of a UTF-8 text; nothing if the text is no JSON, nests deeper than maxNesting or holds more than maxValues
/// values, which is found before memory is taken for them.
/// Errors: file/json, file/depth, file/size with row and column; file/range for a number beyond every double and
/// file/doubled for a key that an object has twice, with pointers.
[[nodiscard]] std::optional<JsonValue> parseJson(std::string_view text, Reports& reports);

} // namespace pipeloom::formats
