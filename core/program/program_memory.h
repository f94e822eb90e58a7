// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How high memory goes when a program runs: receive buffers included, which metrics of a timeline do not see.

#include "core/pipeline/costs.h"
#include "core/program/program.h"

#include <vector>

namespace pipeloom {

/// By device: static + communication + the highest of running sum, transients and receive buffers. A buffer, the bytes of
/// its message, counts from the issue of the receive until the consuming pass takes it over; without `bytes` it counts
/// nothing. A device runs its list in order, so the list alone decides (DESIGN.md 3.3, 3.7).
/// `reductions`: by stage, what a reduction of its weight gradients takes, from its place in the list to the end of the step;
/// empty: nothing.
[[nodiscard]] std::vector<Bytes> peaks(const Program& program, const Pipeline& pipeline, const MemoryModel& memory,
    const Network& network, const std::vector<Bytes>& reductions = {});

} // namespace pipeloom
