// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/event_lines.h"

#include "core/formats/read_event.h"
#include "core/formats/reports.h"

#include <cstring>

namespace pipeloom {

namespace {

constexpr std::size_t mostLineBytes = std::size_t { 64 } << 20;

bool isBlank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

/// Without a byte order mark at the very beginning, and the carriage return of a line from Windows.
std::string_view trimmed(std::string_view line, std::int64_t begin)
{
    if (begin == 0 && line.starts_with("\xEF\xBB\xBF"))
        line.remove_prefix(3);
    if (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    return line;
}

} // namespace

EventCounts& EventCounts::operator+=(const EventCounts& more)
{
    lines += more.lines;
    garbled += more.garbled;
    unknown += more.unknown;
    cut += more.cut;
    if (firstGarbled.empty())
        firstGarbled = more.firstGarbled;
    return *this;
}

void EventLines::feed(std::string_view bytes, const Take& take)
{
    while (!bytes.empty()) {
        const void* found = std::memchr(bytes.data(), '\n', bytes.size());
        if (!found) {
            // Of a line without end only its length is of interest: it is garbled whatever comes.
            if (rest_.size() <= mostLineBytes)
                rest_ += bytes;
            fed_ += static_cast<std::int64_t>(bytes.size());
            return;
        }
        const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
        if (rest_.empty()) {
            line(bytes.substr(0, length), fed_, take);
        } else {
            rest_ += bytes.substr(0, std::min(length, mostLineBytes + 1));
            line(rest_, restBegin_, take);
            rest_.clear();
        }
        fed_ += static_cast<std::int64_t>(length) + 1;
        restBegin_ = fed_;
        bytes.remove_prefix(length + 1);
    }
}

void EventLines::finish(const Take& take)
{
    const std::string_view text = trimmed(rest_, restBegin_);
    if (!isBlank(text)) {
        std::string problem = "a line of more than 64 MB";
        std::optional<RunEvent> event;
        if (text.size() <= mostLineBytes)
            event = readEvent(text, problem);
        const bool isWhole = event || problem.empty();
        counts_.lines += isWhole ? 1 : 0;
        counts_.unknown += isWhole && !event ? 1 : 0;
        counts_.cut += isWhole ? 0 : 1;
        if (event)
            take(std::move(*event), restBegin_);
    }
    rest_.clear();
    restBegin_ = fed_;
}

void EventLines::line(std::string_view text, std::int64_t begin, const Take& take)
{
    text = trimmed(text, begin);
    if (isBlank(text))
        return;
    ++counts_.lines;
    std::string problem;
    if (text.size() > mostLineBytes) {
        problem = "a line of more than 64 MB";
    } else if (auto event = readEvent(text, problem)) {
        take(std::move(*event), begin);
        return;
    }
    if (problem.empty()) {
        ++counts_.unknown;
        return;
    }
    if (counts_.garbled++ == 0)
        counts_.firstGarbled = formats::quotedText(text.substr(0, 200), 60) + ": " + problem;
}

} // namespace pipeloom
