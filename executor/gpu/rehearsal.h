// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device's list run once without its peers, before communicators exist: every kernel is loaded, and the allocator's memory
// has grown to what a step takes, on the streams that it takes it on. What grows later would ask the driver for memory, and
// that may wait for kernels which wait for other devices (LIBTORCH.md 5).

#include "core/program/program.h"
#include "executor/device_work.h"

namespace pipeloom::executor::gpu {

/// Runs the passes of `row` in order, on receive buffers with whatever is in them instead of messages; then forgets the step.
/// Weights and moments stay as they are. `stages` is the whole pipeline's number of stages.
void rehearse(DeviceWork& work, std::span<const Instruction> row, std::int32_t stages);

} // namespace pipeloom::executor::gpu
