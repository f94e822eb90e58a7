// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The real Gpu: CUDA's runtime, LibTorch's caching allocator, NCCL. Part of the module alone.

#include "executor/gpu/gpu.h"

#include <cuda_runtime_api.h>

#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace pipeloom::executor::cuda {

/// Lives until the end of the process, and so does what it gave: LibTorch's allocators may ask for a stream until then.
class CudaGpu final : public gpu::Gpu {
public:
    explicit CudaGpu(std::int32_t index)
        : index_(index)
    {
    }

    [[nodiscard]] std::string name() const override;
    [[nodiscard]] std::optional<std::int32_t> torchIndex() const override { return index_; }

    [[nodiscard]] gpu::Stream newStream() override;
    [[nodiscard]] gpu::TorchStream torchStream(gpu::Stream stream) const override;
    [[nodiscard]] gpu::Event newEvent() override;
    void record(gpu::Event event, gpu::Stream stream) override;
    void waitFor(gpu::Stream stream, gpu::Event event) override;
    [[nodiscard]] bool hasHappened(gpu::Event event) override;
    [[nodiscard]] std::chrono::nanoseconds between(gpu::Event first, gpu::Event second) override;
    void hold(gpu::Stream stream, std::chrono::nanoseconds time) override;

    [[nodiscard]] std::shared_ptr<void> allocate(gpu::Stream stream, std::size_t bytes) override;
    [[nodiscard]] std::shared_ptr<void> allocatePinned(std::size_t bytes) override;
    void copy(gpu::Stream stream, void* to, const void* from, std::size_t bytes) override;
    [[nodiscard]] gpu::MemoryFigures memory() override;
    void resetPeaks() override;

    [[nodiscard]] int ncclVersion() override;
    [[nodiscard]] gpu::UniqueId newUniqueId() override;
    [[nodiscard]] gpu::Communicator begin(
        const gpu::UniqueId& id, int rank, int ranks, int ctas, const std::string& name) override;
    [[nodiscard]] gpu::Progress progress(gpu::Communicator communicator) override;
    void send(
        gpu::Communicator communicator, gpu::Stream stream, const void* data, std::size_t bytes, int peer) override;
    void receive(gpu::Communicator communicator, gpu::Stream stream, void* data, std::size_t bytes, int peer) override;
    void exchangeWithSelf(
        gpu::Communicator communicator, gpu::Stream stream, const void* from, void* to, std::size_t bytes) override;
    void abort(gpu::Communicator communicator) override;

private:
    /// Pinned memory that is free, by size: getting some from the driver may wait for the GPU.
    struct Pinned {
        std::mutex mutex;
        std::map<std::size_t, std::vector<void*>> free;
    };

    std::int32_t index_;
    std::shared_ptr<Pinned> pinned_ = std::make_shared<Pinned>();
    std::mutex namesMutex_;
    std::deque<std::string> names_; ///< of communicators: NCCL may go on reading them
};

} // namespace pipeloom::executor::cuda
