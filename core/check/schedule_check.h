// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Is a schedule whole and can it run: every pass once and in its place, no device waiting for itself or in a circle. Found on
// the orders, before lowering, so it holds for every queue model (DESIGN.md 3.6).

#include "core/finding/finding.h"
#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"
#include "core/schedule/schedule.h"

namespace pipeloom {

/// Errors: schedule/rows (not one row per device), schedule/unknown (a stage or micro-batch that is not there),
/// schedule/misplaced (a pass on a device that does not hold its stage), schedule/missing, schedule/doubled, schedule/mixed
/// (BW besides B or W), schedule/pair (a pair that is not an F and a B or BW), schedule/order (a pass before its own input on
/// the same device), schedule/deadlock (devices wait for each other; the cycle, in order), costs/pair (a pair faster than the
/// longer of its passes). Warning: costs/pair (slower than both in turn). Missing and doubled passes are counted by stage and
/// kind, with the first micro-batch named. O(passes).
[[nodiscard]] Findings check(const Schedule& schedule, const Pipeline& pipeline, const Costs& costs);

} // namespace pipeloom
