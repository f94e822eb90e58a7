// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Opens the CUDA module (executor/cuda) at run time, so that the program neither needs nor loads CUDA unless it is asked for.

#include "executor/gpu/gpu.h"

namespace pipeloom::executor::gpu {

struct OpenedMachine {
    std::shared_ptr<Machine> machine; ///< none if there is an error
    Findings findings;                ///< run/no-cuda: no module, or it cannot be loaded; run/no-gpu: it found none
};

/// How CUDA is to load its kernels, which is settled before it starts.
enum class Kernels : std::uint8_t {
    Lazy,  ///< at their first use
    Eager, ///< all at the start: where NCCL's kernels wait, loading another one could stop everything
};

/// Where the module is looked for: PIPELOOM_CUDA_MODULE, else beside the program.
[[nodiscard]] std::string modulePath();

/// To be called before anything asks LibTorch about CUDA (a first backward does), as its first answer is kept for the life of
/// the process; later calls give what the first one gave. Takes about a second.
[[nodiscard]] OpenedMachine openMachine(Kernels kernels);

/// The same of a given file, each time anew; for tests.
[[nodiscard]] OpenedMachine openMachine(const std::string& path);

/// What the module has: a number that must be moduleAbi, and a function that gives a Machine, or nothing with `why` filled in
/// if there is no GPU.
using OpenModule = Machine* (*)(std::string& why);
inline constexpr const char* abiName = "pipeloom_cuda_module_abi";
inline constexpr const char* openName = "pipeloom_cuda_module_open";
/// Changes whenever gpu.h does.
inline constexpr int moduleAbi = 1;

} // namespace pipeloom::executor::gpu
