// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/paint.h"

#include <array>

namespace pipeloom::cli {

namespace {

struct Look {
    std::string_view few;
    std::string_view many;
};

/// By Ink. F dark, B middle, W light, so that the kinds stay apart in grey and for colour-blind eyes (GUI.md B).
constexpr std::array<Look, 10> looks { {
    { "", "" },
    { "\x1b[2m", "\x1b[38;5;245m" },
    { "\x1b[1m", "\x1b[1m" },
    { "\x1b[1;31m", "\x1b[1;38;5;196m" },
    { "\x1b[1;33m", "\x1b[1;38;5;214m" },
    { "\x1b[1;36m", "\x1b[1;38;5;73m" },
    { "\x1b[97;44m", "\x1b[38;5;231;48;5;25m" },
    { "\x1b[30;43m", "\x1b[38;5;16;48;5;172m" },
    { "\x1b[30;42m", "\x1b[38;5;16;48;5;151m" },
    { "\x1b[97;45m", "\x1b[38;5;231;48;5;130m" },
} };

bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

} // namespace

Ink ink(PassKind kind)
{
    switch (kind) {
    case PassKind::F:
        return Ink::PassF;
    case PassKind::B:
        return Ink::PassB;
    case PassKind::W:
        return Ink::PassW;
    case PassKind::BW:
        return Ink::PassBW;
    case PassKind::None:
        return Ink::Plain;
    }
    return Ink::Plain;
}

Ink ink(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return Ink::Error;
    case Severity::Warning:
        return Ink::Warning;
    case Severity::Note:
        return Ink::Note;
    }
    return Ink::Plain;
}

std::string_view switchTo(Ink ink, Colours colours)
{
    if (colours == Colours::None)
        return "";
    const Look& look = looks[static_cast<std::size_t>(ink)];
    return colours == Colours::Many ? look.many : look.few;
}

std::string_view switchToUnderline(Colours colours) { return colours == Colours::None ? "" : "\x1b[4m"; }

std::string_view switchBack(Colours colours) { return colours == Colours::None ? "" : "\x1b[0m"; }

std::string paint(std::string_view text, Ink ink, Colours colours)
{
    const std::string_view on = switchTo(ink, colours);
    if (on.empty())
        return std::string(text);
    return std::string(on).append(text).append(switchBack(colours));
}

std::size_t columnsOf(std::string_view text)
{
    std::size_t columns = 0;
    bool switching = false;
    for (const char c : text) {
        if (c == '\x1b')
            switching = true;
        else if (switching)
            switching = c != 'm';
        else if (!continuesCharacter(c))
            ++columns;
    }
    return columns;
}

std::string printable(std::string_view text)
{
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        // The second group of control characters is written as C2 80 .. C2 9F.
        const bool second = c == 0xC2U && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0U;
        if (second)
            ++i;
        if (second || c < 0x20U || c == 0x7FU)
            clean += '?';
        else
            clean += text[i];
    }
    return clean;
}

} // namespace pipeloom::cli
