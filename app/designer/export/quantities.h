// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Numbers as people read them in captions and previews.

#include "app/designer/figures/figures.h"

#include <QString>

namespace pipeloom::designer {

/// `1 tick`, `59 ticks`.
[[nodiscard]] QString ticksText(Ticks ticks);
/// What ticks come to: `59 ms`, `1.457 s`.
[[nodiscard]] QString timeText(Ticks ticks, double tickUs);
/// `18.6 %`.
[[nodiscard]] QString shareText(double share);
/// `6 activations`, or bytes as `1.50 GB`.
[[nodiscard]] QString amountText(Bytes amount, MemoryUnit unit);

/// The design's sizes: `4 devices · 8 stages (V) · 8 micro-batches`.
[[nodiscard]] QString sizesLine(const Design& design);
/// Step time, idle share, own-span bubble and the highest peak with its limit, in one line with dots between.
[[nodiscard]] QString figuresLine(const Figures& figures);

} // namespace pipeloom::designer
