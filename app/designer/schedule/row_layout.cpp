// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/row_layout.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

RowBands RowLayout::bands(std::int32_t row) const
{
    constexpr double thin = 4; // of the transfer lane and of the level strip
    RowBands bands;
    bands.top = row * rowHeight;
    bands.height = rowHeight;
    const double lane = transfers && rowHeight >= levelFrom ? thin : 0;
    double rest = 0; // below the passes
    double pad = 0;
    switch (detail()) {
    case RowDetail::Curve:
        pad = 6;
        bands.passHeight = memory ? std::clamp(std::round(rowHeight * 0.35), 18.0, 34.0)
                                  : std::min(rowHeight - 2 * pad - lane, 48.0);
        rest = memory ? rowHeight - pad - bands.passHeight - lane - 10 : 0;
        break;
    case RowDetail::Level:
        pad = rowHeight >= 24 ? 2 : 1;
        rest = memory ? thin : 0;
        bands.passHeight = std::min(rowHeight - 2 * pad - lane - rest - (rest > 0 ? 1 : 0), 34.0);
        break;
    case RowDetail::Line:
        pad = rowHeight >= 6 ? 1 : 0;
        bands.passHeight = rowHeight - pad - (pad > 0 || rowHeight >= 3 ? 1 : 0);
        break;
    }
    bands.passTop = bands.top + pad;
    bands.laneHeight = lane;
    bands.laneTop = bands.passTop + bands.passHeight + (detail() == RowDetail::Curve ? 1 : 0);
    bands.memoryHeight = rest;
    if (rest > 0)
        bands.memoryTop = detail() == RowDetail::Curve ? bands.top + rowHeight - rest - 3
                                                       : bands.passTop + bands.passHeight + lane + 1;
    return bands;
}

std::int32_t RowLayout::rowAt(double y) const
{
    if (y < 0 || y >= contentHeight())
        return -1;
    return static_cast<std::int32_t>(y / rowHeight);
}

double fittingRowHeight(double available, std::int32_t rows)
{
    constexpr double leastReadable = 14;
    constexpr double mostUseful = 96;
    return std::clamp(std::floor(available / std::max(rows, 1)), leastReadable, mostUseful);
}

} // namespace pipeloom::designer
