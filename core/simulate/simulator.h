// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exact times of a program under a queue model (DESIGN.md 3.5). All times follow from sums and maxima along the program's
// order, so there is no clock to advance: each device runs until it waits, each queue moves as far as both its ends allow.

#include "core/pipeline/costs.h"
#include "core/program/program.h"
#include "core/simulate/transfer_queues.h"
#include "core/timeline/timeline.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace pipeloom {

/// Where a program that did not run to its end stands.
struct Standstill {
    std::vector<std::int32_t> next;     ///< by device: index of the instruction it stands at; its row's end if done
    std::vector<std::int32_t> waitsFor; ///< by device: message that the instruction waits for, -1: none
    std::vector<std::uint8_t> sent;     ///< by message: the send has been issued
    std::vector<std::uint8_t> received; ///< by message: the receive has been issued
    std::vector<std::uint8_t> done;     ///< by message: it has arrived
};

/// Times of every single pass and message instead of costs by stage and kind: to see what a measured step would have taken
/// under other circumstances.
struct OwnTimes {
    std::span<const Ticks>
        passes; ///< by device in list order, as Timeline::passes; both halves of a pair its whole time
    std::span<const Ticks> transfers; ///< by message, as Program::messages
};

/// Keeps its buffers from call to call. Costs may change between calls without a new lowering.
class Simulator {
public:
    /// Fills `timeline`: passes by device in list order, transfers by message. False if the program cannot run to its end
    /// under this queue model; then `standstill()` tells where it stands. The program's pairing must be that of the queue
    /// model (program.h), its passes those of the pipeline. O(instructions).
    /// Reductions take no time: the model has no cost for them.
    bool run(const Program& program, const Pipeline& pipeline, const Costs& costs, const Network& network,
        QueueModel queue, Timeline& timeline);
    /// The same with own times, one for each pass and each message of the program.
    bool run(
        const Program& program, const Pipeline& pipeline, const OwnTimes& times, QueueModel queue, Timeline& timeline);

    /// Valid after a run that gave false, until the next one.
    [[nodiscard]] Standstill standstill() const;
    /// The queues as the last run left them, of the models pair and device.
    [[nodiscard]] const TransferQueues& queues() const { return queues_; }

private:
    void takeCosts(const Pipeline& pipeline, const Costs& costs, const Network& network);
    void prepare(Timeline& timeline);
    [[nodiscard]] bool runAll(Timeline& timeline);
    void runDevice(std::size_t device, Timeline& timeline);
    [[nodiscard]] std::int32_t compute(std::size_t device, std::int32_t at, Ticks& free, Timeline& timeline);
    void issue(std::int32_t message, bool send, Ticks now, Timeline& timeline);
    void arrive(std::int32_t message, Ticks start, Ticks end, Timeline& timeline);
    void moveChannel(std::size_t channel, Timeline& timeline);
    [[nodiscard]] Ticks transferTicks(std::size_t message, const Pass& pass) const
    {
        if (!own_.transfers.empty())
            return own_.transfers[message];
        return transfer_[static_cast<std::size_t>(pass.kind == PassKind::F ? pass.stage.value : pass.stage.value - 1)];
    }

    /// A message between issue and arrival.
    struct Flight {
        /// When both ends had issued it; before that -1 for none, -2 - t for one of them at t.
        Ticks issued = -1;
        Ticks end = -1; ///< -1: it has not arrived

        [[nodiscard]] bool bothIssued() const { return issued >= 0; }
        void issue(Ticks now) { issued = issued == -1 ? -2 - now : std::max(-2 - issued, now); }
    };
    struct ChannelState {
        std::int32_t next = 0; ///< message at the head
        std::int32_t last = 0;
        Ticks free = 0; ///< when the one before has ended
    };

    const Program* program_ = nullptr;
    QueueModel queue_ = QueueModel::Directed;
    OwnTimes own_; ///< used where they are not empty
    std::optional<Ticks> pairTicks_;
    std::vector<Ticks> cost_;     ///< by stage * passKinds + kind
    std::vector<Ticks> transfer_; ///< by boundary
    std::vector<std::int32_t> next_;
    std::vector<std::int32_t> waitsFor_;
    std::vector<Ticks> free_;
    std::vector<std::int32_t> ready_;  ///< devices to go on with
    std::vector<std::int32_t> passAt_; ///< by device: where its next pass is written in the timeline
    std::vector<Flight> flights_;
    std::vector<ChannelState> channels_;
    TransferQueues queues_; ///< of the models pair and device
};

/// One call, for those who need no second. None if the program cannot run to its end.
[[nodiscard]] std::optional<Timeline> simulate(
    const Program& program, const Pipeline& pipeline, const Costs& costs, const Network& network, QueueModel queue);
[[nodiscard]] std::optional<Timeline> simulate(
    const Program& program, const Pipeline& pipeline, const OwnTimes& times, QueueModel queue);

} // namespace pipeloom
