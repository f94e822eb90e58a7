// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/reports.h"

#include "core/formats/utf8.h"

#include <utility>

namespace pipeloom::formats {

void Reports::error(std::string rule, Place where, std::string message, std::string remedy)
{
    add({ std::move(rule), Severity::Error, { std::move(where) }, {}, std::move(message), std::move(remedy) });
}

void Reports::warning(std::string rule, Place where, std::string message, std::string remedy)
{
    add({ std::move(rule), Severity::Warning, { std::move(where) }, {}, std::move(message), std::move(remedy) });
}

void Reports::add(Finding finding)
{
    if (full())
        leftOut_ = true;
    else
        findings_.push_back(std::move(finding));
}

Findings Reports::take()
{
    if (full() || leftOut_)
        findings_.push_back({ "file/more", Severity::Note, { Place {} }, {},
            "Only the first " + std::to_string(most) + " faults are listed; there may be more.",
            "Mend these and read the file again." });
    return std::move(findings_);
}

Place placeAt(std::string pointer)
{
    Place place;
    place.pointer = std::move(pointer);
    return place;
}

std::string quotedText(std::string_view text, std::size_t mostCharacters)
{
    std::string shown = "`";
    std::size_t characters = 0;
    while (!text.empty() && characters < mostCharacters) {
        const std::size_t bytes = characterBytes(text);
        const bool control = bytes == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7F);
        if (bytes == 0 || control)
            shown += '?';
        else
            shown += text.substr(0, bytes);
        text.remove_prefix(bytes == 0 ? 1 : bytes);
        ++characters;
    }
    if (!text.empty())
        shown += "…";
    return shown + "`";
}

std::string pointerStep(std::string_view key)
{
    constexpr std::size_t mostBytes = 100;
    std::string step = "/";
    while (!key.empty() && step.size() < mostBytes) {
        const std::size_t bytes = characterBytes(key) == 0 ? 1 : characterBytes(key);
        if (key[0] == '~')
            step += "~0";
        else if (key[0] == '/')
            step += "~1";
        else
            step += key.substr(0, bytes);
        key.remove_prefix(bytes);
    }
    if (!key.empty())
        step += "…";
    return step;
}

} // namespace pipeloom::formats
