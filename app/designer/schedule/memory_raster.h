// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A device's memory over time, written straight into an image: the curve with its limit, or a strip of its level.

#include "app/designer/schedule/pass_raster.h"

#include <optional>

namespace pipeloom::designer {

/// What a memory curve is drawn against.
struct MemoryMarks {
    Bytes scale = 1;            ///< level at the top of the area
    std::optional<Bytes> limit; ///< drawn as a dashed line; levels above it take its colour
};

/// In device pixels. The highest level reaches the top of the area.
void drawMemoryCurve(QImage& image, const std::vector<ColumnLevel>& levels, const PixelRect& area,
    const MemoryMarks& marks, const Theme& theme, double ratio, double fade);

/// A strip whose tone is the level.
void drawMemoryStrip(QImage& image, const std::vector<ColumnLevel>& levels, const PixelRect& area,
    const MemoryMarks& marks, const Theme& theme, double fade);

/// The levels as a line alone: whole, or dashed.
void drawLevelLine(QImage& image, const std::vector<ColumnLevel>& levels, const PixelRect& area,
    const MemoryMarks& marks, QRgb colour, double ratio);
void drawLevelDashes(QImage& image, const std::vector<ColumnLevel>& levels, const PixelRect& area,
    const MemoryMarks& marks, QRgb colour, double ratio);

/// A stretch of time that is hatched; given by start.
struct HatchedSpan {
    Ticks from = 0;
    Ticks to = 0;
};
void drawHatching(QImage& image, const std::vector<HatchedSpan>& spans, const TimeMap& map, const PixelRect& area,
    const Theme& theme, double ratio, double fade);

/// Hatching of the columns in which something is on its way to the device.
void drawTransferLane(QImage& image, const ScheduleData& data, DeviceId device, const TimeMap& map,
    const PixelRect& area, const Theme& theme, double ratio, double fade);

} // namespace pipeloom::designer
