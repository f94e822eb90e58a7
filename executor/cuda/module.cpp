// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// What the program finds when it opens the module (executor/gpu/cuda_module.h).

#include "executor/cuda/calls.h"
#include "executor/cuda/cuda_gpu.h"
#include "executor/gpu/cuda_module.h"

#include <c10/cuda/CUDACachingAllocator.h>

#include <array>

namespace pipeloom::executor::cuda {

namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

class CudaMachine final : public gpu::Machine {
public:
    explicit CudaMachine(std::int32_t gpus)
        : gpus_(static_cast<std::size_t>(gpus))
    {
        allocator::init(gpus);
    }

    [[nodiscard]] std::int32_t gpus() const override { return static_cast<std::int32_t>(gpus_.size()); }

    [[nodiscard]] std::shared_ptr<gpu::Gpu> gpu(std::int32_t number) override
    {
        const std::lock_guard held(mutex_);
        auto& place = gpus_.at(static_cast<std::size_t>(number));
        if (!place)
            place = std::make_shared<CudaGpu>(number);
        return place;
    }

    void onMemory(std::function<void(const void*, Bytes)> allocated, std::function<void(const void*)> freed) override
    {
        // A block that another stream still reads is freed later than it is given back; it counts until it is given back,
        // which does not depend on how far the GPU is.
        allocator::attachAllocatorTraceTracker(
            [given = std::move(allocated), taken = std::move(freed)](const allocator::TraceEntry& entry) {
                const auto* address = reinterpret_cast<const void*>(entry.addr_);
                if (entry.action_ == allocator::TraceEntry::ALLOC)
                    given(address, static_cast<Bytes>(entry.size_));
                else if (entry.action_ == allocator::TraceEntry::FREE_REQUESTED)
                    taken(address);
            });
    }

private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<CudaGpu>> gpus_;
};

} // namespace

} // namespace pipeloom::executor::cuda

extern "C" {

extern const int pipeloom_cuda_module_abi;
const int pipeloom_cuda_module_abi = pipeloom::executor::gpu::moduleAbi;

pipeloom::executor::gpu::Machine* pipeloom_cuda_module_open(std::string& why);
pipeloom::executor::gpu::Machine* pipeloom_cuda_module_open(std::string& why)
{
    int gpus = 0;
    const auto answer = cudaGetDeviceCount(&gpus);
    if (answer != cudaSuccess || gpus == 0) {
        why = answer == cudaSuccess ? "CUDA finds none"
                                    : std::string("CUDA says \"") + cudaGetErrorString(answer) + '"';
        return nullptr;
    }
    return new pipeloom::executor::cuda::CudaMachine(gpus);
}
}
