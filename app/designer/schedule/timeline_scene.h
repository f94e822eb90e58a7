// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All that a picture of a timeline depends on, and where things are in it. Drawing, overlays and hit test go by it alone.

#include "app/designer/schedule/pass_tones.h"
#include "app/designer/schedule/row_layout.h"
#include "app/designer/schedule/schedule_data.h"
#include "app/designer/view/coordinates.h"

#include <QRectF>

#include <cmath>

namespace pipeloom::designer {

/// Device-independent pixels.
struct TimelineScene {
    static constexpr double rulerHeight = 24;

    const ScheduleData* data = nullptr;
    TimeMap map; ///< from the left edge of the plot
    RowLayout layout;
    double labelWidth = 70;
    double width = 0;
    double height = 0;
    double scroll = 0; ///< of the rows, whole pixels
    double ratio = 1;  ///< device pixels for each pixel
    ColourMode colours = ColourMode::Kind;
    std::int32_t only = -1; ///< all other micro-batches are dimmed
    double fade = 0;        ///< figures that do not hold yet are paler
    const Theme* theme = nullptr;

    [[nodiscard]] double plotWidth() const { return width - labelWidth; }
    /// The bands of a row in the picture.
    [[nodiscard]] RowBands bandsAt(std::int32_t row) const;
    [[nodiscard]] double xOf(Ticks time) const { return labelWidth + map.xOf(time); }
    /// Where the plot begins in device pixels; passes are snapped from there on.
    [[nodiscard]] double plotPixel() const { return std::round(labelWidth * ratio); }
    /// Rows that are at least partly seen: [first, last).
    [[nodiscard]] std::int32_t firstRow() const;
    [[nodiscard]] std::int32_t endRow() const;
    /// Where the passes of a device are drawn.
    [[nodiscard]] RowPlace placeOf(DeviceId device) const;
    /// A pass as it is drawn where passes are told apart, edges snapped; half the height for one of a pair.
    [[nodiscard]] QRectF rectOf(PassIndex pass) const;
};

} // namespace pipeloom::designer
