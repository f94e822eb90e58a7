// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/timeline_row.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

std::size_t TimelineRow::firstAfter(double time) const
{
    const auto most = static_cast<double>(longest);
    const auto first = std::partition_point(passes.begin(), passes.end(),
        [&](const TimedPass& pass) { return static_cast<double>(pass.start) + most <= time; });
    return static_cast<std::size_t>(first - passes.begin());
}

double RowPlace::plotPixel() const { return std::round(left * ratio); }

QRectF RowPlace::rectOf(const TimelineRow& row, std::size_t pass) const
{
    const TimedPass& timed = row.passes[pass];
    // What lies far outside is cut off, so that painters never see a coordinate beyond their range.
    const double far = width + 16;
    const auto edge = [&](Ticks time) {
        return (plotPixel() + nearestPixel(std::clamp(map.xOf(time) * ratio, -16.0, far * ratio))) / ratio;
    };
    const double from = edge(timed.start);
    const double to = std::max(edge(timed.end), from + 1 / ratio);
    double above = snapped(top, ratio);
    double below = snapped(top + height, ratio);
    const double middle = snapped(std::floor((below - above) * ratio / 2) / ratio + above, ratio);
    if (timed.joined)
        above = middle;
    else if (row.opensPair(pass))
        below = middle;
    return { from, above, to - from, below - above };
}

RowHit passesBetween(const TimelineRow& row, double from, double to)
{
    RowHit hit;
    for (std::size_t i = row.firstAfter(from); i < row.passes.size(); ++i) {
        const TimedPass& pass = row.passes[i];
        if (static_cast<double>(pass.start) >= to)
            break;
        if (static_cast<double>(pass.end) <= from)
            continue;
        if (hit.count++ == 0)
            hit.pass = i;
    }
    return hit;
}

ColumnHit passesInColumn(const TimelineRow& row, const RowPlace& place, double column)
{
    const TimeMap map { place.map.begin, place.map.pixelsPerTick * place.ratio };
    const RowHit hit = passesBetween(row, map.timeAt(column), map.timeAt(column + 1));
    if (hit.count > 0)
        return { hit, false };
    const auto period = static_cast<double>(row.period);
    const double first = std::floor(map.timeAt(column) / period) * period;
    const double last = std::ceil(map.timeAt(column + 1) / period) * period;
    return { passesBetween(row, first, last), true };
}

RowHit passInColumn(const TimelineRow& row, const RowPlace& place, double column, bool below)
{
    const TimeMap map { place.map.begin, place.map.pixelsPerTick * place.ratio };
    const double far = place.width * place.ratio + 8; // beyond it nothing is hit
    RowHit hit;
    for (std::size_t i = row.firstAfter(map.timeAt(column - 2)); i < row.passes.size(); ++i) {
        const TimedPass& pass = row.passes[i];
        const double from = nearestPixel(std::max(map.xOf(pass.start), -8.0));
        if (from > column)
            break;
        if (std::max<double>(nearestPixel(std::clamp(map.xOf(pass.end), -8.0, far)), from + 1) <= column)
            continue;
        if ((pass.joined && !below) || (row.opensPair(i) && below))
            continue;
        hit = { i, 1 }; // the last one drawn lies on top
    }
    return hit;
}

} // namespace pipeloom::designer
