// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Edits of a block's times as a whole: the interval T, what passes are drawn with. All are refused without a block.

#include "app/designer/edit/edited.h"

#include <optional>

namespace pipeloom::designer {

/// Sets T; passes stay. Below 1 it stops at 1. `Interval 8`
[[nodiscard]] Edited setInterval(const Design& design, Ticks interval);

/// Sets T and fits the block to it (core/block/legs.h, `refit`); if that is not possible, only T is set. `Refit to interval 8`
[[nodiscard]] Edited refitInterval(const Design& design, Ticks interval);

/// Draws the block with the real costs: its durations become the costs, and all passes are timed anew so that the order of
/// every device is kept, nothing is early or collides, and T is as short as that order allows (core/block/retime.h).
/// Transfers take no time in a block, and a pair the sum of its two. Refused if that order cannot run.
/// `Draw with the real costs`
[[nodiscard]] Edited retimeWithCosts(const Design& design);

/// What passes of a kind are drawn with, of one stage or (none) of all, in ticks. Starts stay. `F drawn with 3 ticks`
[[nodiscard]] Edited setDuration(const Design& design, PassKind kind, std::optional<StageId> stage, Ticks ticks);

} // namespace pipeloom::designer
