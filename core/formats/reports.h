// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a reader found wrong, and how findings show text that came from a file.

#include "core/finding/finding.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace pipeloom::formats {

/// Collects findings up to a number that a person may still read, so that a file of a million faults neither takes
/// memory nor floods the screen. Loops over a file's values ask `full` and stop.
class Reports {
public:
    static constexpr std::size_t most = 100;

    void error(std::string rule, Place where, std::string message, std::string remedy);
    void warning(std::string rule, Place where, std::string message, std::string remedy);
    void add(Finding finding);

    [[nodiscard]] bool full() const { return findings_.size() >= most; }
    [[nodiscard]] bool hasErrors() const { return pipeloom::hasErrors(findings_); }

    /// All findings; where some were left out, a note (file/more) says so at the end.
    [[nodiscard]] Findings take();

private:
    Findings findings_;
    bool leftOut_ = false;
};

/// A place that is a JSON pointer.
[[nodiscard]] Place placeAt(std::string pointer);

/// The text in backquotes, fit for one line: `?` for control characters and broken UTF-8, `…` for what is too much.
[[nodiscard]] std::string quotedText(std::string_view text, std::size_t mostCharacters = 40);

/// One step of a JSON pointer, `/key`, escaped as RFC 6901 says. A key beyond 100 bytes is cut: nobody can read it.
[[nodiscard]] std::string pointerStep(std::string_view key);

} // namespace pipeloom::formats
