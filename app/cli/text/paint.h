// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Colours of the terminal, and the care that text from files needs before it is shown there.

#include "app/cli/console/terminal.h"
#include "core/finding/finding.h"
#include "core/pipeline/pass.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace pipeloom::cli {

/// What a piece of text is, which says how it looks where there are colours.
enum class Ink : unsigned char {
    Plain,
    Faint,  ///< rulers, idle time, memory
    Strong, ///< headings, results
    Error,
    Warning,
    Note,
    PassF,
    PassB,
    PassW,
    PassBW,
};

[[nodiscard]] Ink ink(PassKind kind);
[[nodiscard]] Ink ink(Severity severity);

/// What switches the terminal to an ink; empty where there are no colours. `underlined`: as well.
[[nodiscard]] std::string_view switchTo(Ink ink, Colours colours);
[[nodiscard]] std::string_view switchToUnderline(Colours colours);
/// What switches it back.
[[nodiscard]] std::string_view switchBack(Colours colours);

/// The text in that ink, as far as there are colours.
[[nodiscard]] std::string paint(std::string_view text, Ink ink, Colours colours);

/// Columns that the text takes: a column for each character, none for what switches inks.
[[nodiscard]] std::size_t columnsOf(std::string_view text);

/// Without the control characters by which a name in a file could take over the terminal: each becomes `?`.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace pipeloom::cli
