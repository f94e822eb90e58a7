// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pipeloom::formats {

namespace {

/// What was found, for a sentence: `a text`, `the number 1.5`.
std::string described(const JsonValue& value)
{
    if (const auto* number = value.as<std::int64_t>())
        return fmt::format("the number {}", *number);
    if (const auto* real = value.as<JsonReal>())
        return "the number " + quotedText(real->text);
    if (const auto* text = value.as<std::string>())
        return "the text " + quotedText(*text);
    if (const auto* truth = value.as<bool>())
        return *truth ? "`true`" : "`false`";
    if (value.as<JsonList>() != nullptr)
        return "a list";
    return value.as<JsonObject>() != nullptr ? "an object" : "`null`";
}

/// `1 to 4096`; for the round limits of FORMAT.md with the power of two that they come from.
std::string described(Range range)
{
    if (range.most == std::numeric_limits<std::int64_t>::max())
        return fmt::format("{} or more", range.least);
    std::string most = std::to_string(range.most);
    if (range.most == maxTicks - 1)
        most += " (2^40 - 1)";
    if (range.most == maxBytes - 1)
        most += " (2^60 - 1)";
    return fmt::format("{} to {}", range.least, most);
}

void reportRange(const JsonPath& path, std::string_view number, Range range, Reports& reports)
{
    reports.error("file/range", path.place(), fmt::format("{} is {}, which is out of range.", path.name(), number),
        fmt::format("Give a number from {}.", described(range)));
}

std::string listed(std::span<const std::string_view> words)
{
    std::string text;
    for (std::string_view word : words)
        text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
}

} // namespace

std::string JsonPath::pointer() const
{
    if (parent_ == nullptr)
        return {};
    return parent_->pointer() + pointerStep(name_.data() == nullptr ? std::to_string(index_) : name_);
}

std::string JsonPath::described() const
{
    if (parent_ == nullptr)
        return "the design";
    if (name_.data() != nullptr)
        return quotedText(name_);
    return fmt::format("entry {} of {}", index_, parent_->described());
}

std::string JsonPath::name() const
{
    std::string text = described();
    if (text[0] == 't' || text[0] == 'e')
        text[0] = text[0] == 't' ? 'T' : 'E';
    return text;
}

void reportType(const JsonValue& value, const JsonPath& path, std::string_view wanted, Reports& reports)
{
    reports.error("file/type", path.place(),
        fmt::format("{} must be {}, and is {}.", path.name(), wanted, described(value)),
        fmt::format("Write {}, or leave the key out if it has a default.", wanted));
}

std::optional<std::int64_t> readInteger(const JsonValue& value, const JsonPath& path, Range range, Reports& reports)
{
    if (const auto* real = value.as<JsonReal>(); real != nullptr && std::abs(real->value) > 9.2e18) {
        reportRange(path, quotedText(real->text), range, reports);
        return std::nullopt;
    }
    const auto* number = value.as<std::int64_t>();
    if (number == nullptr) {
        reportType(value, path, "a whole number, written without point and exponent", reports);
        return std::nullopt;
    }
    if (*number < range.least || *number > range.most) {
        reportRange(path, std::to_string(*number), range, reports);
        return std::nullopt;
    }
    return *number;
}

const JsonList* readList(const JsonValue& value, const JsonPath& path, const Count& count, Reports& reports)
{
    const auto* list = value.as<JsonList>();
    if (list == nullptr) {
        reportType(value, path, fmt::format("a list with one entry per {}", count.each), reports);
        return nullptr;
    }
    const auto entries = static_cast<std::int64_t>(list->size());
    if (count.number.has_value() && entries != *count.number) {
        reports.error("file/length", path.place(),
            fmt::format("{} has {} {}, but there {} {} {}.", path.name(), entries, entries == 1 ? "entry" : "entries",
                *count.number == 1 ? "is" : "are", *count.number, *count.number == 1 ? count.each : count.all),
            fmt::format("Give one entry per {}.", count.each));
        return nullptr;
    }
    return list;
}

std::optional<std::vector<std::int64_t>> readIntegers(
    const JsonValue& value, const JsonPath& path, const Count& count, Range range, Reports& reports)
{
    const JsonList* list = readList(value, path, count, reports);
    if (list == nullptr)
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    numbers.reserve(list->size());
    for (std::size_t i = 0; i < list->size() && !reports.full(); ++i) {
        if (const auto number = readInteger((*list)[i], path.entry(i), range, reports))
            numbers.push_back(*number);
    }
    if (numbers.size() != list->size())
        return std::nullopt;
    return numbers;
}

const std::string* readText(const JsonValue& value, const JsonPath& path, Reports& reports)
{
    const auto* text = value.as<std::string>();
    if (text == nullptr)
        reportType(value, path, "a text in quotes", reports);
    return text;
}

