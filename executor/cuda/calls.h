// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUDA's handles and answers as gpu.h has them.

#include "executor/gpu/gpu.h"

#include <cuda_runtime_api.h>

#include <new>

namespace pipeloom::executor::cuda {

[[nodiscard]] inline cudaStream_t native(gpu::Stream stream) { return reinterpret_cast<cudaStream_t>(stream); }
[[nodiscard]] inline cudaEvent_t native(gpu::Event event) { return reinterpret_cast<cudaEvent_t>(event); }

template <class Handle, class Native> [[nodiscard]] Handle handle(Native native)
{
    return static_cast<Handle>(reinterpret_cast<std::uintptr_t>(native));
}

/// Throws what a call to CUDA answered, if that is an error.
inline void check(cudaError_t answer, const char* call)
{
    if (answer == cudaSuccess)
        return;
    static_cast<void>(cudaGetLastError()); // else the next call would give it again
    if (answer == cudaErrorMemoryAllocation)
        throw std::bad_alloc();
    throw gpu::Error(std::string(call) + ": " + cudaGetErrorString(answer));
}

} // namespace pipeloom::executor::cuda
