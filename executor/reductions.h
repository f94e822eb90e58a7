// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sums of weight gradients among the devices that hold a stage: where a design has two routes, or replicas. When a device's
// list comes to it, its gradients leave for the other holders, while its passes go on; what they send is waited for at the end
// of the list. Each holder adds up all of them in the order of devices, so that all have the same bits.

#include "core/program/program.h"
#include "executor/device_work.h"
#include "executor/transport.h"

#include <map>
#include <optional>
#include <vector>

namespace pipeloom::executor {

/// Of one device.
class Reductions {
public:
    /// Holders of a stage are the devices that reduce it, or have a W or BW of it in their list.
    Reductions(const Program& program, DeviceId device);

    /// A step begins.
    void begin();
    /// The list has come to the stage's reduction, for the first time in this step: hands its gradients out and takes those of
    /// the others; never waits.
    void reduce(StageId stage, DeviceWork& work, Transport& transport);
    /// It has come there in this step: no gradient may be added any more.
    [[nodiscard]] bool isReduced(StageId stage) const;
    /// A message of kind WeightGradients.
    void take(const Arrival& arrival);

    /// What has not come yet.
    struct Missing {
        StageId stage;
        DeviceId from;
    };
    [[nodiscard]] std::optional<Missing> missing() const;
    /// Gives the stages their sums, once nothing is missing.
    void sum(DeviceWork& work);

private:
    struct Stage {
        StageId stage;
        std::vector<DeviceId> holders;  ///< ascending, this device among them
        std::vector<Payload> gradients; ///< by holder; this step's
        bool reduced = false;           ///< in this step
    };
    /// Another holder of some of this device's stages. The k-th message on its channel is its k-th reduction of one that both
    /// hold, whatever comes k-th here.
    struct Peer {
        std::vector<StageId> order;
        std::size_t next = 0;
    };

    [[nodiscard]] Stage* find(StageId stage);
    [[nodiscard]] const Stage* find(StageId stage) const;

    DeviceId device_;
    std::vector<Stage> stages_; ///< that are reduced here, in the order of the list
    std::map<DeviceId, Peer> peers_;
};

} // namespace pipeloom::executor
