// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Squeeze: keep each device's order, start every pass as early as its device, its inputs and constant transfer times allow.
// Source: arXiv 2405.15362, section 3; DESIGN.md 3.8.

#include "core/pipeline/costs.h"
#include "core/schedule/schedule.h"
#include "core/timeline/timeline.h"

#include <optional>

namespace pipeloom {

/// The squeezed form with its times, queues not looked at (queue model `ideal`). None if the order cannot run to its end:
/// check says why. Passes must be those of the pipeline, each at most once.
[[nodiscard]] std::optional<Timeline> squeeze(
    const Schedule& order, const Pipeline& pipeline, const Costs& costs, const Network& network);

} // namespace pipeloom
