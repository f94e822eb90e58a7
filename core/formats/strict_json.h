// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reading a JSON tree by what is expected of it. Each reader gives the value, or reports what is wrong and gives nothing;
// none stops at the first fault.

#include "core/formats/design_keys.h"
#include "core/formats/json_tree.h"
#include "core/formats/reports.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pipeloom::formats {

/// Where a value stands: a chain of keys and indices that becomes a JSON pointer only when something is wrong there.
/// Each link must live as long as those made from it.
class JsonPath {
public:
    JsonPath() = default;
    [[nodiscard]] JsonPath key(std::string_view name) const { return { this, name, 0 }; }
    [[nodiscard]] JsonPath entry(std::size_t index) const { return { this, {}, index }; }

    [[nodiscard]] std::string pointer() const;
    [[nodiscard]] Place place() const { return placeAt(pointer()); }
    /// As findings begin: "`devices`", "Entry 3 of `placement`".
    [[nodiscard]] std::string name() const;

private:
    JsonPath(const JsonPath* parent, std::string_view name, std::size_t index)
        : parent_(parent)
        , name_(name)
        , index_(index)
    {
    }

    [[nodiscard]] std::string described() const;

    const JsonPath* parent_ = nullptr;
    std::string_view name_; ///< empty data: an index
    std::size_t index_ = 0;
};

/// Whole numbers from `least` to `most`.
struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
};

/// How long a list must be, and of what: `8 stages`. No number: not known, because that part of the file is wrong itself.
struct Count {
    std::optional<std::int64_t> number;
    std::string_view each; ///< `stage`
    std::string_view all;  ///< `stages`
};

[[nodiscard]] std::optional<std::int64_t> readInteger(
    const JsonValue& value, const JsonPath& path, Range range, Reports& reports);

/// The list, or nothing and a finding if it is none. Its length is checked if `count` has a number.
[[nodiscard]] const JsonList* readList(
    const JsonValue& value, const JsonPath& path, const Count& count, Reports& reports);

/// A list of whole numbers.
[[nodiscard]] std::optional<std::vector<std::int64_t>> readIntegers(
    const JsonValue& value, const JsonPath& path, const Count& count, Range range, Reports& reports);

[[nodiscard]] const std::string* readText(const JsonValue& value, const JsonPath& path, Reports& reports);

/// Reports file/type: the value is no `wanted` ("a whole number").
void reportType(const JsonValue& value, const JsonPath& path, std::string_view wanted, Reports& reports);

/// An object with the keys of a section. Keys that the section does not have are reported when it is opened.
/// A section that the file leaves out is read like one without any key.
class SectionReader {
public:
    /// `value` null: left out.
    SectionReader(const JsonValue* value, JsonPath path, Section section, Reports& reports);
    SectionReader(const SectionReader&) = delete;
    SectionReader& operator=(const SectionReader&) = delete;

    /// The file has it (though it may be no object).
    [[nodiscard]] bool present() const { return present_; }
    [[nodiscard]] JsonPath path(std::string_view key) const { return path_.key(key); }
    [[nodiscard]] const JsonPath& path() const { return path_; }
    [[nodiscard]] Reports& reports() const { return *reports_; }

    [[nodiscard]] const JsonValue* find(std::string_view key) const;
    /// The same, and file/missing if there is none in a section that is there.
    [[nodiscard]] const JsonValue* require(std::string_view key) const;
    [[nodiscard]] SectionReader section(std::string_view key, Section section) const;

    /// Of a key that may be left out.
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, Range range) const;
    [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
    /// One of the names, as its index.
    [[nodiscard]] std::optional<std::size_t> oneOf(std::string_view key, std::span<const std::string_view> names) const;
    /// A finite number >= 0; `> 0` if zero makes no sense. -0 is 0.
    enum class Zero : std::uint8_t { Allowed, Refused };
    [[nodiscard]] std::optional<double> real(std::string_view key, Zero zero) const;
    /// One number, or a list with one per `count.each`; a single number comes back repeated (once if count is not known).
    [[nodiscard]] std::optional<std::vector<std::int64_t>> numberOrList(
        std::string_view key, const Count& count, Range range) const;

private:
    void reportUnknownKeys() const;

    const JsonObject* object_ = nullptr;
    bool present_ = false;
    JsonPath path_;
    Section section_;
    Reports* reports_;
};

} // namespace pipeloom::formats
