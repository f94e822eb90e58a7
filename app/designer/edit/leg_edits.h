// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The handles for the offsets of a block, as edits (core/block/legs.h has what they mean).

#include "app/designer/edit/edited.h"
#include "core/block/legs.h"

#include <cstddef>

namespace pipeloom::designer {

/// Adds `by` at every boundary of the leg (index into `legs`). Refused without a block or for a leg that is not there.
/// `δF0 = 3`, of a mixed leg `δF0 +1`
[[nodiscard]] Edited shiftLeg(
    const Design& design, RouteId route, std::size_t leg, Ticks by, AfterShift after = AfterShift::Fit);

/// The same for a turn (index into `turns`). `F0→F1 = 3`
[[nodiscard]] Edited shiftTurn(
    const Design& design, RouteId route, std::size_t turn, Ticks by, AfterShift after = AfterShift::Fit);

} // namespace pipeloom::designer
