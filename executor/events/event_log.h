// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run says of itself while it runs, as JSON Lines for windows, replays and other programs. Version 1:
//
//   {"event":"run","version":1,"devices":4,"stages":8,"micro_batches":8,"replicas":1,"first_step":0,"steps":20,"emulated":false,
//    "transport":"gloo","tokens_per_step":4096,"began_unix_ns":1764547200000000000,"design":{…}}
//   {"event":"rank","device":1,"rank":1,"pid":4712,"host":"node7"}                       who runs the device
//   {"event":"plan","step_ms":53.0,"rows":["0F0 0F1 …",…],"predicted_bytes":[14720000,…],   the order run; by device
//    "memory":{"F":[…],"B":[…],"W":[…],"BW":[…],"transient":{…the same},"fixed":[…]}}     bytes, by stage; fixed by device
//   {"event":"step_begin","step":0,"device":1,"at_ns":51200}
//   {"event":"pass","step":0,"device":1,"pass":"6B3","start_ns":71200,"end_ns":90100,"bytes":1048576}
//                                        "pair":true in the second of a pair; bytes: live when it ended, left out if not known
//   {"event":"transfer","step":0,"pass":"6B3","from":1,"to":2,"start_ns":90100,"end_ns":90800}
//   {"event":"memory","step":0,"device":1,"peak_bytes":1048576}
//   {"event":"step","step":0,"loss":5.6012,"step_ms":41.2}                              no loss if emulated
//   {"event":"rollback","step":3,"reason":"nan","device":2,"stage":2,"parameter":"layer 4 qkv"}   taken back: not finite
//   {"event":"rollback","step":3,"reason":"clip","scale":0.8125}                        taken back, and taken again clipped
//   {"event":"skip","step":3,"reason":"nan","device":2,"stage":2,"parameter":"layer 4 qkv"}       not taken at all
//   {"event":"stall","device":2,"at_ns":9120000,"pass":"3B5","for_ms":1004.2,"waiting":[1,0],"message":"…"}
//   {"event":"checkpoint","steps":20,"ms":8.6}
//   {"event":"verify","worst":3.1e-07,"parameter":"…"}
//   {"event":"error","rule":"run/nan","message":"…","remedy":"…","devices":[1]}
//   {"event":"device_end","device":1,"lines":4711}     how many lines of the kinds step_begin, pass, transfer and memory it wrote
//   {"event":"end","outcome":"finished"}
//
// With replicas (run.h) and accumulated rounds devices and micro-batches are those of all, and the design is that of one.
// A rollback breaks off the step behind the one that it names: it begins again, with another step_begin of each device that
// had begun it. No parameter: the loss is not finite.
//
// Times are nanoseconds since the run began, by one clock. Lines of one device are in order; those of several are not.

#include "core/formats/design.h"
#include "core/program/program.h"
#include "executor/events/event_file.h"
#include "executor/events/stall_watch.h"
#include "executor/step_listener.h"
#include "executor/step_record.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace pipeloom::executor {

/// What the first line tells beside the design.
struct RunFacts {
    Pipeline pipeline; ///< of all replicas and rounds
    std::int32_t replicas = 1;
    std::int64_t firstStep = 0;
    std::int64_t steps = 0;
    bool emulated = false;
    std::string transport;          ///< `local`, `gloo`, `nccl`
    std::int64_t tokensPerStep = 0; ///< 0: none
};

class EventLog {
public:
    /// Times of events count from `began`.
    EventLog(std::unique_ptr<EventFile> file, Clock::time_point began);

    /// What is run: `design` is that of one replica.
    void run(const Design& design, const RunFacts& facts);
    /// What is planned: a step's time, the order of each device, the bytes that each will hold at most, and what passes add
    /// to them (by stage, in bytes; `memory` of another unit is not told).
    void plan(double stepMs, const Program& program, std::span<const MemoryUse> predicted, const MemoryModel& memory);
    void step(const StepReport& report, bool emulated);
    void stall(const Stall& stall, Clock::time_point now);
    /// `ms`: what saving took.
    void checkpoint(std::int64_t steps, double ms);
    void verified(double worst, const std::string& parameter);
    /// The last lines: what ended the run, if it was not its last step, and the outcome. What was lost is added to `findings`.
    void close(const std::optional<Finding>& error, const char* outcome, Findings& findings);

    /// What could not be written so far: none, or a warning.
    [[nodiscard]] std::optional<Finding> failure() const { return file_->failure(); }

    /// Tells that this process runs the device, and gives what writes its events, many lines at a time: at the end of a step,
    /// and before where it has been a while.
    [[nodiscard]] std::unique_ptr<StepListener> device(DeviceId device);

    /// The log that the path asks for. An error (run/events) if it cannot be written; none at all for an empty path.
    struct Opened {
        std::shared_ptr<EventLog> log;
        Findings findings;
    };
    [[nodiscard]] static Opened open(
        const std::string& path, Clock::time_point began = Clock::now(), bool append = false);

private:
    std::shared_ptr<EventFile> file_; ///< a device that is left behind keeps it
    Clock::time_point began_;
};

} // namespace pipeloom::executor
