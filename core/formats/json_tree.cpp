// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/json_tree.h"

#include "core/formats/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <utility>

namespace pipeloom::formats {

namespace {

/// Walks over the text and tells how far the parser has come, which its events do not say.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(std::string_view::const_iterator at, std::size_t& count)
        : at_(at)
        , count_(&count)
    {
    }
    reference operator*() const { return *at_; }
    CountingIterator& operator++()
    {
        ++at_;
        ++*count_;
        return *this;
    }
    CountingIterator operator++(int)
    {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

private:
    std::string_view::const_iterator at_;
    std::size_t* count_;
};

/// Takes the parser's events and builds the tree. Every event answers whether to go on.
class TreeBuilder {
public:
    TreeBuilder(std::string_view text, Reports& reports)
        : text_(text)
        , reports_(reports)
    {
    }

    std::size_t& read() { return read_; }
    void reportZeroByte(std::size_t offset)
    {
        report(
            offset, "file/json", "The text is no JSON here: it has a zero byte.", "See whether this is a text at all.");
    }
    [[nodiscard]] JsonValue takeRoot() { return std::move(root_); }

    // NOLINTBEGIN(readability-identifier-naming): nlohmann's names
    bool null() { return add(JsonValue {}); }
    bool boolean(bool value) { return add(JsonValue { value }); }
    bool number_integer(std::int64_t value) { return add(JsonValue { value }); }
    bool number_unsigned(std::uint64_t value)
    {
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return add(JsonValue { JsonReal { static_cast<double>(value), std::to_string(value) } });
        return add(JsonValue { static_cast<std::int64_t>(value) });
    }
    bool number_float(double value, const std::string& text) { return add(JsonValue { JsonReal { value, text } }); }
    bool string(std::string& value) { return add(JsonValue { std::move(value) }); }
    bool binary(std::vector<std::uint8_t>&) { return false; } // no such thing in JSON text

    bool start_object(std::size_t)
    {
        JsonObject object;
        object.begin = read_ - 1;
        return open(JsonValue { std::move(object) });
    }
    bool key(std::string& key)
    {
        std::get<JsonObject>(open_.back()->data).members.push_back({ std::move(key), JsonValue {} });
        return true;
    }
    bool end_object()
    {
        auto& object = std::get<JsonObject>(open_.back()->data);
        object.end = read_;
        reportDoubledKeys(object);
        open_.pop_back();
        return true;
    }
    bool start_array(std::size_t) { return open(JsonValue { JsonList {} }); }
    bool end_array()
    {
        open_.pop_back();
        return true;
    }

    template <class Exception>
    bool parse_error(std::size_t position, const std::string& lastToken, const Exception& exception)
    {
        constexpr int numberOverflow = 406;
        if (exception.id == numberOverflow)
            reports_.error("file/range", placeAt(pathOfNext()),
                fmt::format("The number {} is greater than any that can be read.", quotedText(lastToken)),
                "Give a smaller number.");
        else
            reportMalformed(position, lastToken, exception.what());
        return false;
    }

    // NOLINTEND(readability-identifier-naming)

private:
    bool add(JsonValue&& value) { return place(std::move(value)) != nullptr; }

    bool open(JsonValue&& value)
    {
        if (open_.size() >= maxNesting) {
            reportHere("file/depth",
                fmt::format("Lists and objects stand more than {} deep in one another.", maxNesting),
                "Nothing in a design is so deep: see whether this is the right file.");
            return false;
        }
        JsonValue* placed = place(std::move(value));
        if (placed == nullptr)
            return false;
        open_.push_back(placed);
        return true;
    }

    /// Puts the value where the parser stands; null if there are too many.
    JsonValue* place(JsonValue&& value)
    {
        if (++values_ > maxValues) {
            reportHere("file/size", fmt::format("The text holds more than {} values.", maxValues),
                "Give one number where all stages have the same.");
            return nullptr;
        }
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        if (auto* list = std::get_if<JsonList>(&open_.back()->data))
            return &list->emplace_back(std::move(value));
        JsonMember& member = std::get<JsonObject>(open_.back()->data).members.back();
        member.value = std::move(value);
        return &member.value;
    }

    /// The pointer of the innermost list or object that is open.
    [[nodiscard]] std::string pathOfOpen() const
    {
        std::string path;
        for (std::size_t level = 0; level + 1 < open_.size(); ++level)
            path += stepInto(*open_[level], 1);
        return path;
    }
    [[nodiscard]] std::string pathOfNext() const
    {
        return open_.empty() ? std::string() : pathOfOpen() + stepInto(*open_.back(), 0);
    }
    /// The step to the container's newest value (`placed` 1), or to the one that comes next (0).
    static std::string stepInto(const JsonValue& container, std::size_t placed)
    {
        if (const auto* list = container.as<JsonList>())
            return pointerStep(std::to_string(list->size() - placed));
        return pointerStep(std::get<JsonObject>(container.data).members.back().key);
    }

