// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the schedule says in words: the status line, tool tips, the readout of a range.

#include "app/designer/schedule/range_figures.h"
#include "app/designer/schedule/timeline_hit.h"

#include <QString>
#include <QStringList>

namespace pipeloom::designer {

/// `forward of stage 2, micro-batch 3`
[[nodiscard]] QString kindText(const Pass& pass);

/// `6B3 on device 1 · 17–18 · needs 7B3 (dev 0) · feeds 5B3 (dev 2) and 6W3`; only other devices are named.
[[nodiscard]] QString passSentence(const ScheduleData& data, PassIndex pass);

/// At most six lines on what lies under the mouse; empty: nothing worth a tip.
[[nodiscard]] QStringList tipLines(const ScheduleData& data, const TimelineHit& hit);

/// One line on what lies under the mouse, for the status line; empty: nothing.
[[nodiscard]] QString hitSentence(const ScheduleData& data, const TimelineHit& hit);

/// `12 ticks, 6–18 · busy 70.2 % · idle 24.8 % · transfer 5.0 % · peak 6`
[[nodiscard]] QString rangeSentence(const ScheduleData& data, const RangeFigures& figures);

/// `6–18 (12 ticks)`, with the time if a tick is a known time.
[[nodiscard]] QString durationText(Ticks ticks, const Design& design);

} // namespace pipeloom::designer
