// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads a run's events on a thread of its own and hands them over in batches. No more than two batches are under way: while the
// window is held up, what comes stays in the files.

#include "core/formats/event_files.h"
#include "core/run/measured_step.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace pipeloom::designer {

class StepIndex;

/// What the feed hands over at a time.
struct EventBatch {
    std::vector<RunEvent> events;
    bool replaced = false;                         ///< another run stands in the files: all before is of no use
    bool atEnd = false;                            ///< a replay has given all
    std::string problem;                           ///< why nothing can be read; empty: it can
    EventCounts counts;                            ///< in all
    std::int64_t bytesBehind = 0;                  ///< still in the files
    std::chrono::steady_clock::time_point current; ///< when the files had last been read to their end
};

class EventFeed {
public:
    using Clock = std::chrono::steady_clock;
    struct Settings {
        std::string path;
        double speed = 0; ///< of a replay; 0: as fast as it comes, and followed
        std::function<Clock::time_point()> now = &Clock::now;
        std::chrono::milliseconds poll { 30 };
    };
    /// Both are called on the feed's thread. `onStep`: what readStep asked for; null: it is not in the files.
    using OnBatch = std::function<void(std::shared_ptr<EventBatch>)>;
    using OnStep = std::function<void(std::int64_t step, MeasuredStepPtr)>;
    EventFeed(Settings settings, OnBatch onBatch, OnStep onStep);
    /// Waits until its thread has ended, which takes one look at the files at most.
    ~EventFeed();
    EventFeed(const EventFeed&) = delete;
    EventFeed& operator=(const EventFeed&) = delete;

    /// A batch has been dealt with: the next one may come.
    void done();
    void setPaused(bool paused);
    void setSpeed(double speed);
    /// Reads a step from the files again; the newest request counts.
    void readStep(std::int64_t step, RunBegan began, std::optional<RunPlanned> planned);

private:
    struct StepRequest {
        std::int64_t step = 0;
        RunBegan began;
        std::optional<RunPlanned> planned;
    };
    void run(const std::stop_token& stop);
    /// Takes what the reader has, up to a batch; a replay only what is due.
    std::shared_ptr<EventBatch> collect();
    [[nodiscard]] Nanos due();
    void serve(const StepRequest& request);

    Settings settings_;
    OnBatch onBatch_;
    OnStep onStep_;

    // Of the feed's thread alone.
    std::unique_ptr<EventFileReader> reader_;
    std::unique_ptr<StepIndex> index_;
    std::vector<RunEvent> ahead_; ///< read, and not yet due
    std::size_t aheadAt_ = 0;
    Nanos aheadTime_ = 0;
    bool isDry_ = false;
    Nanos position_ = -1; ///< of a replay; -1: not begun
    Clock::time_point moved_;
    Clock::time_point current_;

    std::mutex mutex_;
    std::condition_variable_any changed_;
    int underWay_ = 0;
    bool paused_ = false;
    double speed_ = 0;
    std::optional<StepRequest> request_;
    std::jthread thread_; ///< last, so that it ends first
};

} // namespace pipeloom::designer
