// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stages moved from device to device, by dragging a pass far enough or in the inspector.

#include "app/designer/edit/edited.h"

namespace pipeloom::designer {

/// Places the stage of a route on another device, with all its passes of that route; their starts stay. A named placement
/// becomes a list. A device may be left without a stage: the findings say so. Refused for an explicit schedule, and for a
/// stage, route or device that is not there. `Move stage 3 to device 1`
[[nodiscard]] Edited moveStage(const Design& design, StageId stage, RouteId route, DeviceId device);

} // namespace pipeloom::designer
