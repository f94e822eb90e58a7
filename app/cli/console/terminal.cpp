// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

namespace pipeloom::cli {

namespace {

std::string_view environment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? std::string_view(value) : std::string_view();
}

int widthOf(int descriptor)
{
    winsize size {};
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return std::clamp<int>(size.ws_col, leastWidth, mostWidth);

    const std::string_view text = environment("COLUMNS");
    int width = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error == std::errc() && end == text.data() + text.size() && width > 0)
        return std::clamp(width, leastWidth, mostWidth);
    return Terminal().width;
}

Colours coloursOf(int descriptor)
{
    const std::string_view kind = environment("TERM");
    if (isatty(descriptor) == 0 || !environment("NO_COLOR").empty() || kind.empty() || kind == "dumb")
        return Colours::None;
    const bool many = kind.find("256color") != std::string_view::npos || !environment("COLORTERM").empty();
    return many ? Colours::Many : Colours::Few;
}

Characters charactersOf()
{
    for (const char* name : { "LC_ALL", "LC_CTYPE", "LANG" }) {
        std::string locale(environment(name));
        if (locale.empty())
            continue;
        std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) { return std::tolower(c); });
        const bool unicode = locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
        return unicode ? Characters::Unicode : Characters::Ascii;
    }
    return Characters::Ascii;
}

} // namespace

Terminal terminalOf(int descriptor)
{
    return { .width = widthOf(descriptor), .colours = coloursOf(descriptor), .characters = charactersOf() };
}

} // namespace pipeloom::cli
