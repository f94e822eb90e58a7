// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What lies under a point of a timeline, found with the numbers that it is drawn with: what is drawn can be hit.

#include "app/designer/schedule/timeline_scene.h"

#include <QPointF>

namespace pipeloom::designer {

struct TimelineHit {
    enum class What : std::uint8_t {
        Nothing,  ///< below the last row, or beside the device's own span
        Ruler,    ///< the strip of ticks
        Label,    ///< a device's name
        Pass,     ///< one pass
        Merged,   ///< several passes in one pixel column
        Idle,     ///< a bubble of the device's own span
        Transfer, ///< the lane below the passes
        Memory,   ///< the curve or the level strip
    };

    What what = What::Nothing;
    DeviceId device;            ///< if a row was hit
    PassIndex pass = -1;        ///< of Merged: the first
    std::int32_t count = 0;     ///< passes in the column
    std::int32_t transfer = -1; ///< index into the timeline's
    double time = 0;            ///< under the point
};

[[nodiscard]] TimelineHit hitTest(const TimelineScene& scene, QPointF at);

} // namespace pipeloom::designer
