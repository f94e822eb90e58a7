// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Costs measured in a run become those of the design.

#include "app/designer/edit/edited.h"
#include "core/measured/run_costs.h"

namespace pipeloom::designer {

/// Ticks of all passes and transfers, and how long a tick is (core/measured/run_costs.h); memory in bytes as well if `memory` tells
/// it, else it stays. Refused if the run is of another pipeline (devices, stages or placement; micro-batches may be others), or
/// no step of it has ended. `ofRun`: the pipeline of the design that was run, one replica. `Costs measured in 20 steps`
[[nodiscard]] Edited useMeasuredCosts(
    const Design& design, const RunCosts& costs, const Pipeline& ofRun, const RunPlanned* memory = nullptr);

} // namespace pipeloom::designer
