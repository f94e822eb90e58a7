// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What lies over the picture of a timeline and changes with mouse and keys: hair line, selection with its dependencies,
// critical path, range, marks, search hits, the end before a gesture.

#include "app/designer/schedule/range_figures.h"
#include "app/designer/schedule/timeline_scene.h"
#include "core/simulate/critical_path.h"

#include <optional>

class QPainter;

namespace pipeloom::designer {

struct TimelineOverlays {
    std::optional<double> hair; ///< x of the mouse
    std::vector<PassIndex> selected;
    bool wholeChain = false; ///< of the selection, not only its neighbours
    std::vector<PathStep> criticalPath;
    std::optional<RangeFigures> range;
    std::vector<TimeRange> marks;
    std::optional<Ticks> endBefore; ///< of the step, before a gesture
    std::vector<PassIndex> hits;    ///< of the search
    PassIndex currentHit = -1;
    std::optional<QRectF> zoomBox;
    PassIndex moving = -1;        ///< a pass that is being dragged to another place in its row
    std::optional<double> dropAt; ///< x at which it would be dropped
    bool dropIsRefused = false;
    bool focused = false; ///< the timeline has the keyboard
};

void paintOverlays(QPainter& painter, const TimelineScene& scene, const TimelineOverlays& overlays);

} // namespace pipeloom::designer
