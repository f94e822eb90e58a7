// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Costs measured in a run become those of the design.

#include "app/designer/edit/edited.h"
#include "app/designer/run/costs_of_run.h"

namespace pipeloom::designer {

/// Ticks of all passes and transfers, and how long a tick is: so fine that rounding costs half a per cent at most. A pass's ticks
/// are its time and what its device takes behind it. Of B, W and BW those that the run has none of follow from the others: BW is
/// B and W, or is cut as the design has it. Memory, queues and all that is no time stay. Refused if the run is of another
/// pipeline (devices, stages or placement; micro-batches may be others), or lacks a pass. `Costs measured in 20 steps`
/// `ofDesign`: the pipeline of the design that was run, one replica.
[[nodiscard]] Edited useMeasuredCosts(const Design& design, const CostsOfRun& costs, const Pipeline& ofDesign);

} // namespace pipeloom::designer
