// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Executes one device's list of instructions. It knows no schedule by name and no tensor: passes go to the DeviceWork,
// messages to the Transport, and results are kept by stage and micro-batch until their one taker comes.

#include "core/program/program.h"
#include "executor/board.h"
#include "executor/device_work.h"
#include "executor/reductions.h"
#include "executor/step_listener.h"
#include "executor/step_record.h"
#include "executor/transport.h"
#include "executor/validation.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pipeloom::executor {

class RankLoop {
public:
    /// All must live longer. `stages` is the whole pipeline's number of stages.
    /// `listener` may be null.
    RankLoop(const Program& program, std::int32_t stages, DeviceId device, DeviceWork& work, Transport& transport,
        Board& board, StepListener* listener = nullptr);

    /// Runs the list once; `start` is when the step begins, from which times are recorded. `weights`: asked at every
    /// instruction and after every wait until it says that they stand; before the first backward pass that is waited for.
    /// Null: they stand. False: the run has ended, for reasons that stand on the board, or the weights are `undone`.
    [[nodiscard]] bool runOnce(Clock::time_point start, Validation* weights = nullptr);

    /// The last runOnce broke off because its weights were undone. Nothing of it is left here; messages may be on their way.
    [[nodiscard]] bool undone() const { return undone_; }

    /// Of the last runOnce: passes, transfers, and the times in both.
    [[nodiscard]] StepRecord takeRecord() { return std::move(record_); }

private:
    [[nodiscard]] bool runList();

    using Key = std::uint64_t;
    struct Issued {
        Pass of;
        DeviceId from;
    };

    [[nodiscard]] Key dataKey(StageId maker, MicroBatch microBatch, DataKind data) const;
    [[nodiscard]] Key dataKey(const Pass& maker) const;
    [[nodiscard]] Key passKey(const Pass& pass) const;
    [[nodiscard]] bool givesResult(const Pass& pass) const; ///< that a neighbouring stage takes
    [[nodiscard]] std::optional<Key> inputKey(const Pass& pass) const;

    [[nodiscard]] bool heed(Validation::Standing standing);
    [[nodiscard]] bool weightsMayStand();
    [[nodiscard]] bool weightsStand();
    [[nodiscard]] bool weightsStandFor(std::span<const Instruction> slot);
    [[nodiscard]] bool compute(std::span<const Instruction> slot);
    [[nodiscard]] bool comesInTime(const Pass& pass);
    void keepTimes(const TimedPass& timed);
    [[nodiscard]] bool takeEnded();
    [[nodiscard]] bool awaitEnded();
    [[nodiscard]] bool awaitInputs(const Pass& pass);
    [[nodiscard]] bool awaitOwn(const Pass& pass, PassKind kind);
    [[nodiscard]] bool awaitData(const Pass& pass, Key key);
    [[nodiscard]] Pass laterMaker(const Pass& pass, Key key) const;
    [[nodiscard]] bool waitOnce(const Pass& pass, const Pass& needs, DeviceId from);
    [[nodiscard]] bool take(std::vector<Arrival> arrivals);
    [[nodiscard]] Payload takeInput(const Pass& pass);
    [[nodiscard]] bool send(const Instruction& instruction);
    [[nodiscard]] bool reduce(StageId stage);
    [[nodiscard]] bool sumReductions();
    [[nodiscard]] bool nothingIsLeft();

    std::span<const Instruction> list_;
    std::int32_t stages_;
    DeviceId device_;
    DeviceWork& work_;
    Transport& transport_;
    Board& board_;
    StepListener* listener_;
    Reductions reductions_;
    Validation* weights_ = nullptr; ///< null: they stand
    bool undone_ = false;

    Clock::time_point start_;
    StepRecord record_;
    Nanoseconds waited_ {};                    ///< for inputs, in this run
    std::unordered_map<Key, Payload> results_; ///< made here or arrived, not yet taken
    std::unordered_map<Key, Issued> issued_;   ///< receives whose message has not come
    std::unordered_set<Key> done_;             ///< passes that have ended, or run before all that come later
    std::size_t running_ = 0;                  ///< passes whose times are still to come, of work that times itself
};

} // namespace pipeloom::executor