    void reportDoubledKeys(const JsonObject& object)
    {
        std::vector<std::string_view> keys;
        keys.reserve(object.members.size());
        for (const JsonMember& member : object.members)
            keys.push_back(member.key);
        std::sort(keys.begin(), keys.end());
        for (std::size_t i = 1; i < keys.size() && !reports_.full(); ++i) {
            // Once for a key, however often it stands there.
            if (keys[i] != keys[i - 1] || (i >= 2 && keys[i] == keys[i - 2]))
                continue;
            const auto times = std::count(keys.begin(), keys.end(), keys[i]);
            reports_.error("file/doubled", placeAt(pathOfOpen() + pointerStep(keys[i])),
                fmt::format("{} stands {} times in the same object.", quotedText(keys[i]), times),
                "Keep the one that holds.");
        }
    }

    void reportMalformed(std::size_t position, const std::string& lastToken, std::string_view what)
    {
        // nlohmann: "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing
        // value - invalid literal; last read: '...'". We say row and column ourselves.
        if (const auto colon = what.find(": "); colon != std::string_view::npos)
            what.remove_prefix(colon + 2);
        if (const auto last = what.find("; last read"); last != std::string_view::npos)
            what = what.substr(0, last);
        if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
            report(0, "file/json", "The text is empty.", "`pipeloom new` writes a design to begin with.");
            return;
        }
        std::size_t offset = position == 0 ? 0 : position - 1;
        // A token in the wrong place is shown by its start; a token that is broken, by the character that breaks it.
        if (what.find("unexpected") != std::string_view::npos)
            offset = startOfToken(offset, lastToken.size());
        if (offset >= text_.size() || what.find("unexpected end of input") != std::string_view::npos) {
            report(text_.size(), "file/json",
                "The text ends in the middle of a value, as a file does that was cut off.",
                "Get the whole file, or close what is open.");
            return;
        }
        report(offset, "file/json", fmt::format("The text is no JSON here: {}.", what),
            "Look for a missing or doubled comma, quote or brace just before this place.");
    }

    /// Of the token whose last byte is at `offset`; `bytes` is its length if it is a text.
    [[nodiscard]] std::size_t startOfToken(std::size_t offset, std::size_t bytes) const
    {
        if (offset < text_.size() && text_[offset] == '"' && bytes <= offset + 1)
            return offset + 1 - bytes;
        const auto isWord = [](char c) {
            return c == '+' || c == '-' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0;
        };
        while (offset > 0 && offset < text_.size() && isWord(text_[offset]) && isWord(text_[offset - 1]))
            --offset;
        return offset;
    }

    void reportHere(const char* rule, std::string message, std::string remedy)
    {
        report(read_ == 0 ? 0 : read_ - 1, rule, std::move(message), std::move(remedy));
    }

    void report(std::size_t offset, const char* rule, std::string message, std::string remedy)
    {
        const TextPosition position = positionOf(text_, offset);
        Place place;
        place.row = position.row;
        place.column = position.column;
        reports_.error(rule, std::move(place),
            fmt::format("Row {}, column {}: {}", position.row, position.column, message), std::move(remedy));
    }

    std::string_view text_;
    Reports& reports_;
    JsonValue root_;
    std::vector<JsonValue*> open_; ///< lists and objects not closed yet; the parent of one does not grow meanwhile
    std::size_t values_ = 0;
    std::size_t read_ = 0; ///< bytes that the parser has taken
};

} // namespace

const JsonValue* JsonObject::find(std::string_view key) const
{
    const auto found
        = std::find_if(members.begin(), members.end(), [key](const JsonMember& m) { return m.key == key; });
    return found == members.end() ? nullptr : &found->value;
}

std::optional<JsonValue> parseJson(std::string_view text, Reports& reports)
{
    TreeBuilder builder(text, reports);
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        builder.reportZeroByte(zero); // which the parser would take for the end
        return std::nullopt;
    }
    const CountingIterator first(text.begin(), builder.read());
    const CountingIterator last(text.end(), builder.read());
    if (!nlohmann::json::sax_parse(first, last, &builder))
        return std::nullopt;
    return builder.takeRoot();
}

} // namespace pipeloom::formats
