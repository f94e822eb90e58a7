// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The box beside a measured range: its length and what it comes to, with a line for each device.

#include "app/designer/schedule/range_figures.h"
#include "app/designer/schedule/timeline_scene.h"

class QPainter;

namespace pipeloom::designer {

/// Drawn beside the range, on the side that has more room. With many devices the idlest are shown.
void drawRangeReadout(QPainter& painter, const TimelineScene& scene, const RangeFigures& figures);

} // namespace pipeloom::designer
