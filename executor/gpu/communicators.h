// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The NCCL communicators of one rank. A communicator whose first exchange comes while kernels of another one wait can stop
// everything (CASES.md 20), so all are made and used once in one fixed order, that of the program's channels, before the first
// pass; none is made later.

#include "core/program/program.h"
#include "executor/device_status.h"
#include "executor/gpu/gpu.h"
#include "executor/processes/store.h"

#include <functional>
#include <string>
#include <vector>

namespace pipeloom::executor::gpu {

/// One end of a communicator between two devices.
struct ChannelEnd {
    DeviceId peer;
    int peerRank
        = 0; ///< within the communicator, where rank 0 is who sends on its channel (if it is for both ways, the first)
    Communicator communicator {};
    Stream stream {};
    Nanoseconds transferTime {}; ///< of a message of full size with both ends there, as warming up measured
};

/// What a channel is known by. On a communicator for both ways there is one per pair, and `sends` says nothing.
struct ChannelKey {
    DeviceId peer;
    bool sends = false;
    bool activations = false;

    friend auto operator<=>(const ChannelKey&, const ChannelKey&) = default;
};

struct CommunicatorSettings {
    DeviceId device;
    Nanoseconds limit = std::chrono::seconds(60); ///< for each communicator to be made, and for each exchange
    int ctas = 1; ///< blocks of threads: all kernels that wait must fit on the chip at once
    Bytes messageBytes = 0;
    std::string prefix = "nccl/";                ///< of the keys in the store
    std::function<bool()> ended;                 ///< whether the run has: then nothing is waited for
    std::function<void(const std::string&)> log; ///< may be empty: told of each communicator made
};

class Communicators {
public:
    /// Makes those of `settings.device`, all devices at the same time, and has two exchanges of full size on each, either way
    /// where it is for both: the first connects, the second is timed. Throws gpu::Error with what it waited for, if it takes longer than the limit or
    /// the run ends meanwhile.
    Communicators(std::shared_ptr<Gpu> gpu, const Program& program, Store& store, CommunicatorSettings settings);
    /// Aborts those that are left, as abort() does with a limit of some seconds.
    ~Communicators();
    Communicators(const Communicators&) = delete;
    Communicators& operator=(const Communicators&) = delete;

    [[nodiscard]] const ChannelEnd& of(const ChannelKey& key) const;
    /// The first that has failed: what NCCL says of it; nothing if none has.
    [[nodiscard]] std::optional<std::string> failure() const;
    /// Waits until what was put on the communicator is on its way to the GPU. Throws like the constructor.
    void settle(const ChannelEnd& end) const;
    /// Bytes of the GPU that making them took, by all of its processes' account.
    [[nodiscard]] Bytes bytes() const { return bytes_; }

    /// Each on a thread of its own; false if one has not come back within the limit. Then the process should end soon.
    [[nodiscard]] bool abort(Nanoseconds limit);

private:
    struct Made {
        ChannelKey key;
        ChannelEnd end;
        std::string name;
    };

    void make(std::size_t channel, const Channel& what);
    void warmUp(Made& made, void* buffer) const;
    [[nodiscard]] Nanoseconds exchange(const Made& made, void* buffer, bool sends) const;
    [[nodiscard]] UniqueId meet(const std::string& key, bool first);
    template <class Ready> void await(Ready&& ready, const std::string& what) const;

    std::shared_ptr<Gpu> gpu_;
    Store& store_;
    CommunicatorSettings settings_;
    Pairing pairing_;
    std::vector<Made> made_;
    Bytes bytes_ = 0;
};

} // namespace pipeloom::executor::gpu
