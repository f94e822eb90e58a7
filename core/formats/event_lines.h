// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the events of a run, JSON Lines of version 1, as they come, in pieces of any size. Bad lines are told and passed over.
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
// Keys that are not known are passed over; so are events that are not known, which are counted. A line longer than 64 MB is cut.

#include "core/finding/finding.h"
#include "core/run/run_event.h"

#include <functional>
#include <string>
#include <string_view>

namespace pipeloom {

/// What became of the lines.
struct EventCounts {
    std::int64_t lines = 0;   ///< whole ones, empty ones left out
    std::int64_t garbled = 0; ///< no JSON, or an event without what it must have
    std::int64_t unknown = 0; ///< of a later version
    std::int64_t cut = 0;     ///< the last line had no end when the source ended
    std::string firstGarbled; ///< the first of them, shortened, and what is wrong with it

    EventCounts& operator+=(const EventCounts& more);
};

class EventLines {
public:
    /// `begin`: the offset of the event's line, in bytes from the start of all that was fed.
    using Take = std::function<void(RunEvent&& event, std::int64_t begin)>;

    /// Reads on. Lines that are not whole are kept until their rest comes.
    void feed(std::string_view bytes, const Take& take);
    /// Nothing more comes: what is left is a cut line, read all the same if it is whole but for its line feed.
    void finish(const Take& take);

    [[nodiscard]] const EventCounts& counts() const { return counts_; }

private:
    void line(std::string_view text, std::int64_t begin, const Take& take);

    std::string rest_;           ///< the beginning of a line
    std::int64_t restBegin_ = 0; ///< its offset
    std::int64_t fed_ = 0;       ///< bytes in all
    EventCounts counts_;
};

} // namespace pipeloom
