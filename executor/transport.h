// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a device's results reach other devices: the one thing that differs between ranks as threads (`local`), as processes
// (`gloo`) and as GPUs (`nccl`).

#include "executor/device_status.h"
#include "executor/device_work.h"

#include <memory>
#include <optional>
#include <vector>

namespace pipeloom::executor {

/// A message that has reached its device.
struct Arrival {
    Pass of; ///< that made the payload (message_kind.h)
    DeviceId from;
    Payload payload;
    Clock::time_point started; ///< when both sides had come to it and those before it on its channel had ended
    Clock::time_point ended;
};

/// What a device says when all meet.
struct Contribution {
    std::vector<StageSums> sums; ///< of its stages
    bool stop = false;           ///< it was asked to end the run
    bool ahead = false;          ///< it goes on with the next step before it knows what the others say
};

/// What all devices have said, the same for all.
struct Gathered {
    std::vector<StageSums> sums; ///< stages ascending; of one that several devices hold, in the order of devices
    bool stop = false;           ///< one of them was asked to end the run
    bool ahead = false;          ///< one of them has gone on
    Clock::time_point complete;  ///< when the last device came
};

/// One device's end. There is a channel for every directed pair of devices and kind of data, on which the k-th send meets the
/// k-th receive; a transfer ends only when both sides have come to it. Ends whose pass differs end the run with an error
/// that names both. Used by the device's own thread alone.
class Transport {
public:
    virtual ~Transport() = default;

    /// Once, before anything else: makes connections. `work` makes the buffers to receive into. Throws if that fails.
    virtual void prepare(DeviceWork& work) = 0;
    /// Hands the result of `of` over; never waits. The same payload may be handed to several devices.
    virtual void send(DeviceId to, const Pass& of, Payload result) = 0;
    /// Takes the next message on the channel into a buffer as soon as it is sent; never waits.
    virtual void receive(DeviceId from, const Pass& of) = 0;
    /// Messages that have come since the last call; never waits.
    [[nodiscard]] virtual std::vector<Arrival> arrived() = 0;
    /// Waits until at least one has come; `waiting` says for which and why. Empty: the run has ended, or what this device has
    /// contributed to is gathered and can be taken.
    [[nodiscard]] virtual std::vector<Arrival> awaitArrival(const DeviceStatus& waiting) = 0;

    /// Waits until all devices have called this as often as this one; all are then at the ends of their lists, so a message
    /// that has not met its other side ends the run. None: the run has ended.
    [[nodiscard]] virtual std::optional<Gathered> gather(Contribution own) = 0;
    /// The same in two halves, between which messages of the next step may be sent and received: says its part and never
    /// waits. What comes of it is taken once, by one of the next two, before this device gathers, contributes or restarts
    /// again. All devices take part in the same halves or whole gatherings in the same order.
    virtual void contribute(Contribution own) = 0;
    /// Takes what was gathered, if all devices have contributed. Never waits.
    [[nodiscard]] virtual std::optional<Gathered> gathered() = 0;
    /// Takes it as soon as all have. None: the run has ended.
    [[nodiscard]] virtual std::optional<Gathered> awaitGathered() = 0;

    /// Drops all messages: called by all devices, wherever each is in its list, and returns when all have. Then every message
    /// of before is gone, whether it was sent, received, both or neither, buffers are free, and the next send on a channel
    /// meets the next receive. Nothing is contributed and not taken at that time. Where messages cannot be called back, both
    /// sides tell each other how many they have sent or are receiving on a channel, and the one that is behind makes up for
    /// it with messages that are thrown away. False: the run has ended.
    [[nodiscard]] virtual bool restart() = 0;
};

/// All channels between the devices of a run, as seen from one process.
class TransportNetwork {
public:
    virtual ~TransportNetwork() = default;

    /// The end of one device; refers to this network, which must live longer.
    [[nodiscard]] virtual std::unique_ptr<Transport> end(DeviceId device) = 0;
    /// The run has ended early: all that waits in here is to give up. By any thread.
    virtual void abort() { }
};

} // namespace pipeloom::executor
