// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/line.h"

#include <utility>

namespace pipeloom::executor {

Line::Line(std::function<void(const std::exception&)> failed)
    : failed_(std::move(failed))
    , thread_([this] { work(); })
{
}

Line::~Line()
{
    {
        const std::lock_guard held(mutex_);
        closing_ = true;
    }
    news_.notify_one();
    thread_.join();
}

void Line::post(std::function<void()> task)
{
    {
        const std::lock_guard held(mutex_);
        tasks_.push_back(std::move(task));
    }
    news_.notify_one();
}

void Line::work()
{
    bool broken = false;
    while (true) {
        std::function<void()> task;
        {
            std::unique_lock held(mutex_);
            news_.wait(held, [this] { return closing_ || !tasks_.empty(); });
            if (tasks_.empty())
                return;
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        if (broken)
            continue;
        try {
            task();
        } catch (const std::exception& error) {
            broken = true;
            failed_(error);
        }
    }
}

} // namespace pipeloom::executor
