// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The box beside a measured range: its length and what it comes to, with a line for each device.

#include "app/designer/schedule/range_figures.h"
#include "app/designer/schedule/timeline_scene.h"

#include <QStringList>

#include <vector>

class QPainter;

namespace pipeloom::designer {

/// What the box says, of any timeline.
struct RangeReadout {
    QString title;
    QString summary;
    std::vector<QStringList> rows; ///< the first is the head; all of one length
    QString rest;                  ///< below the rows; empty: none
};
/// Where it may stand.
struct ReadoutPlace {
    double left = 0; ///< of the plot
    double right = 0;
    double top = 0; ///< of the box
};
/// The range's edges in pixels.
struct ReadoutRange {
    double from = 0;
    double to = 0;
};
/// Devices that have room in a plot of that height.
[[nodiscard]] std::size_t readoutRows(double height);
void drawReadout(QPainter& painter, const RangeReadout& readout, const ReadoutPlace& place, const ReadoutRange& range,
    const Theme& theme);

/// Drawn beside the range, on the side that has more room. With many devices the idlest are shown.
void drawRangeReadout(QPainter& painter, const TimelineScene& scene, const RangeFigures& figures);

} // namespace pipeloom::designer
