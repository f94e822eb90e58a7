// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/process.h"

#include "executor/model.h"
#include "executor/torch/counting_allocator.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/AutogradState.h>

#include <fstream>
#include <mutex>

namespace pipeloom::executor {

void prepareThread(int intraOpThreads)
{
    countMemory();
    static std::once_flag once;
    // Our threads are the devices; LibTorch is not to add others between operations.
    std::call_once(once, [] { at::set_num_interop_threads(1); });
    at::set_num_threads(intraOpThreads);
    // Backward runs on the thread that calls it, on GPUs too: its memory is then charged like everything of that thread.
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
}

std::string processorType()
{
    std::ifstream information("/proc/cpuinfo");
    std::string name = "unknown processor";
    for (std::string line; std::getline(information, line);)
        if (line.starts_with("model name")) {
            const std::size_t colon = line.find(": ");
            name = colon == std::string::npos ? line : line.substr(colon + 2);
            break;
        }
    // LibTorch chooses its kernels by this, and an environment variable can lower it.
    return name + " (" + at::get_cpu_capability() + ")";
}

} // namespace pipeloom::executor
