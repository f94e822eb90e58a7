// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// GPUs that do what they are asked in the host's memory, and write it down. Work stands on its stream until someone looks; then
// streams are served one piece at a time, in an order drawn by chance, as far as events, peers and the test allow. So what is
// not ordered by an event is sooner or later done in the wrong order. Each stream has a clock of its own that only work moves.

#include "executor/gpu/gpu.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <vector>

namespace pipeloom::test {

namespace gpu = executor::gpu;

class FakeGpu;

/// All GPUs that can reach each other.
class FakeWorld {
public:
    explicit FakeWorld(unsigned seed = 1)
        : random_(seed)
    {
    }

    [[nodiscard]] std::shared_ptr<FakeGpu> gpu();

    std::chrono::nanoseconds transferTime = std::chrono::microseconds(5); ///< of every exchange
    /// NCCL fails on the communicator of that name from now on.
    void fail(const std::string& name);
    void letAbortsHang(bool hang);

private:
    friend class FakeGpu;
    struct Work {
        enum class Kind : std::uint8_t { Record, Wait, Hold, Do, Send, Receive } kind = Kind::Do;
        std::uint64_t moment = 0; ///< Record, Wait
        std::chrono::nanoseconds time {};
        std::function<void()> action;
        std::uint64_t communicator = 0;
        void* data = nullptr;
        std::size_t bytes = 0;
    };
    struct Stream {
        std::deque<Work> work;
        std::chrono::nanoseconds now {};
        bool stalled = false;
    };
    /// An event as it was recorded once: who waits for it does so whatever it is recorded for later.
    struct Moment {
        bool happened = false;
        std::chrono::nanoseconds time {};
    };
    struct Communicator {
        gpu::UniqueId id {};
        std::string name;
        int rank = 0;
        int ranks = 1;
        bool aborted = false;
    };

    [[nodiscard]] Communicator* peerOf(std::uint64_t communicator);
    void serve();
    [[nodiscard]] bool step(Stream& stream);
    [[nodiscard]] bool exchange(Stream& stream);

    std::mutex mutex_;
    std::condition_variable aborts_;
    std::mt19937 random_;
    std::map<std::uint64_t, Stream> streams_;
    std::map<std::uint64_t, std::uint64_t> events_; ///< its last moment; 0: never recorded
    std::map<std::uint64_t, Moment> moments_ { { 0, { true, {} } } };
    std::map<std::uint64_t, Communicator> communicators_;
    std::uint64_t last_ = 0;
    std::set<std::string> failing_;
    bool abortsHang_ = false;
};

class FakeGpu final : public gpu::Gpu {
public:
    explicit FakeGpu(FakeWorld& world)
        : world_(world)
    {
    }

    [[nodiscard]] std::string name() const override { return "a fake"; }
    [[nodiscard]] std::optional<std::int32_t> torchIndex() const override { return {}; }

    [[nodiscard]] gpu::Stream newStream() override;
    [[nodiscard]] gpu::TorchStream torchStream(gpu::Stream) const override { return {}; }
    [[nodiscard]] gpu::Event newEvent() override;
    void record(gpu::Event event, gpu::Stream stream) override;
    void waitFor(gpu::Stream stream, gpu::Event event) override;
    [[nodiscard]] bool hasHappened(gpu::Event event) override;
    [[nodiscard]] std::chrono::nanoseconds between(gpu::Event first, gpu::Event second) override;
    void hold(gpu::Stream stream, std::chrono::nanoseconds time) override;
    [[nodiscard]] std::shared_ptr<void> allocate(gpu::Stream stream, std::size_t bytes) override;
    [[nodiscard]] std::shared_ptr<void> allocatePinned(std::size_t bytes) override;
    void copy(gpu::Stream stream, void* to, const void* from, std::size_t bytes) override;
    [[nodiscard]] gpu::MemoryFigures memory() override { return {}; }
    void resetPeaks() override { }
    [[nodiscard]] int ncclVersion() override { return 22809; }
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

    // For tests:
    /// Puts a piece of the test's own on the stream, which takes as long.
    void run(gpu::Stream stream, std::chrono::nanoseconds time, std::function<void()> action);
    /// Nothing on the stream is done until it is let go.
    void stall(gpu::Stream stream, bool stalled);
    /// What it was asked so far, e.g. `record e3 s1`, `wait s2 e3`, `hold s1 5us`, `begin 0->1 gradients rank 1`, `send s4 16`,
    /// `abort 0->1 gradients`. Questions are left out.
    [[nodiscard]] std::vector<std::string> log();
    void clearLog();

private:
    void put(gpu::Stream stream, FakeWorld::Work work, std::string line);

    FakeWorld& world_;
    std::vector<std::string> log_; ///< under the world's lock
};

} // namespace pipeloom::test