SectionReader::SectionReader(const JsonValue* value, JsonPath path, Section section, Reports& reports)
    : present_(value != nullptr)
    , path_(path)
    , section_(section)
    , reports_(&reports)
{
    if (value == nullptr)
        return;
    object_ = value->as<JsonObject>();
    if (object_ == nullptr)
        reportType(*value, path_, "an object in braces", reports);
    else
        reportUnknownKeys();
}

void SectionReader::reportUnknownKeys() const
{
    const auto keys = keysOf(section_);
    for (const JsonMember& member : object_->members) {
        if (std::ranges::find(keys, member.key) != keys.end() || reports_->full())
            continue;
        std::string remedy = fmt::format("Its keys are {}.", listed(keys));
        const std::string_view meant = nearest(member.key, keys);
        const std::string_view owner = sectionWith(member.key, section_);
        if (!owner.empty())
            remedy = fmt::format("It is a key of {}; move it there.", quotedText(owner));
        else if (!meant.empty())
            remedy = fmt::format("Write {}.", quotedText(meant));
        const std::string_view name = nameOf(section_);
        reports_->error("file/key", path(member.key).place(),
            fmt::format("{} has no key {}.", section_ == Section::Design ? std::string("The design") : quotedText(name),
                quotedText(member.key)),
            std::move(remedy));
    }
}

const JsonValue* SectionReader::find(std::string_view key) const
{
    return object_ == nullptr ? nullptr : object_->find(key);
}

const JsonValue* SectionReader::require(std::string_view key) const
{
    const JsonValue* value = find(key);
    if (value == nullptr && object_ != nullptr)
        reports_->error("file/missing", path(key).place(),
            fmt::format("{} has no {}, which has no default.",
                section_ == Section::Design ? std::string("The design") : quotedText(nameOf(section_)),
                quotedText(key)),
            fmt::format("Add {}.", quotedText(key)));
    return value;
}

SectionReader SectionReader::section(std::string_view key, Section section) const
{
    return { find(key), path(key), section, *reports_ };
}

std::optional<std::int64_t> SectionReader::integer(std::string_view key, Range range) const
{
    const JsonValue* value = find(key);
    return value == nullptr ? std::nullopt : readInteger(*value, path(key), range, *reports_);
}

std::optional<std::string> SectionReader::text(std::string_view key) const
{
    const JsonValue* value = find(key);
    const std::string* text = value == nullptr ? nullptr : readText(*value, path(key), *reports_);
    return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::size_t> SectionReader::oneOf(std::string_view key, std::span<const std::string_view> names) const
{
    const JsonValue* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    const std::string* word = readText(*value, path(key), *reports_);
    if (word == nullptr)
        return std::nullopt;
    const auto found = std::ranges::find(names, *word);
    if (found != names.end())
        return static_cast<std::size_t>(found - names.begin());
    const std::string_view meant = nearest(*word, names);
    reports_->error("file/value", path(key).place(),
        fmt::format("{} cannot be {}.", quotedText(key), quotedText(*word)),
        meant.empty() ? fmt::format("Possible are {}.", listed(names)) : fmt::format("Write {}.", quotedText(meant)));
    return std::nullopt;
}

std::optional<double> SectionReader::real(std::string_view key, Zero zero) const
{
    const JsonValue* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    const auto* whole = value->as<std::int64_t>();
    const auto* real = value->as<JsonReal>();
    if (whole == nullptr && real == nullptr) {
        reportType(*value, path(key), "a number", *reports_);
        return std::nullopt;
    }
    const double number = whole != nullptr ? static_cast<double>(*whole) : real->value;
    if (number < 0 || (number == 0 && zero == Zero::Refused)) {
        reports_->error("file/range", path(key).place(),
            fmt::format("{} is {}, which is out of range.", quotedText(key),
                whole != nullptr ? std::to_string(*whole) : quotedText(real->text)),
            zero == Zero::Refused ? "Give a number greater than 0." : "Give 0 or a number greater than 0.");
        return std::nullopt;
    }
    return number + 0.0; // -0 becomes 0, which is written without a sign
}

std::optional<std::vector<std::int64_t>> SectionReader::numberOrList(
    std::string_view key, const Count& count, Range range) const
{
    const JsonValue* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    const JsonPath here = path(key);
    if (value->as<JsonList>() != nullptr)
        return readIntegers(*value, here, count, range, *reports_);
    if (value->as<std::int64_t>() == nullptr && value->as<JsonReal>() == nullptr) {
        reportType(*value, here, fmt::format("a number, or a list with one per {}", count.each), *reports_);
        return std::nullopt;
    }
    const auto number = readInteger(*value, here, range, *reports_);
    if (!number.has_value())
        return std::nullopt;
    return std::vector<std::int64_t>(static_cast<std::size_t>(count.number.value_or(1)), *number);
}

} // namespace pipeloom::formats
