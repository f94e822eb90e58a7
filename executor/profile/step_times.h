// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A step read off the records of its devices, which know what events do not tell: where the processor was.

#include "core/measured/step_times.h"
#include "executor/step_record.h"

#include <span>

namespace pipeloom::executor {

/// `devices`: the records of one step of this program, by device.
[[nodiscard]] StepTimes stepTimes(const Program& program, std::span<const StepRecord> devices);

} // namespace pipeloom::executor
