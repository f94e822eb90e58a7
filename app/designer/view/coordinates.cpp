// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/view/coordinates.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

Ticks rulerStep(double pixelsPerTick, double minPixels, Ticks unit)
{
    const double wanted = minPixels / (pixelsPerTick * static_cast<double>(unit));
    if (!(wanted > 1))
        return unit;
    const double power = std::pow(10, std::floor(std::log10(wanted)));
    for (const double factor : { 1.0, 2.0, 5.0 })
        if (factor * power >= wanted * (1 - 1e-9))
            return static_cast<Ticks>(std::llround(factor * power)) * unit;
    return static_cast<Ticks>(std::llround(10 * power)) * unit;
}

double snapped(double x, double devicePixelRatio) { return std::round(x * devicePixelRatio) / devicePixelRatio; }

} // namespace pipeloom::designer
