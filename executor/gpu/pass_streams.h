// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The streams that a device's passes run on, and the events that order and time them. A stage has a stream of its own, so the
// two passes of an overlapped slot, which are of different stages, run at the same time; slots run one after the other.
// Times come from events alone: nothing here waits for the GPU but beginStep and awaitSlot.

#include "executor/device_work.h"
#include "executor/gpu/event_pool.h"

#include <deque>
#include <span>
#include <vector>

namespace pipeloom::executor::gpu {

class PassStreams {
public:
    /// `gpu` must live longer.
    PassStreams(Gpu& gpu, std::span<const StageId> stages);

    [[nodiscard]] Stream of(StageId stage) const;

    /// Waits until all streams are idle, and ties the GPU's time to the host's from then on.
    void beginStep();

    /// What is put on the stage's stream from now on belongs to the pass. It starts after all slots before this one, and after
    /// `input`, if there is one.
    void begin(const Pass& pass, const SharedEvent& input);
    /// The end of the pass that was begun last; gives the event.
    SharedEvent end();
    /// The passes since the last call are one slot.
    void endSlot();
    /// Waits until the last ended slot has happened.
    void awaitSlot();

    /// Passes whose end has happened and that have not been given yet, in order, with their times.
    [[nodiscard]] std::vector<RanPass> takeEnded();
    /// The end of everything that is on the streams now.
    [[nodiscard]] SharedEvent mark(Stream stream) { return events_.record(stream); }

private:
    struct Timed {
        Pass pass;
        bool joined = false;
        SharedEvent start;
        SharedEvent end;
    };

    void await(const SharedEvent& event);

    Gpu& gpu_;
    EventPool events_;
    std::vector<std::pair<StageId, Stream>> streams_;
    SharedEvent base_; ///< happened at baseTime_
    std::chrono::steady_clock::time_point baseTime_;
    std::deque<Timed> running_;                          ///< not yet given
    std::vector<std::pair<Stream, SharedEvent>> slot_;   ///< ends of the passes of this slot
    std::vector<std::pair<Stream, SharedEvent>> before_; ///< ends of the slot before
};

} // namespace pipeloom::executor::gpu
