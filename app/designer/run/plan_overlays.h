// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What lies over the picture of plan and actual and changes with mouse, keys and time: the line that says now, the selected
// pass in both rows, a measured range, the hair line, what is being waited for.

#include "app/designer/run/plan_range.h"
#include "app/designer/run/plan_scene.h"

#include <QString>

#include <optional>

class QPainter;

namespace pipeloom::designer {

struct PlanOverlays {
    std::optional<double> hair; ///< x of the mouse
    std::optional<Pass> selected;
    std::optional<PlanRange> range;
    std::optional<std::int32_t> device; ///< its rows are marked
    std::optional<QRectF> zoomBox;
    QString notice;       ///< in the middle of the plot; empty: none
    bool focused = false; ///< the timeline has the keyboard
};

void paintOverlays(QPainter& painter, const PlanScene& scene, const PlanOverlays& overlays);

} // namespace pipeloom::designer
