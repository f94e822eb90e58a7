// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Devices that wait for each other, found on the orders alone (DESIGN.md 3.6).

#include "core/check/pass_places.h"
#include "core/finding/finding.h"

#include <optional>

namespace pipeloom {

/// The cycle of device order and data that stops the schedule, as schedule/deadlock, its places in order; none if it runs to
/// its end. The schedule must be whole: every pass once, in its place. O(passes).
[[nodiscard]] std::optional<Finding> findDeadlock(
    const Schedule& schedule, const Pipeline& pipeline, const PassPlaces& places);

} // namespace pipeloom
