// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A rank's thread that lives whatever its devices do: it tells the others what they are doing, ends the run for all when one of
// them fails, and ends this rank when another process has ended the run, the store is lost, or the judge is silent.
//
// First come, first served, but the cause before its symptoms: a lost connection (`run/lost`) is held back for a while in
// which somebody who knows better, the rank that failed or the launcher that saw it die, may end the run.

#include "executor/board.h"
#include "executor/processes/rank_watch.h"
#include "executor/processes/store.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace pipeloom::executor {

struct HeartbeatOptions {
    std::int32_t rank = 0;
    std::int32_t ranks = 1;
    Nanoseconds limit = std::chrono::seconds(60); ///< the longest that the judge may be silent
    Nanoseconds period {};                        ///< 0: beatPeriod(limit)
    std::optional<std::int32_t> judgeRank;        ///< that the judge lives in; none: the launcher
    std::string storeHost;                        ///< named when the store is lost
    /// After an own failure, until the others have come to wait and have said so. 0: a period, but at least 100 ms.
    Nanoseconds pause {};
    /// How long a lost connection is held back. 0: a second, but at most half the limit.
    Nanoseconds grace {};
};

/// All are called on the heartbeat's thread. `failure` and `finding` may be empty.
struct HeartbeatHooks {
    std::function<std::vector<DeviceStatus>()> statuses; ///< of this rank's devices
    std::function<std::optional<Failure>()> failure;     ///< of one of them
    std::function<std::optional<Finding>()> finding; ///< a whole finding that ended this rank; `failure` comes first
    std::function<void(const Finding&)> end;         ///< the run has ended: ends this rank. Called at most once
};

class Heartbeat {
public:
    /// `store` must live longer, and is best a connection of its own: another's long call would make this rank silent.
    Heartbeat(Store& store, HeartbeatOptions options, HeartbeatHooks hooks);
    ~Heartbeat(); ///< stop()
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    /// Says that this rank has ended, so that nobody misses it. Before that an own failure is told, which takes its pause or
    /// grace; else it is prompt. Gives what ended the run, if that is known here.
    std::optional<Finding> stop();
    /// What ended the run, if that is known here.
    [[nodiscard]] std::optional<Finding> verdict() const;

private:
    void live(const std::stop_token& stop);
    void watchUntil(const std::stop_token& stop);
    [[nodiscard]] std::optional<Finding> look();
    void beat(bool ended);
    [[nodiscard]] std::optional<Finding> own();
    [[nodiscard]] Finding claimed(const Finding& finding);
    [[nodiscard]] Finding withoutStore(const char* why) const;
    [[nodiscard]] Finding tell(const Failure& failure);
    [[nodiscard]] Finding tellSymptom(const Failure& failure);
    [[nodiscard]] Finding composed(const Failure& failure, std::span<const RankView> others) const;
    [[nodiscard]] std::optional<Finding> silentJudge(Clock::time_point now);
    void conclude(const Finding& finding);

    Store& store_;
    HeartbeatOptions options_;
    HeartbeatHooks hooks_;
    std::int64_t number_ = 0;
    std::optional<std::string> judgeText_;
    Clock::time_point judgeMoved_; ///< when its beat was last seen to change
    Clock::time_point looked_;

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Finding> verdict_;
    std::jthread thread_; ///< the last member: it uses all others
};

} // namespace pipeloom::executor
