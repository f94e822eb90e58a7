// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json/json_writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace pipeloom::cli {

namespace {

/// Nothing in it that JSON writes otherwise: so are the names of passes, of which there may be millions.
bool isPlain(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; });
}

} // namespace

void JsonWriter::key(std::string_view name)
{
    beforeValue();
    raw("\"");
    raw(name);
    raw("\": ");
    afterKey_ = true;
}

void JsonWriter::value(std::nullptr_t)
{
    beforeValue();
    raw("null");
}

void JsonWriter::value(bool value)
{
    beforeValue();
    raw(value ? "true" : "false");
}

void JsonWriter::value(std::int64_t value)
{
    beforeValue();
    raw(std::to_string(value));
}

void JsonWriter::value(double value)
{
    beforeValue();
    raw(nlohmann::json(value).dump());
}

void JsonWriter::value(std::string_view text)
{
    beforeValue();
    if (isPlain(text)) {
        raw("\"");
        raw(text);
        raw("\"");
        return;
    }
    raw(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void JsonWriter::begin(char bracket, bool isArray)
{
    beforeValue();
    const bool inlined = !levels_.empty() && (levels_.back().inlined || (levels_.back().isArray && !isArray));
    levels_.push_back({ .isArray = isArray, .inlined = inlined });
    raw({ &bracket, 1 });
}

void JsonWriter::end(char bracket)
{
    const Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty && !level.inlined)
        newLine(levels_.size());
    raw({ &bracket, 1 });
    if (levels_.empty())
        raw("\n");
}

void JsonWriter::beforeValue()
{
    if (afterKey_ || levels_.empty()) {
        afterKey_ = false;
        return;
    }
    Level& level = levels_.back();
    if (!level.empty)
        raw(level.inlined ? ", " : ",");
    if (!level.inlined)
        newLine(levels_.size());
    level.empty = false;
}

void JsonWriter::newLine(std::size_t depth) { raw("\n" + std::string(2 * depth, ' ')); }

void JsonWriter::raw(std::string_view text) { out_.write(text); }

} // namespace pipeloom::cli
