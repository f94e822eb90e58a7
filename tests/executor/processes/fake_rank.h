// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A rank that does nothing but have a heartbeat: what its device does, and that it fails, is said by the test.

#include "executor/processes/heartbeat.h"

#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pipeloom::test {

/// Until `holds`, for 20 s at most; true if it does.
inline bool comesTrue(const std::function<bool()>& holds)
{
    for (int i = 0; i < 4000; ++i) {
        if (holds())
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

class FakeRank {
public:
    FakeRank(executor::Store& store, executor::HeartbeatOptions options, executor::DeviceStatus status)
        : status_(status)
        , heart_(store, std::move(options), hooks())
    {
    }

    void does(const executor::DeviceStatus& status)
    {
        const std::lock_guard held(mutex_);
        status_ = status;
    }
    void fails(const std::string& rule, const std::string& what)
    {
        const std::lock_guard held(mutex_);
        failure_ = executor::Failure { status_, rule, what, "Mend it." };
        status_.doing = executor::Doing::Ended; // as its thread does
    }
    void finds(const Finding& finding)
    {
        const std::lock_guard held(mutex_);
        finding_ = finding;
    }
    /// What the heartbeat has ended it with, each time that it did.
    std::vector<Finding> ends()
    {
        const std::lock_guard held(mutex_);
        return ends_;
    }
    bool hasEnded() { return !ends().empty(); }
    executor::Heartbeat& heart() { return heart_; }

private:
    executor::HeartbeatHooks hooks()
    {
        executor::HeartbeatHooks hooks;
        hooks.statuses = [this] {
            const std::lock_guard held(mutex_);
            return std::vector { status_ };
        };
        hooks.failure = [this] {
            const std::lock_guard held(mutex_);
            return failure_;
        };
        hooks.finding = [this] {
            const std::lock_guard held(mutex_);
            return finding_;
        };
        hooks.end = [this](const Finding& finding) {
            const std::lock_guard held(mutex_);
            ends_.push_back(finding);
        };
        return hooks;
    }

    std::mutex mutex_;
    executor::DeviceStatus status_;
    std::optional<executor::Failure> failure_;
    std::optional<Finding> finding_;
    std::vector<Finding> ends_;
    executor::Heartbeat heart_; ///< the last member: its thread uses all others
};

} // namespace pipeloom::test
