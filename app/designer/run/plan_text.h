// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the timeline of plan and actual says in words: status line, tool tips, screen readers.

#include "app/designer/run/plan_hit.h"
#include "app/designer/run/plan_range.h"
#include "app/designer/run/run_picture.h"

#include <QString>
#include <QStringList>

namespace pipeloom::designer {

/// `12.3 ms`, `480 µs`, `1.52 s`: three digits.
[[nodiscard]] QString nanosText(Ticks nanos);
/// `12.30–13.41 ms`: both in the unit of the later one.
[[nodiscard]] QString nanosSpan(Ticks from, Ticks to);
/// Which unit times up to this one are told in, in nanoseconds: 1, 1e3, 1e6, 1e9; and its name.
struct TimeUnit {
    Ticks nanos = 1;
    QString name;
};
[[nodiscard]] TimeUnit unitFor(Ticks nanos);

/// `412 of 480 MB`; without a second amount `412 MB`.
[[nodiscard]] QString amountText(Bytes amount, std::optional<Bytes> of);

/// `2F3 on device 1 · planned 12.0–13.1 ms · actual 12.4–13.6 ms · 0.40 ms later · took 1.09 × planned`
[[nodiscard]] QString passSentence(const RunPicture& picture, const Pass& pass);
/// At most six lines on what lies under the mouse; empty: nothing worth a tip.
[[nodiscard]] QStringList tipLines(const RunPicture& picture, const PlanHit& hit);
/// The same in one line; empty: nothing.
[[nodiscard]] QString hitSentence(const RunPicture& picture, const PlanHit& hit);
/// `12.0–18.0 ms · compute 62.1 % · transfer 2.0 % · waiting 35.9 %`
[[nodiscard]] QString rangeSentence(const PlanRange& range);

} // namespace pipeloom::designer
