// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every check returns: a sentence a tired person understands, with the numbers in it, where it holds and a way out.
// The same finding reads the same on the command line and in the window.

#include "core/finding/ids.h"

#include <optional>
#include <string>
#include <vector>

namespace pipeloom {

enum class Severity : std::uint8_t { Error, Warning, Note };

/// One place that a finding speaks of. Only what applies is set.
struct Place {
    std::optional<DeviceId> device;
    std::optional<std::int32_t> slot; ///< position in the device's list, from 0
    std::string pass;                 ///< as in text: `2F7`, in a block `7B`; a transfer: `1F3`
    std::optional<RouteId> route;
    std::string pointer;                ///< JSON pointer, for files
    std::optional<std::int32_t> row;    ///< line, from 1, for files
    std::optional<std::int32_t> column; ///< from 1

    friend bool operator==(const Place&, const Place&) = default;
};

struct Finding {
    std::string rule; ///< `room/what`, e.g. `schedule/deadlock`; stays the same from version to version
    Severity severity = Severity::Error;
    std::vector<Place> where; ///< one or more; a collision or a cycle has several, in order
    std::string queue;        ///< the queue model, if the finding holds for one only; else empty
    std::string message;      ///< one sentence, what is wrong, with the numbers
    std::string remedy;       ///< what to do about it

    friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

/// True if one of them is an error.
[[nodiscard]] bool hasErrors(const Findings& findings);

/// `error`, `warning`, `note`.
[[nodiscard]] const char* text(Severity severity);

/// One line: `error schedule/deadlock [ideal]  message remedy`, as the command line prints it.
[[nodiscard]] std::string text(const Finding& finding);

/// Appends `more` to `findings`.
void append(Findings& findings, Findings more);

} // namespace pipeloom
