// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The critical path: the chain of passes and transfers, each starting when the one before ends, that makes the step as long
// as it is.

#include "core/pipeline/pipeline.h"
#include "core/program/program.h"
#include "core/timeline/timeline.h"

#include <vector>

namespace pipeloom {

/// A pass or a transfer on the path.
struct PathStep {
    bool isTransfer = false;
    Pass pass;       ///< of a transfer: the pass that sent it
    DeviceId device; ///< of a transfer: from
    DeviceId to;     ///< of a transfer
    Ticks start = 0;
    Ticks end = 0;

    friend bool operator==(const PathStep&, const PathStep&) = default;
};

/// From the first start to the last end, in order of time: before each pass what it waited for last. Among equals the
/// predecessor on the same device, then the lower stage. Transfers between devices appear when the timeline has them and they
/// take time or were held up. Only a drawn block has gaps between one step and the next.
[[nodiscard]] std::vector<PathStep> criticalPath(const Timeline& timeline, const Pipeline& pipeline);

} // namespace pipeloom
