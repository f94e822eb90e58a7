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

} // namespace pipeloom::designer
