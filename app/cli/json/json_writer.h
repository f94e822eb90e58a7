// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One JSON document, written as it comes, so that a timeline of millions of passes needs no second copy in memory.

#include "app/cli/console/output.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pipeloom::cli {

/// Members of objects and elements of arrays stand on lines of their own; an object inside an array stands on one line
/// with all that is in it. Numbers have all their digits; text that is not UTF-8 gets replacement characters.
class JsonWriter {
public:
    explicit JsonWriter(Output& out)
        : out_(out)
    {
    }

    void beginObject() { begin('{', false); }
    void endObject() { end('}'); }
    void beginArray() { begin('[', true); }
    void endArray() { end(']'); }
    /// Plain ASCII without quotes.
    void key(std::string_view name);

    void value(std::nullptr_t);
    void value(bool value);
    void value(std::int64_t value);
    void value(std::int32_t number) { value(std::int64_t { number }); }
    void value(double value);
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    template <class T> void value(const std::optional<T>& maybe)
    {
        if (maybe)
            value(*maybe);
        else
            value(nullptr);
    }
    template <class T> void member(std::string_view name, const T& of)
    {
        key(name);
        value(of);
    }

private:
    struct Level {
        bool isArray = false;
        bool inlined = false;
        bool empty = true;
    };

    void begin(char bracket, bool isArray);
    void end(char bracket);
    void beforeValue();
    void newLine(std::size_t depth);
    void raw(std::string_view text);

    Output& out_;
    std::vector<Level> levels_;
    bool afterKey_ = false;
};

} // namespace pipeloom::cli
