// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/finding/finding.h"

namespace pipeloom::executor {

/// A note (run/overhead) if devices spend more of their time in the rank loop than they wait for inputs, and more than one
/// part in twenty: then fewer bubbles do not make micro-batches faster. Shares are of devices times makespan.
[[nodiscard]] Findings overheadNote(double loopShare, double waitingShare);

} // namespace pipeloom::executor
