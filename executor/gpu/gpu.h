// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the executor needs of a GPU, without CUDA's headers: streams, events, copies, memory figures, and NCCL's communicators.
// The real one is the module executor/cuda, opened at run time; tests have one that records what it is asked
// (tests/executor/gpu/fake_gpu.h). Handles are good as long as their Gpu, which owns what it gave.

#include "core/finding/finding.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace pipeloom::executor::gpu {

/// CUDA or NCCL said no; the message is theirs, with the call that failed. Memory that is used up is std::bad_alloc.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class Stream : std::uintptr_t {}; ///< what is put on it happens in that order
enum class Event : std::uintptr_t {};  ///< a moment of a stream
enum class Communicator : std::uintptr_t {};

/// What two ranks must both have to come together.
using UniqueId = std::array<char, 128>;

/// How LibTorch names a stream (c10::Stream::pack3).
struct TorchStream {
    std::int64_t id = 0;
    std::int64_t deviceIndex = 0;
    std::int64_t deviceType = 0;
};

/// Of LibTorch's caching allocator on this GPU, and of the GPU as a whole.
struct MemoryFigures {
    Bytes allocated = 0;     ///< by tensors, now
    Bytes peakAllocated = 0; ///< since the last resetPeaks
    Bytes reserved = 0;      ///< by the caching allocator, now
    Bytes usedOfGpu = 0;     ///< by all processes: contexts, kernels and communicators too
    Bytes totalOfGpu = 0;
    std::int64_t segments = 0; ///< pieces that the caching allocator has from the driver
};

/// How far a communicator is.
struct Progress {
    enum class State : std::uint8_t { Ready, Working, Failed } state = State::Ready;
    std::string why; ///< Failed
};

/// One GPU. Any thread may call, several at a time; nothing waits for the GPU but where it says so. Errors are gpu::Error.
class Gpu {
public:
    virtual ~Gpu() = default;

    [[nodiscard]] virtual std::string name() const = 0;
    /// The device that tensors are made on: its number among LibTorch's CUDA devices. None: on the CPU (tests).
    [[nodiscard]] virtual std::optional<std::int32_t> torchIndex() const = 0;

    [[nodiscard]] virtual Stream newStream() = 0;
    [[nodiscard]] virtual TorchStream torchStream(Stream stream) const = 0;
    /// That can be timed.
    [[nodiscard]] virtual Event newEvent() = 0;
    /// The event is from now on the end of what is on the stream by now.
    virtual void record(Event event, Stream stream) = 0;
    /// What comes on the stream from now on starts after the event, as it is recorded by now.
    virtual void waitFor(Stream stream, Event event) = 0;
    [[nodiscard]] virtual bool hasHappened(Event event) = 0;
    /// Between two that have happened.
    [[nodiscard]] virtual std::chrono::nanoseconds between(Event first, Event second) = 0;
    /// The stream is busy for as long, without computing anything.
    virtual void hold(Stream stream, std::chrono::nanoseconds time) = 0;

    /// Memory of the GPU from LibTorch's caching allocator, for use on this stream; given back when the last owner lets go.
    [[nodiscard]] virtual std::shared_ptr<void> allocate(Stream stream, std::size_t bytes) = 0;
    /// Memory of the host that the GPU copies from and to without a detour. May wait for the GPU.
    [[nodiscard]] virtual std::shared_ptr<void> allocatePinned(std::size_t bytes) = 0;
    /// Either way, or on the GPU.
    virtual void copy(Stream stream, void* to, const void* from, std::size_t bytes) = 0;

    [[nodiscard]] virtual MemoryFigures memory() = 0;
    virtual void resetPeaks() = 0;

    /// Of NCCL, e.g. 22809.
    [[nodiscard]] virtual int ncclVersion() = 0;
    [[nodiscard]] virtual UniqueId newUniqueId() = 0;
    /// Begins to make a communicator that takes `ctas` blocks of threads of the chip at most; progress() says when it is there.
    /// All `ranks` must begin it.
    [[nodiscard]] virtual Communicator begin(const UniqueId& id, int rank, int ranks, int ctas, const std::string& name)
        = 0;
    [[nodiscard]] virtual Progress progress(Communicator communicator) = 0;
    /// Puts it on the stream. Then progress() must be Ready before anything else is asked of the communicator or its stream.
    virtual void send(Communicator communicator, Stream stream, const void* data, std::size_t bytes, int peer) = 0;
    virtual void receive(Communicator communicator, Stream stream, void* data, std::size_t bytes, int peer) = 0;
    /// A send and a receive of a rank with itself, as one.
    virtual void exchangeWithSelf(
        Communicator communicator, Stream stream, const void* from, void* to, std::size_t bytes)
        = 0;
    /// Ends it, whatever it is in. May hang: call it on a thread that nobody waits for without a limit.
    virtual void abort(Communicator communicator) = 0;
};

/// The GPUs of this machine, as the module found them.
class Machine {
public:
    virtual ~Machine() = default;

    [[nodiscard]] virtual std::int32_t gpus() const = 0;
    /// From 0. The same Gpu for the same number.
    [[nodiscard]] virtual std::shared_ptr<Gpu> gpu(std::int32_t number) = 0;
    /// Called by LibTorch's caching allocators of all GPUs, on whatever thread, with a lock of theirs held: address and bytes
    /// of what a tensor gets; address of what it gives back.
    virtual void onMemory(std::function<void(const void*, Bytes)> allocated, std::function<void(const void*)> freed)
        = 0;
};

} // namespace pipeloom::executor::gpu
