// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The design file, `*.pipeloom.json` (FORMAT.md): strict reader, canonical writer, and safe saving.

#include "core/finding/finding.h"
#include "core/formats/design.h"

#include <optional>
#include <string>
#include <string_view>

namespace pipeloom {

struct ReadDesign {
    std::optional<Design> design; ///< none if the text cannot be read as a design
    Findings findings;            ///< rule file/...; each with a JSON pointer, or row and column where the text is no JSON
};

/// Reads a design from JSON text. Anything misspelt, doubled, of the wrong type or out of range is an error with its JSON
/// pointer (and the key that was meant); a newer `pipeloom` number is refused by name. A design that is broken but well
/// formed (collisions, missing passes, a stage twice) is read: the rooms' own checks speak of that.
/// Never throws, whatever the text: sizes and nesting are refused before memory is taken.
[[nodiscard]] ReadDesign readDesign(std::string_view text);

/// The same from a file, `-` for standard input. An unreadable or enormous file is an error (file/unreadable, file/size).
[[nodiscard]] ReadDesign loadDesign(const std::string& path);

/// The canonical form: keys in FORMAT.md's order, a value that is the same for all stages once, defaults left out.
/// readDesign(writeDesign(d)) gives d, and writing what was read from a canonical text gives the same bytes.
[[nodiscard]] std::string writeDesign(const Design& design);

/// Writes text to a temporary name beside `path`, syncs and renames, so that no file is ever left half written.
/// An error (file/write) says what failed; then nothing is left behind. `-` writes to standard output.
[[nodiscard]] Findings saveText(const std::string& path, std::string_view text);

} // namespace pipeloom
