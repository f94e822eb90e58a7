// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON text in the form that the design file is written in: equal values always give equal bytes.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pipeloom::formats {

/// In quotes, escaped where JSON asks for it and nowhere else. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string textOf(std::string_view text);
[[nodiscard]] std::string textOf(std::int64_t number);
/// The shortest digits that read back as the same double; finite numbers only.
[[nodiscard]] std::string textOf(double number);
/// `null` for nothing.
[[nodiscard]] std::string textOf(const std::optional<std::int64_t>& number);

/// `[a, b]` of texts that are JSON already.
[[nodiscard]] std::string listOf(const std::vector<std::string>& entries);
[[nodiscard]] std::string listOf(std::span<const std::int64_t> numbers);
/// One number if all entries are the same, else the list.
[[nodiscard]] std::string numberOrListOf(std::span<const std::int64_t> numbers);
/// One text per line, as the value of a key that is `indent` blanks in.
[[nodiscard]] std::string linesOf(const std::vector<std::string>& texts, int indent);

/// An object that is put together key by key.
class ObjectText {
public:
    /// `value` is JSON already.
    void add(std::string_view key, std::string value);

    [[nodiscard]] bool empty() const { return members_.empty(); }
    /// `{ "a": 1, "b": 2 }`
    [[nodiscard]] std::string onOneLine() const;
    /// One key a line, as the value of a key that is `indent` blanks in.
    [[nodiscard]] std::string overLines(int indent) const;

private:
    std::vector<std::pair<std::string, std::string>> members_;
};

} // namespace pipeloom::formats
