// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From what a run asks for to where its devices compute.

#include "executor/gpu/cuda_module.h"
#include "executor/gpu/place.h"

#include <functional>

namespace pipeloom::executor::gpu {

/// How messages of the run go.
enum class Messages : std::uint8_t {
    WithinProcess, ///< `local`: all devices take turns on one GPU, the first that CUDA shows
    ThroughHost,   ///< `gloo`: ranks of a machine share its GPUs if there are fewer
    BetweenGpus,   ///< `nccl`: a GPU for each rank of a machine
};

struct OpenedPlace {
    Place place;
    Findings findings; ///< run/no-cuda, run/no-gpu; run/gpus: more ranks here than GPUs, with `nccl`
};

/// Opens the GPU of a process that is the `localRank`-th of its machine, and has its memory charged to accounts
/// (executor/torch/gpu_memory.h). `open` gives the machine; openMachine, but for tests.
[[nodiscard]] OpenedPlace openPlace(
    Messages messages, std::int32_t localRank, const std::function<OpenedMachine(Kernels)>& open);

} // namespace pipeloom::executor::gpu
