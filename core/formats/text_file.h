// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whole text files: read within a size, and saved so that no file is ever left half written.

#include "core/finding/finding.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pipeloom {

struct ReadText {
    std::optional<std::string> text;
    Findings findings; ///< file/unreadable, file/size
};

/// All bytes of a file, `-` for standard input. A missing or unreadable file, a directory, and a file of more than
/// `mostBytes`, which are not read then, are errors that name the path and what the system said.
[[nodiscard]] ReadText readTextFile(const std::string& path, std::size_t mostBytes);

/// Writes the text to a temporary name beside `path`, syncs and renames. An existing file keeps its permissions, and is
/// refused if it is write-protected; a symbolic link stays, its target is replaced. What is no regular file (a pipe,
/// /dev/null) is written to as it is. `-` is standard output.
/// An error (file/write) says what failed, a full disk or a size limit too; then the old file is as it was and nothing is
/// left behind. A warning (file/sync): the file is in place, but the system would not confirm that its name is on disk.
[[nodiscard]] Findings saveText(const std::string& path, std::string_view text);

} // namespace pipeloom
