// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The box beside a measured range of a step: compute, transfer and waiting of each device.

#include "app/designer/run/plan_range.h"

class QPainter;

namespace pipeloom::designer {

struct PlanScene;

/// With many devices those that wait most are shown.
void drawPlanReadout(QPainter& painter, const PlanScene& scene, const PlanRange& range);

} // namespace pipeloom::designer
