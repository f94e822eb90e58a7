// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/launcher_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <future>
#include <optional>
#include <system_error>

namespace pipeloom::executor {

namespace {

constexpr int exitCode = 3; ///< of a run that failed

OwnedFd pipeEnd(int fd)
{
    struct stat about { };
    if (::fstat(fd, &about) != 0 || !S_ISFIFO(about.st_mode))
        throw std::system_error(EBADF, std::generic_category(), "PIPELOOM_WATCH_FD names no pipe");
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    return OwnedFd(fd);
}

/// False: the deadline came first.
bool wokenBefore(const WakeUp& wakeUp, Clock::time_point deadline)
{
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd wait { wakeUp.get(), POLLIN, 0 };
        if (::poll(&wait, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000))) > 0)
            return true;
        if (left <= 0)
            return false;
    }
}

} // namespace

LauncherWatch::LauncherWatch(int watchFd, std::function<void()> gone, Nanoseconds limit)
    : pipe_(pipeEnd(watchFd))
    , gone_(std::move(gone))
    , limit_(limit)
{
    if (stop_.get() < 0)
        throw std::system_error(errno, std::generic_category(), "no event to watch the launcher with");
    thread_ = std::thread([this] { watch(); });
}

LauncherWatch::~LauncherWatch()
{
    stop_.wake();
    thread_.join();
}

void LauncherWatch::watch()
{
    if (!launcherGone())
        return;
    const auto deadline = Clock::now() + limit_;
    // Called on a thread of its own, so that the limit also holds where it does not come back.
    std::promise<void> called;
    const auto calledOnce = called.get_future();
    std::thread caller;
    try {
        caller = std::thread([&] {
            gone_();
            called.set_value();
        });
    } catch (const std::system_error&) {
        ::_exit(exitCode);
    }
    if (calledOnce.wait_until(deadline) != std::future_status::ready)
        ::_exit(exitCode);
    caller.join();
    if (!wokenBefore(stop_, deadline))
        ::_exit(exitCode);
}

bool LauncherWatch::launcherGone() const
{
    for (;;) {
        // Asked for no event of the pipe, poll still tells that its other end was closed.
        std::array<pollfd, 2> waits { { { stop_.get(), POLLIN, 0 }, { pipe_.get(), 0, 0 } } };
        if (::poll(waits.data(), waits.size(), -1) <= 0)
            continue;
        if (waits[0].revents != 0)
            return false;
        if (waits[1].revents != 0)
            return true;
    }
}

} // namespace pipeloom::executor
