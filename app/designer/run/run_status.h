// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the tool row and the status bar say of a run. Pure, but for the session that is read.

#include <QString>

#include <optional>

namespace pipeloom::designer {

class RunSession;

/// For the tool row: `step 118 of 200 · 4 processes (gloo) · 3 min 12 s left`; `waiting for events.jsonl`; `failed at step 118`;
/// empty: no run.
[[nodiscard]] QString runSentence(const RunSession& session);

/// For the status bar: `events 18 412 · 0 lost · window current within 40 ms`; empty: no run.
[[nodiscard]] QString feedSentence(const RunSession& session);

/// Seconds until the last step has ended, as the last steps went; none: not known, or it has ended.
[[nodiscard]] std::optional<double> secondsLeft(const RunSession& session);

} // namespace pipeloom::designer
