// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/gpu/cuda_module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>

namespace pipeloom::executor::gpu {

namespace {

constexpr const char* moduleFile = "pipeloom_executor_cuda.so";

Finding error(const char* rule, std::string message, std::string remedy)
{
    return { rule, Severity::Error, {}, "", std::move(message), std::move(remedy) };
}

Finding noModule(const std::string& why)
{
    return error("run/no-cuda", "The CUDA part of Pipeloom is not there: " + why + ".",
        "Run with --device cpu; or build where nvcc and nccl.h are (cmake's summary says what is missing), and fetch "
        "what it "
        "loads with `tools/fetch_torch --cuda`.");
}

/// They count only while CUDA has not started. What the user has set stays.
void prepareEnvironment(Kernels kernels)
{
    setenv("CUDA_MODULE_LOADING", kernels == Kernels::Eager ? "EAGER" : "LAZY", 0);
    // Queues of the hardware: with fewer than streams, one that waits holds up others.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    // Memory then grows by mapping it, without cudaMalloc, which waits for the whole GPU.
    setenv("PYTORCH_ALLOC_CONF", "expandable_segments:True", 0);
}

} // namespace

std::string modulePath()
{
    if (const char* named = std::getenv("PIPELOOM_CUDA_MODULE"); named != nullptr && *named != '\0')
        return named;
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    return (program.parent_path() / moduleFile).string();
}

OpenedMachine openMachine(const std::string& path)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return { nullptr, { noModule("there is no file " + path) } };
    // Never closed: LibTorch keeps what the module's libraries have registered. Global, as those find each other by name.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr)
        return { nullptr, { noModule(fmt::format("it cannot be loaded ({})", dlerror())) } };
    const auto* abi = static_cast<const int*>(dlsym(library, abiName));
    const auto open = reinterpret_cast<OpenModule>(dlsym(library, openName));
    if (abi == nullptr || *abi != moduleAbi || open == nullptr)
        return { nullptr, { noModule(path + " is not the module that belongs to this program") } };
    std::string why;
    std::shared_ptr<Machine> machine(open(why));
    if (!machine)
        return { nullptr,
            { error("run/no-gpu", "There is no GPU to run on: " + why + ".",
                "Run with --device cpu, or on a machine with an NVIDIA GPU and its driver.") } };
    return { std::move(machine), {} };
}

OpenedMachine openMachine(Kernels kernels)
{
    static std::mutex mutex;
    // Never destroyed: at the end of the process CUDA may be gone before it.
    static auto* const opened = new std::optional<OpenedMachine>;
    const std::lock_guard held(mutex);
    if (!*opened) {
        prepareEnvironment(kernels);
        *opened = openMachine(modulePath());
    }
    return **opened;
}

} // namespace pipeloom::executor::gpu
