// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/cuda/hold.h"

namespace pipeloom::executor::cuda {

namespace {

/// Nanoseconds; steps of 32 ns to 1 us, depending on the GPU.
__device__ std::uint64_t now()
{
    std::uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void hold(std::uint64_t nanoseconds)
{
    const std::uint64_t began = now();
    while (now() - began < nanoseconds)
        __nanosleep(200);
}

} // namespace

cudaError_t launchHold(cudaStream_t stream, std::uint64_t nanoseconds)
{
    hold<<<1, 1, 0, stream>>>(nanoseconds);
    return cudaGetLastError();
}

} // namespace pipeloom::executor::cuda
