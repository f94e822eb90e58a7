// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a rank learns that its launcher is gone, however that went: it waits for the end of a pipe that only the launcher
// could write to. The system closes it with the launcher.

#include "executor/device_status.h"
#include "executor/processes/owned_fd.h"

#include <functional>
#include <thread>

namespace pipeloom::executor {

/// Watches from construction to destruction. A rank whose launcher is gone writes its lines into pipes that nobody reads:
/// it should ignore SIGPIPE, so that it can still end in order.
class LauncherWatch {
public:
    /// `watchFd` (RankPlace::watchFd) is closed in the end, and not passed on to children. When the launcher is gone, `gone`
    /// is called once, on a thread of its own, and must not throw; if the watch has not been destroyed after `limit`, be it that
    /// `gone` does not come back, the process ends with exit code 3 and without ado. Throws std::system_error if
    /// `watchFd` is no pipe (then it stays open) or the system gives no thread or event.
    LauncherWatch(int watchFd, std::function<void()> gone, Nanoseconds limit);
    /// Prompt; waits for a call of `gone` that is under way, within its limit.
    ~LauncherWatch();
    LauncherWatch(const LauncherWatch&) = delete;
    LauncherWatch& operator=(const LauncherWatch&) = delete;

private:
    void watch();
    [[nodiscard]] bool launcherGone() const;

    OwnedFd pipe_;
    WakeUp stop_;
    std::function<void()> gone_;
    Nanoseconds limit_;
    std::thread thread_;
};

} // namespace pipeloom::executor
