// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread that does one thing after another: what a channel between processes needs, since sending and receiving wait.

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace pipeloom::executor {

class Line {
public:
    /// `failed` is called on the thread with what a task throws; later tasks are dropped.
    explicit Line(std::function<void(const std::exception&)> failed);
    /// Waits until all that was posted is done. Whoever is in a hurry makes the task under way throw first.
    ~Line();
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    /// By any thread; never waits for the task.
    void post(std::function<void()> task);

private:
    void work();

    std::function<void(const std::exception&)> failed_;
    std::mutex mutex_;
    std::condition_variable news_;
    std::deque<std::function<void()>> tasks_;
    bool closing_ = false;
    std::thread thread_; ///< last, so that it starts when the rest is there
};

} // namespace pipeloom::executor
