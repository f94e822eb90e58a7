// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Does each device stay within its memory limit (DESIGN.md 3.3).

#include "core/finding/finding.h"
#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"

#include <vector>

namespace pipeloom {

/// Errors: memory/infeasible (no order whatever fits: static and communication memory and what one micro-batch leaves on the
/// device are above the limit already), memory/limit (this order's peak is above it; with what the peak is made of).
/// `peaks`: by device, static and communication included.
[[nodiscard]] Findings checkLimits(
    const std::vector<Bytes>& peaks, const MemoryModel& memory, const Pipeline& pipeline);

/// The least that any order makes a device hold: static + communication + what one micro-batch leaves there when it has been
/// forward through all the device's stages, by the route that leaves most.
[[nodiscard]] Bytes leastPeak(const MemoryModel& memory, const Pipeline& pipeline, DeviceId device);

/// `3 activations`, `1 activation`, `2.18 GB (2176000000 bytes)`: how memory is written in findings.
[[nodiscard]] std::string memoryText(Bytes amount, MemoryUnit unit);

} // namespace pipeloom
