// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Transport `local`: devices are threads of one process, and a message is handed over by reference.

#include "executor/board.h"
#include "executor/message_kind.h"
#include "executor/transport.h"

#include <deque>
#include <map>
#include <memory>
#include <tuple>

namespace pipeloom::executor {

/// All channels between the devices of one process, under the board's lock.
class LocalNetwork : public TransportNetwork {
public:
    explicit LocalNetwork(std::shared_ptr<Board> board, std::int32_t devices);

    [[nodiscard]] std::unique_ptr<Transport> end(DeviceId device) override;

    void send(DeviceId from, DeviceId to, const Pass& of, Payload result);
    void receive(DeviceId to, DeviceId from, const Pass& of);
    [[nodiscard]] std::vector<Arrival> arrived(DeviceId device);
    [[nodiscard]] std::vector<Arrival> awaitArrival(const DeviceStatus& waiting);
    /// `atEnds`: all devices are at the ends of their lists.
    void contribute(DeviceId device, Contribution own, bool atEnds);
    [[nodiscard]] std::optional<Gathered> gathered(DeviceId device);
    [[nodiscard]] std::optional<Gathered> awaitGathered(DeviceId device);
    [[nodiscard]] bool restart(DeviceId device);

private:
    struct Sent {
        Pass of;
        Payload payload;
        Clock::time_point time;
    };
    struct Issued {
        Pass of;
        Clock::time_point time;
    };
    struct Channel {
        std::deque<Sent> sent;     ///< not yet received; one of the two is empty
        std::deque<Issued> issued; ///< receives not yet sent to
    };
    using ChannelKey = std::tuple<DeviceId, DeviceId, MessageKind>; ///< from, to, kind

    void meet(const ChannelKey& key, Channel& channel);
    void endIfSomethingIsLeft();
    [[nodiscard]] bool isGathered(DeviceId device) const;
    [[nodiscard]] std::optional<Gathered> takeGathered(DeviceId device);
    void wakeAll();

    std::shared_ptr<Board> board_;
    std::map<ChannelKey, Channel> channels_;
    std::vector<std::vector<Arrival>> arrivals_; ///< by receiving device
    Gathered gathering_;                         ///< of the round that devices are coming to
    std::vector<std::vector<StageSums>> sums_;   ///< of that round, by device
    std::int32_t gatheringDevices_ = 0;
    std::int64_t round_ = 0;
    Gathered gathered_;                               ///< of the round before
    std::vector<std::optional<std::int64_t>> rounds_; ///< by device: that it contributed to and has not taken
    std::int32_t restartingDevices_ = 0;
    std::int64_t restarts_ = 0;
};

} // namespace pipeloom::executor
