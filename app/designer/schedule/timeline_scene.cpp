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

RowPlace TimelineScene::placeOf(DeviceId device) const
{
    const RowBands bands = bandsAt(device.value);
    return { map, labelWidth, plotWidth(), bands.passTop, bands.passHeight, ratio };
}

QRectF TimelineScene::rectOf(PassIndex pass) const
{
    const DeviceId device = data->deviceOf(pass);
    return placeOf(device).rectOf(data->row(device), static_cast<std::size_t>(pass - data->rowBegin(device)));
}

} // namespace pipeloom::designer
