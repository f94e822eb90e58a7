// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/read_event_fields.h"

#include "core/formats/read_event.h"

#include <fmt/format.h>

#include <charconv>

namespace pipeloom::formats {

namespace {

void skipBlanks(std::string_view& rest)
{
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t'))
        rest.remove_prefix(1);
}

bool take(std::string_view& rest, char character)
{
    skipBlanks(rest);
    if (rest.empty() || rest.front() != character)
        return false;
    rest.remove_prefix(1);
    return true;
}

/// What is between quotes, if nothing in it is escaped or a control character.
bool takeText(std::string_view& rest, std::string_view& text)
{
    if (!take(rest, '"'))
        return false;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const auto character = static_cast<unsigned char>(rest[i]);
        if (character == '"') {
            text = rest.substr(0, i);
            rest.remove_prefix(i + 1);
            return true;
        }
        if (character == '\\' || character < 0x20 || character > 0x7e)
            return false;
    }
    return false;
}

/// Whole numbers as JSON has them: no leading zero, no plus sign.
bool isInteger(std::string_view text)
{
    if (!text.empty() && text.front() == '-')
        text.remove_prefix(1);
    if (text.empty() || (text.front() == '0' && text.size() > 1))
        return false;
    for (const char character : text)
        if (character < '0' || character > '9')
            return false;
    return true;
}

} // namespace

bool EventFields::readKey(std::string_view& rest, Field& field) const
{
    return takeText(rest, field.key) && take(rest, ':');
}

bool EventFields::readValue(std::string_view& rest, Field& field) const
{
    skipBlanks(rest);
    if (!rest.empty() && rest.front() == '"') {
        field.isText = true;
        return takeText(rest, field.value);
    }
    field.isText = false;
    const std::size_t end = rest.find_first_of(", \t}");
    if (end == std::string_view::npos)
        return false;
    field.value = rest.substr(0, end);
    rest.remove_prefix(end);
    return field.value == "true" || field.value == "false" || isInteger(field.value);
}

bool EventFields::read(std::string_view line)
{
    count_ = 0;
    problem_.clear();
    if (!take(line, '{'))
        return false;
    do {
        if (count_ == fields_.size())
            return false;
        Field& field = fields_[count_];
        if (!readKey(line, field) || !readValue(line, field))
            return false;
        ++count_;
    } while (take(line, ','));
    if (!take(line, '}'))
        return false;
    skipBlanks(line);
    return line.empty();
}

const EventFields::Field* EventFields::find(std::string_view key) const
{
    for (std::size_t i = 0; i < count_; ++i)
        if (fields_[i].key == key)
            return &fields_[i];
    return nullptr;
}

std::string_view EventFields::text(std::string_view key) const
{
    const Field* field = find(key);
    return field && field->isText ? field->value : std::string_view();
}

std::int64_t EventFields::integer(std::string_view key) const
{
    const Field* field = find(key);
    std::int64_t value = 0;
    if (!field) {
        require(false, fmt::format("it has no {}", key));
        return 0;
    }
    const char* const end = field->value.data() + field->value.size();
    const auto read = std::from_chars(field->value.data(), end, value);
    // Differences of times must not overflow.
    const bool isInRange = value > -(std::int64_t { 1 } << 61) && value < (std::int64_t { 1 } << 61);
    require(!field->isText && read.ec == std::errc() && read.ptr == end && isInRange,
        fmt::format("{} is no whole number in range", key));
    return isInRange ? value : 0;
}

std::int64_t EventFields::integerOr(std::string_view key, std::int64_t otherwise) const
{
    return find(key) ? integer(key) : otherwise;
}

DeviceId EventFields::device(std::string_view key) const
{
    const std::int64_t value = integer(key);
    require(value >= 0 && value < maxDevices, fmt::format("{} is no device", key));
    return DeviceId { static_cast<std::int32_t>(value & 0xffff) };
}

Pass EventFields::pass(std::string_view key) const
{
    const auto pass = readPass(text(key));
    require(pass.has_value(), fmt::format("{} is no pass", key));
    return pass.value_or(Pass {});
}

bool EventFields::flag(std::string_view key) const
{
    const Field* field = find(key);
    return field && !field->isText && field->value == "true";
}

void EventFields::require(bool holds, std::string_view problem) const
{
    if (!holds && problem_.empty())
        problem_ = problem;
}

} // namespace pipeloom::formats
