// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lowering: a schedule's orders written out with every send, receive and reduction (DESIGN.md 3.7).

#include "core/program/program.h"
#include "core/schedule/schedule.h"

#include <optional>
#include <vector>

namespace pipeloom {

/// The channels lowering, for the queue models ideal and directed, and what the executor runs. Sends stand behind their
/// pass. Receives are issued in the order of the sends: let c be the first slot that consumes message k or a later one of its
/// channel, then receive k stands behind slot c - window - 1, at the start if there is none. So nothing waits for a receive
/// that is not issued. A stage that several devices hold is reduced on each after its last W or BW; at the start on a device
/// that has none of its passes, because the weights that it holds must not go another way.
/// The schedule must be sound (core/check), but may deadlock. O(slots); buffers are reused from call to call.
class ChannelLowering {
public:
    void run(const Schedule& schedule, const Pipeline& pipeline, std::int32_t window, Program& program);

private:
    struct Boundary {
        std::int32_t down = -1; ///< channel of activations s -> s+1, -1: same device
        std::int32_t up = -1;   ///< channel of gradients s+1 -> s
    };

    void makeChannels(const Schedule& schedule, const Pipeline& pipeline, Program& program);
    void placeSlots(const Schedule& schedule, const Pipeline& pipeline);
    void number(const Schedule& schedule, const Pipeline& pipeline, Program& program);
    void decideIssues(std::int32_t window, const Program& program);
    void write(const Schedule& schedule, const Pipeline& pipeline, Program& program);
    void writeCompute(const Pass& pass, bool joined, Program& program);
    void writeSend(const Pass& pass, const Pipeline& pipeline, Program& program);
    void writeReceives(std::size_t device, std::int32_t behind, Program& program);
    void writeIdleReductions(DeviceId device, const Pipeline& pipeline, Program& program) const;
    [[nodiscard]] std::size_t idOf(const Pass& pass) const;
    [[nodiscard]] std::int32_t channelFrom(const Pass& pass, const Pipeline& pipeline) const;

    std::int32_t stages_ = 0;
    std::vector<Boundary> boundaries_;      ///< by route * (stages - 1) + stage
    std::vector<std::int32_t> slotOf_;      ///< by pass id: its slot on its device
    std::vector<std::int32_t> messageOf_;   ///< by pass id: the message that carries its result
    std::vector<std::int32_t> issueBehind_; ///< by message: slot that the receive stands behind, -1: at the start
    std::vector<std::int32_t> sent_;        ///< by channel
    std::vector<std::int32_t> received_;    ///< by channel: next message to be received
    std::vector<std::int32_t> held_;        ///< by channel: received and not yet taken over
    std::vector<std::int32_t> incoming_;    ///< channels into devices, flat
    std::vector<std::int32_t> incomingBegin_;
    std::vector<std::int32_t>
        weightsLeft_; ///< by device * stages + stage, where a stage is reduced: W and BW still to come
};

/// The mirrored lowering, for the queue models pair and device: all sends and receives in one global order without cycles.
/// Rounds over the devices, ascending, at most one slot each; a slot is taken when its inputs have been made or sent to its
/// device; each result is then sent at once, and received at once on the other side. So a receive stands where the sender
/// made the data, and the lists of two devices mirror each other; reductions as above. Source of the rule: PyTorch's pipelining
/// lowering.
/// None if the schedule deadlocks.
[[nodiscard]] std::optional<Program> lowerMirrored(const Schedule& schedule, const Pipeline& pipeline);

/// Stages that the device holds with others and has no W or BW of; `weights`: their number by device * stages + stage. For the
/// two lowerings.
[[nodiscard]] std::vector<StageId> idleSharedStages(
    const Pipeline& pipeline, DeviceId device, const std::vector<std::int32_t>& weights);

/// The lowering that a queue model is for. None if it deadlocks (mirrored only).
[[nodiscard]] std::optional<Program> lower(
    const Schedule& schedule, const Pipeline& pipeline, const Network& network, QueueModel queue);

} // namespace pipeloom
