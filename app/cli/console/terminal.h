// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What may be printed to whoever reads: how wide, in which colours, in which characters.

namespace pipeloom::cli {

enum class Colours : unsigned char {
    None,
    Few, ///< the eight of old
    Many ///< 256
};

enum class Characters : unsigned char { Ascii, Unicode };

inline constexpr int leastWidth = 40;
inline constexpr int mostWidth = 10'000;

struct Terminal {
    int width = 80; ///< columns, leastWidth..mostWidth
    Colours colours = Colours::None;
    Characters characters = Characters::Ascii;
};

/// Colours only on a terminal, and neither with NO_COLOR nor on a dumb one. The width is the terminal's, else that of
/// COLUMNS, else 80. Unicode if the locale of the environment is a UTF-8 one.
[[nodiscard]] Terminal terminalOf(int descriptor);

} // namespace pipeloom::cli
