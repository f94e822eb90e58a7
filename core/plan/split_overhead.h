// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What splitting the backward pass into B and W costs, and when the plain schedule with the fused one is faster.

#include "core/formats/design.h"
#include "core/timeline/metrics.h"

#include <optional>

namespace pipeloom {

/// A note (costs/split-overhead) if the schedule splits the backward and B + W takes longer than BW: the step beside that of
/// 1F1B with fused backwards, (m + p - 1)(F + BW), and the number of micro-batches from which 1F1B is faster. Only for equal
/// devices, one route and free transfers, where the form holds; else none. `figures`: of the schedule.
[[nodiscard]] std::optional<Finding> splitOverhead(
    const Design& design, const Schedule& schedule, const Metrics& figures);

} // namespace pipeloom
