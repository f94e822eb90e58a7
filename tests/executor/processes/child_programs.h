// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tests of processes share: children that are shell scripts or this test program in another part, their lines, and waiting
// with a limit that only a broken program reaches.

#include "executor/processes/children.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace pipeloom::test {

using namespace std::chrono_literals;
inline constexpr auto longTime = 60s; ///< what is awaited comes far sooner

/// Polls; false after longTime.
template <class Condition> [[nodiscard]] bool comesTrue(Condition&& condition)
{
    const auto deadline = std::chrono::steady_clock::now() + longTime;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

/// Lines of children, as they come from the relay's thread.
class Lines {
public:
    [[nodiscard]] executor::OnLine collect()
    {
        return [this](int rank, std::string_view line) {
            const std::lock_guard lock(mutex_);
            lines_.emplace_back(rank, line);
        };
    }
    [[nodiscard]] std::vector<std::string> of(int rank) const
    {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> result;
        for (const auto& [who, line] : lines_)
            if (who == rank)
                result.push_back(line);
        return result;
    }
    [[nodiscard]] bool has(int rank, std::size_t count) const
    {
        return comesTrue([&] { return of(rank).size() >= count; });
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::pair<int, std::string>> lines_;
};

/// One child for each script, run by /bin/sh.
inline executor::ChildrenPlan scripts(const std::vector<std::string>& texts, executor::OnLine onLine)
{
    executor::ChildrenPlan plan;
    plan.program = "/bin/sh";
    plan.arguments = { "-c", "eval \"$SCRIPT\"" };
    for (const auto& text : texts)
        plan.environments.push_back({ { "SCRIPT", text } });
    plan.onLine = std::move(onLine);
    return plan;
}

inline executor::OnLine ignoreLines()
{
    return [](int, std::string_view) {};
}

/// One child for each part, run by this test program, whose main() asks `part()`.
inline executor::ChildrenPlan parts(
    const std::vector<std::string>& names, executor::OnLine onLine, const executor::Environment& more = {})
{
    executor::ChildrenPlan plan;
    for (const auto& name : names) {
        plan.environments.push_back({ { "TEST_PART", name } });
        plan.environments.back().insert(plan.environments.back().end(), more.begin(), more.end());
    }
    plan.onLine = std::move(onLine);
    return plan;
}

/// Empty where it is not set.
inline std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Empty in the test itself.
inline std::string part() { return variable("TEST_PART"); }

[[noreturn]] inline void waitForever()
{
    for (;;)
        ::pause();
}

/// As long as it lives, processes whose parent died become children of the test, which so learns how they end. Made before
/// the Children: in its end it waits for whoever is left.
class OrphansAdopted {
public:
    OrphansAdopted() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
    ~OrphansAdopted()
    {
        ::prctl(PR_SET_CHILD_SUBREAPER, 0);
        [[maybe_unused]] const bool allGone = comesTrue([] { return ::waitpid(-1, nullptr, WNOHANG) < 0; });
    }
    OrphansAdopted(const OrphansAdopted&) = delete;
    OrphansAdopted& operator=(const OrphansAdopted&) = delete;
};

/// How an adopted process ended; value -1 if it did not.
inline executor::Exit endOfOrphan(pid_t pid)
{
    siginfo_t about {};
    const bool ended = comesTrue([&] {
        about = {};
        return ::waitid(P_PID, static_cast<id_t>(pid), &about, WEXITED | WNOHANG) == 0 && about.si_pid == pid;
    });
    using How = executor::Exit::How;
    if (!ended)
        return { 0, How::Lost, -1 };
    return { 0, about.si_code == CLD_EXITED ? How::Exited : How::Killed, about.si_status };
}

/// All exits of a run whose children end by themselves.
inline std::vector<executor::Exit> allExits(executor::Children& children)
{
    std::vector<executor::Exit> result;
    while (children.running() > 0) {
        const auto more = children.waitForNews(longTime);
        if (more.empty())
            break;
        result.insert(result.end(), more.begin(), more.end());
    }
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
    return result;
}

} // namespace pipeloom::test
