// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Time to pixels and back, and where a ruler has its ticks: pure functions.

#include "core/finding/ids.h"

#include <vector>

namespace pipeloom::designer {

/// Linear: `begin` ticks at x = 0. Pixels are device-independent and relative to the area that time is drawn in.
struct TimeMap {
    double begin = 0;
    double pixelsPerTick = 1;

    [[nodiscard]] double xOf(double ticks) const { return (ticks - begin) * pixelsPerTick; }
    [[nodiscard]] double xOf(Ticks ticks) const { return xOf(static_cast<double>(ticks)); }
    [[nodiscard]] double timeAt(double x) const { return begin + x / pixelsPerTick; }
    friend bool operator==(const TimeMap&, const TimeMap&) = default;
};

/// The step between labelled ticks of a ruler: a multiple of `unit` (an interval, or 1) of the form 1, 2 or 5 times a power
/// of ten, at least `minPixels` wide. Always >= 1.
[[nodiscard]] Ticks rulerStep(double pixelsPerTick, double minPixels, Ticks unit = 1);

/// The edge of a pass in device pixels, so that neighbours meet without a seam at every scale.
[[nodiscard]] double snapped(double x, double devicePixelRatio);

} // namespace pipeloom::designer
