// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What follows when a cost changes: BW stays the sum of B and W, and frees what F takes, as long as it did before.

#include "app/designer/edit/edited.h"

namespace pipeloom::designer {

/// Ticks of BW by stage: where they were B + W in `before`, they are so in `edited`.
void followTicks(Design& edited, const Design& before);
/// Memory changes of BW by stage: where they were -F in `before`, they are so in `edited`.
void followMemory(Design& edited, const Design& before);

/// Refused: the kind is none of F, B, W and BW.
[[nodiscard]] Edited refusedWithoutKind();

} // namespace pipeloom::designer
