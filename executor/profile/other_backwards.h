// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order of a schedule with the other kinds of backward, so that all four kinds of pass can be measured with all devices
// at work, whichever of them the design has.

#include "core/schedule/schedule.h"

namespace pipeloom::executor {

/// Every BW becomes B and W, one behind the other. Overlapped pairs become two slots, the F first.
/// What ran to its end before does so still: no pass waits for more than it did, except for its own device's.
[[nodiscard]] Schedule withSplitBackwards(const Schedule& schedule);

/// Every B becomes BW, and there is no W any more. Pairs as above.
[[nodiscard]] Schedule withFusedBackwards(const Schedule& schedule);

} // namespace pipeloom::executor
