// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What lies under a point of plan and actual, found with the numbers that it is drawn with: what is drawn can be hit.

#include "app/designer/run/run_picture.h"

#include <QPointF>

namespace pipeloom::designer {

struct PlanScene;

struct PlanHit {
    enum class What : std::uint8_t {
        Nothing,
        Ruler,
        Label,         ///< beside a device's rows
        Planned,       ///< one pass of the plan
        Actual,        ///< one pass that ran
        MergedPlanned, ///< several in one pixel column
        MergedActual,
        Idle,   ///< nothing ran
        Memory, ///< the curve
    };

    What what = What::Nothing;
    DeviceId device;        ///< if a row was hit
    PassPlace pass;         ///< of merged ones: the first
    std::int32_t count = 0; ///< passes in the column
    std::int32_t gap = -1;  ///< of Idle: index into the device's gaps; -1: the step has not begun there, or is over
    double time = 0;        ///< under the point
};

[[nodiscard]] PlanHit hitTest(const PlanScene& scene, QPointF at);

} // namespace pipeloom::designer
