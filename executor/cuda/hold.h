// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keeps a stream busy for a planned time: what a rehearsal on a GPU has instead of a pass.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pipeloom::executor::cuda {

/// One thread that reads the GPU's clock until `nanoseconds` have gone by. Never waits. Gives CUDA's answer to the launch.
[[nodiscard]] cudaError_t launchHold(cudaStream_t stream, std::uint64_t nanoseconds);

} // namespace pipeloom::executor::cuda
