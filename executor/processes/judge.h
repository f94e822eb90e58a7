// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who decides that a run cannot go on when no rank says so itself: a thread in the launcher, or in rank 0 where there is none.

#include "executor/processes/judgement.h"
#include "executor/processes/store.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace pipeloom::executor {

struct JudgeOptions {
    std::int32_t ranks = 1;
    Nanoseconds limit = std::chrono::seconds(60); ///< as in judge() of judgement.h
    Nanoseconds period {};                        ///< 0: beatPeriod(limit)
    std::string storeHost;                        ///< named when the store is lost
    LastStatus lastStatus;                        ///< called by the judge's thread; may be empty
    /// Once, when the run has ended, by whomever; on the judge's thread. May be empty.
    std::function<void(const Finding&)> ended;
};

/// Lives until it is destroyed. Looks at all ranks each period and says itself that it lives, until the run has ended.
class Judge {
public:
    /// `store` must live longer, and is best a connection of its own: another's long call would keep the judge silent.
    Judge(Store& store, JudgeOptions options);
    ~Judge();
    Judge(const Judge&) = delete;
    Judge& operator=(const Judge&) = delete;

    /// A rank's process has died before the run was over; `how`: `was killed by signal 9 (Killed)`. Ends the run a moment
    /// later, when the others have come to wait, unless it has ended. Any thread.
    void died(std::int32_t rank, std::string how);
    /// Ends the run for a reason of the caller's own; it is claimed by the judge's thread, at once. First come, first served.
    /// Any thread.
    void end(Finding finding);

    /// What ended the run, if the judge has seen that it has ended.
    [[nodiscard]] std::optional<Finding> verdict() const;
    /// Waits up to `time` until the run has ended or all ranks have said that they have; then true. A judge that lives in
    /// rank 0 is needed until then.
    [[nodiscard]] bool awaitEnd(Nanoseconds time) const;

private:
    struct Death {
        std::int32_t rank = 0;
        std::string how;
        Clock::time_point due; ///< when it is to be said
    };

    void live(const std::stop_token& stop);
    [[nodiscard]] std::optional<Finding> look();
    void noteEnded();
    [[nodiscard]] std::optional<Finding> reported(Clock::time_point now);
    void conclude(const Finding& finding);
    void rest(const std::stop_token& stop);

    Store& store_;
    JudgeOptions options_;
    RankWatch watch_;
    std::int64_t beat_ = 0;

    mutable std::mutex mutex_;
    mutable std::condition_variable_any wake_;
    std::deque<Death> deaths_;
    std::optional<Finding> ending_; ///< asked for by end()
    std::optional<Finding> verdict_;
    bool allEnded_ = false;
    std::jthread thread_; ///< the last member: it uses all others
};

} // namespace pipeloom::executor
