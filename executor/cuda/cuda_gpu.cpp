// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/cuda/cuda_gpu.h"

#include "executor/cuda/calls.h"
#include "executor/cuda/hold.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

namespace pipeloom::executor::cuda {

namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

c10::cuda::CUDAGuard guard(std::int32_t index) { return c10::cuda::CUDAGuard(static_cast<c10::DeviceIndex>(index)); }

} // namespace

std::string CudaGpu::name() const
{
    cudaDeviceProp properties {};
    check(cudaGetDeviceProperties(&properties, index_), "cudaGetDeviceProperties");
    return properties.name;
}

gpu::Stream CudaGpu::newStream()
{
    const auto onThis = guard(index_);
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return handle<gpu::Stream>(stream);
}

gpu::TorchStream CudaGpu::torchStream(gpu::Stream stream) const
{
    const auto named
        = c10::cuda::getStreamFromExternal(native(stream), static_cast<c10::DeviceIndex>(index_)).unwrap().pack3();
    return { named.stream_id, named.device_index, static_cast<std::int64_t>(named.device_type) };
}

gpu::Event CudaGpu::newEvent()
{
    const auto onThis = guard(index_);
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event), "cudaEventCreate");
    return handle<gpu::Event>(event);
}

void CudaGpu::record(gpu::Event event, gpu::Stream stream)
{
    check(cudaEventRecord(native(event), native(stream)), "cudaEventRecord");
}

void CudaGpu::waitFor(gpu::Stream stream, gpu::Event event)
{
    check(cudaStreamWaitEvent(native(stream), native(event), 0), "cudaStreamWaitEvent");
}

bool CudaGpu::hasHappened(gpu::Event event)
{
    const auto answer = cudaEventQuery(native(event));
    if (answer == cudaErrorNotReady)
        return false;
    check(answer, "cudaEventQuery");
    return true;
}

std::chrono::nanoseconds CudaGpu::between(gpu::Event first, gpu::Event second)
{
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, native(first), native(second)), "cudaEventElapsedTime");
    const std::chrono::duration<double, std::milli> time(static_cast<double>(milliseconds));
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time);
}

void CudaGpu::hold(gpu::Stream stream, std::chrono::nanoseconds time)
{
    const auto onThis = guard(index_);
    check(launchHold(native(stream), static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count()))), "a launch");
}

std::shared_ptr<void> CudaGpu::allocate(gpu::Stream stream, std::size_t bytes)
{
    const auto onThis = guard(index_);
    return { allocator::raw_alloc_with_stream(bytes, native(stream)), [](void* data) { allocator::raw_delete(data); } };
}

std::shared_ptr<void> CudaGpu::allocatePinned(std::size_t bytes)
{
    void* data = nullptr;
    {
        const std::lock_guard held(pinned_->mutex);
        if (auto& free = pinned_->free[bytes]; !free.empty()) {
            data = free.back();
            free.pop_back();
        }
    }
    if (data == nullptr) {
        const auto onThis = guard(index_);
        check(cudaHostAlloc(&data, bytes, cudaHostAllocPortable), "cudaHostAlloc");
    }
    return { data, [pinned = pinned_, bytes](void* used) {
                const std::lock_guard held(pinned->mutex);
                pinned->free[bytes].push_back(used);
            } };
}

void CudaGpu::copy(gpu::Stream stream, void* to, const void* from, std::size_t bytes)
{
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, native(stream)), "cudaMemcpyAsync");
}

gpu::MemoryFigures CudaGpu::memory()
{
    const auto onThis = guard(index_);
    const auto stats = allocator::getDeviceStats(static_cast<c10::DeviceIndex>(index_));
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    gpu::MemoryFigures figures;
    figures.allocated = stats.allocated_bytes[0].current;
    figures.peakAllocated = stats.allocated_bytes[0].peak;
    figures.reserved = stats.reserved_bytes[0].current;
    figures.segments = stats.segment[0].current;
    figures.usedOfGpu = static_cast<Bytes>(total - free);
    figures.totalOfGpu = static_cast<Bytes>(total);
    return figures;
}

void CudaGpu::resetPeaks() { allocator::resetPeakStats(static_cast<c10::DeviceIndex>(index_)); }

} // namespace pipeloom::executor::cuda
