// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/pass_search.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace pipeloom::designer {

namespace {

using Field = PassQuery::Field;
using Compare = PassQuery::Compare;

std::string lower(std::string_view text)
{
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(),
        [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return made;
}

/// Takes digits off the front; none: nothing taken.
std::optional<Ticks> takeNumber(std::string_view& text)
{
    Ticks value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<PassKind> takeKind(std::string_view& text)
{
    struct Name {
        std::string_view text;
        PassKind kind;
    };
    static constexpr std::array<Name, 4> names { { { "bw", PassKind::BW }, { "f", PassKind::F }, { "b", PassKind::B },
        { "w", PassKind::W } } };
    for (const Name& name : names)
        if (text.starts_with(name.text)) {
            text.remove_prefix(name.text.size());
            return name.kind;
        }
    return std::nullopt;
}

std::optional<Field> fieldOf(std::string_view name)
{
    if (name == "mb" || name == "microbatch" || name == "micro-batch")
        return Field::MicroBatch;
    if (name == "stage" || name == "s")
        return Field::Stage;
    if (name == "dev" || name == "device")
        return Field::Device;
    if (name == "dur" || name == "duration")
        return Field::Duration;
    if (name == "start")
        return Field::Start;
    if (name == "end")
        return Field::End;
    return std::nullopt;
}

std::optional<Compare> takeCompare(std::string_view& text)
{
    struct Sign {
        std::string_view text;
        Compare compare;
    };
    static constexpr std::array<Sign, 6> signs { { { ">=", Compare::GreaterOrEqual }, { "<=", Compare::LessOrEqual },
        { ">", Compare::Greater }, { "<", Compare::Less }, { ":", Compare::Equal }, { "=", Compare::Equal } } };
    for (const Sign& sign : signs)
        if (text.starts_with(sign.text)) {
            text.remove_prefix(sign.text.size());
            return sign.compare;
        }
    return std::nullopt;
}

/// `7F3` and its parts.
bool readPass(std::string_view word, PassQuery& query)
{
    const std::optional<Ticks> stage = takeNumber(word);
    const std::optional<PassKind> kind = takeKind(word);
    if (!kind)
        return false;
    const std::optional<Ticks> microBatch = takeNumber(word);
    if (!word.empty())
        return false;
    query.kind = kind;
    if (stage)
        query.terms.push_back({ Field::Stage, Compare::Equal, *stage });
    if (microBatch)
        query.terms.push_back({ Field::MicroBatch, Compare::Equal, *microBatch });
    return true;
}

bool readDevice(std::string_view word, PassQuery& query)
{
    if (!word.starts_with('@'))
        return false;
    word.remove_prefix(1);
    for (const std::string_view name : { "device", "dev", "d" })
        if (word.starts_with(name)) {
            word.remove_prefix(name.size());
            break;
        }
    const std::optional<Ticks> device = takeNumber(word);
    if (!device || !word.empty())
        return false;
    query.terms.push_back({ Field::Device, Compare::Equal, *device });
    return true;
}

bool readField(std::string_view word, PassQuery& query)
{
    const std::size_t sign = word.find_first_of("<>:=");
    if (sign == std::string_view::npos)
        return false;
    const std::string_view name = word.substr(0, sign);
    word.remove_prefix(sign);
    const std::optional<Compare> compare = takeCompare(word);
    if (name == "kind" && compare == Compare::Equal) {
        query.kind = takeKind(word);
        return query.kind && word.empty();
    }
    const std::optional<Field> field = fieldOf(name);
    const std::optional<Ticks> value = takeNumber(word);
    if (!field || !compare || !value || !word.empty())
        return false;
    query.terms.push_back({ *field, *compare, *value });
    return true;
}

bool holds(Compare compare, Ticks left, Ticks right)
{
    switch (compare) {
    case Compare::Equal:
        return left == right;
    case Compare::Less:
        return left < right;
    case Compare::LessOrEqual:
        return left <= right;
    case Compare::Greater:
        return left > right;
    case Compare::GreaterOrEqual:
        return left >= right;
    }
    return false;
}

Ticks valueOf(Field field, const TimedPass& pass, DeviceId device)
{
    switch (field) {
    case Field::Stage:
        return pass.pass.stage.value;
    case Field::MicroBatch:
        return pass.pass.microBatch.value;
    case Field::Device:
        return device.value;
    case Field::Duration:
        return pass.end - pass.start;
    case Field::Start:
        return pass.start;
    case Field::End:
        return pass.end;
    }
    return 0;
}

std::string problemOf(std::string_view word)
{
    std::string problem = "\"";
    problem.append(word);
    problem.append(
        "\" is no pass (F3, 7B3), device (@dev2) or field (mb:7, stage:2, kind:W, dur>2, start<10, end>=4).");
    return problem;
}

} // namespace

bool PassQuery::matches(const TimedPass& pass, DeviceId device) const
{
    if (kind && pass.pass.kind != *kind)
        return false;
    return std::all_of(terms.begin(), terms.end(),
        [&](const Term& term) { return holds(term.compare, valueOf(term.field, pass, device), term.value); });
}

ParsedQuery parsePassQuery(std::string_view text)
{
    const std::string lowered = lower(text);
    PassQuery query;
    bool any = false;
    std::size_t at = 0;
    while (at < lowered.size()) {
        const std::size_t start = lowered.find_first_not_of(" \t", at);
        if (start == std::string::npos)
            break;
        const std::size_t end = std::min(lowered.find_first_of(" \t", start), lowered.size());
        const std::string_view word = std::string_view(lowered).substr(start, end - start);
        if (!readDevice(word, query) && !readField(word, query) && !readPass(word, query))
            return { std::nullopt, problemOf(text.substr(start, end - start)) };
        any = true;
        at = end;
    }
    if (!any)
        return {};
    return { query, {} };
}

std::vector<std::int32_t> findPasses(const Timeline& timeline, const PassQuery& query)
{
    std::vector<std::int32_t> found;
    for (std::int32_t d = 0; d < timeline.devices(); ++d) {
        const std::int32_t end = timeline.deviceBegin[static_cast<std::size_t>(d) + 1];
        for (std::int32_t i = timeline.deviceBegin[static_cast<std::size_t>(d)]; i < end; ++i)
            if (query.matches(timeline.passes[static_cast<std::size_t>(i)], DeviceId { d }))
                found.push_back(i);
    }
    std::stable_sort(found.begin(), found.end(), [&](std::int32_t a, std::int32_t b) {
        return timeline.passes[static_cast<std::size_t>(a)].start < timeline.passes[static_cast<std::size_t>(b)].start;
    });
    return found;
}

} // namespace pipeloom::designer
