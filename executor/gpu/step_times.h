// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a step's record says of busy, transferring and waiting when passes run on after they were started: read off the times of
// passes and transfers, since what the host waited for is another thing.

#include "executor/step_record.h"

namespace pipeloom::executor::gpu {

/// Sets `busy` (and `processor` with it) to the time in slots, and `transfer` to the time between slots in which the input that the next slot waits for
/// was on its way; the passes of a slot get its times. Passes in the order they ran. `stages` is the whole pipeline's number of stages.
void settleTimes(StepRecord& record, std::int32_t stages);

} // namespace pipeloom::executor::gpu
