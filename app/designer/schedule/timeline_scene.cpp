// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/timeline_scene.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

RowBands TimelineScene::bandsAt(std::int32_t row) const
{
    RowBands bands = layout.bands(row);
    const double shift = rulerHeight - scroll;
    bands.top += shift;
    bands.passTop += shift;
    bands.laneTop += shift;
    bands.memoryTop += shift;
    return bands;
}

std::int32_t TimelineScene::firstRow() const
{
    return std::clamp(static_cast<std::int32_t>(scroll / layout.rowHeight), 0, layout.rows);
}

std::int32_t TimelineScene::endRow() const
{
    const double bottom = (scroll + height - rulerHeight) / layout.rowHeight;
    return std::clamp(static_cast<std::int32_t>(std::ceil(bottom)), firstRow(), layout.rows);
}

QRectF TimelineScene::rectOf(PassIndex pass) const
{
    const TimedPass& timed = data->at(pass);
    const RowBands bands = bandsAt(data->deviceOf(pass).value);
    // What lies far outside is cut off, so that painters never see a coordinate beyond their range.
    const double far = plotWidth() + 16;
    const auto edge = [&](Ticks time) {
        return (plotPixel() + nearestPixel(std::clamp(map.xOf(time) * ratio, -16.0, far * ratio))) / ratio;
    };
    const double left = edge(timed.start);
    const double right = std::max(edge(timed.end), left + 1 / ratio);
    double top = snapped(bands.passTop, ratio);
    double bottom = snapped(bands.passTop + bands.passHeight, ratio);
    const bool opens = pass + 1 < data->rowEnd(data->deviceOf(pass)) && data->at(pass + 1).joined;
    const double middle = snapped(std::floor((bottom - top) * ratio / 2) / ratio + top, ratio);
    if (timed.joined)
        top = middle;
    else if (opens)
        bottom = middle;
    return { left, top, right - left, bottom - top };
}

} // namespace pipeloom::designer
