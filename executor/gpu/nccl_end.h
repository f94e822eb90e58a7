// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Transport `nccl`: a process per device, and messages from GPU to GPU. Every channel has its communicator and its stream, so
// that channels do not hold each other up; on a program lowered for queues `pair` the two devices of a pair share one, in the
// order that both lists have. The device's thread puts sends and receives on the streams and waits for nothing; what has
// arrived is seen by a thread that asks for the receives' events.

#include "executor/board.h"
#include "executor/gpu/communicators.h"
#include "executor/gpu/event_pool.h"
#include "executor/transport.h"

#include <deque>
#include <map>
#include <thread>

namespace pipeloom::executor::gpu {

struct NcclSettings {
    DeviceId device;
    std::int32_t stages = 1; ///< of the whole pipeline
    Nanoseconds limit = std::chrono::seconds(60);
    int ctas = 1;
    Bytes messageBytes = 0;
    std::string prefix = "nccl/";
    std::function<void(const std::string&)> log; ///< may be empty
};

class NcclEnd final : public Transport {
public:
    /// `program` has all devices' lists, `store` is where they meet; both must live longer. By `host`, from processor to
    /// processor, go sums, the ends of steps, and weight gradients, which leave once a step. All other payloads must be on
    /// the GPU.
    NcclEnd(std::shared_ptr<Gpu> gpu, const Program& program, Store& store, std::shared_ptr<Board> board,
        std::unique_ptr<Transport> host, NcclSettings settings);
    ~NcclEnd() override;

    /// Rehearses the device's list, then makes the communicators and warms them up.
    void prepare(DeviceWork& work) override;
    void send(DeviceId to, const Pass& of, Payload result) override;
    void receive(DeviceId from, const Pass& of) override;
    [[nodiscard]] std::vector<Arrival> arrived() override;
    [[nodiscard]] std::vector<Arrival> awaitArrival(const DeviceStatus& waiting) override;
    [[nodiscard]] std::optional<Gathered> gather(Contribution own) override;
    /// Messages under way cannot be dropped here, so nobody may go ahead: these throw, and runs with post-validation are refused.
    void contribute(Contribution own) override;
    [[nodiscard]] std::optional<Gathered> gathered() override;
    [[nodiscard]] std::optional<Gathered> awaitGathered() override;
    [[nodiscard]] bool restart() override;

private:
    struct Receiving {
        Pass of;
        Payload buffer;
        SharedEvent issued;
        SharedEvent ended;
    };
    struct Sending {
        SharedEvent ended;
        Payload payload; ///< kept until it has left
    };
    struct Incoming {
        Nanoseconds transferTime {};
        std::deque<Receiving> receiving; ///< in the order of the channel
        Clock::time_point free;          ///< when the last one ended
    };

    void put(const std::function<void()>& onStream);
    void letGoOfWhatHasLeft();
    void tieClocks();
    void watch(const std::stop_token& stop);
    [[nodiscard]] bool lookOnce();
    [[nodiscard]] Clock::time_point timeOf(const SharedEvent& event) const;

    std::shared_ptr<Gpu> gpu_;
    const Program& program_;
    Store& store_;
    std::shared_ptr<Board> board_;
    std::unique_ptr<Transport> host_;
    NcclSettings settings_;
    EventPool events_;
    DeviceWork* work_ = nullptr;
    std::unique_ptr<Communicators> communicators_;
    std::deque<Sending> sending_;

    std::mutex mutex_; ///< of what the watching thread shares with the device's; taken before the board's
    std::condition_variable_any somethingToWatch_;
    std::map<ChannelKey, Incoming> incoming_;
    SharedEvent base_; ///< happened at baseTime_
    Clock::time_point baseTime_;
    Stream baseStream_ {};
    std::vector<Arrival> arrivals_; ///< under the board's lock
    std::jthread watcher_;
};

} // namespace pipeloom::executor::gpu
