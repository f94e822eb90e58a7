// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/event_feed.h"

#include "app/designer/run/step_index.h"

#include <algorithm>
#include <utility>

namespace pipeloom::designer {

namespace {

constexpr std::size_t batchEvents = 20'000;
constexpr int mostUnderWay = 2;

} // namespace

EventFeed::EventFeed(Settings settings, OnBatch onBatch, OnStep onStep)
    : settings_(std::move(settings))
    , onBatch_(std::move(onBatch))
    , onStep_(std::move(onStep))
    , reader_(std::make_unique<EventFileReader>(settings_.path))
    , index_(std::make_unique<StepIndex>())
    , moved_(settings_.now())
    , current_(Clock::now())
    , speed_(settings_.speed)
    , thread_([this](const std::stop_token& stop) { run(stop); })
{
}

EventFeed::~EventFeed()
{
    thread_.request_stop();
    changed_.notify_all();
    thread_.join();
}

void EventFeed::done()
{
    {
        const std::lock_guard held(mutex_);
        --underWay_;
    }
    changed_.notify_all();
}

void EventFeed::setPaused(bool paused)
{
    {
        const std::lock_guard held(mutex_);
        paused_ = paused;
    }
    changed_.notify_all();
}

void EventFeed::setSpeed(double speed)
{
    const std::lock_guard held(mutex_);
    speed_ = speed;
}

void EventFeed::readStep(std::int64_t step, RunBegan began, std::optional<RunPlanned> planned)
{
    {
        const std::lock_guard held(mutex_);
        request_ = StepRequest { step, std::move(began), std::move(planned) };
    }
    changed_.notify_all();
}

void EventFeed::run(const std::stop_token& stop)
{
    bool waitsForMore = false;
    std::int64_t toldBehind = -1;
    std::string toldProblem;
    while (!stop.stop_requested()) {
        std::optional<StepRequest> request;
        {
            std::unique_lock held(mutex_);
            const auto mayGoOn = [this] { return request_.has_value() || (!paused_ && underWay_ < mostUnderWay); };
            if (waitsForMore)
                changed_.wait_for(held, stop, settings_.poll, [this] { return request_.has_value(); });
            // Time stands still for a replay while it is paused.
            changed_.wait_for(held, stop, settings_.poll, mayGoOn);
            request = std::exchange(request_, std::nullopt);
            if (!request && !mayGoOn()) {
                if (paused_)
                    moved_ = settings_.now();
                continue;
            }
            if (request && (paused_ || underWay_ >= mostUnderWay)) {
                held.unlock();
                serve(*request);
                continue;
            }
        }
        if (request)
            serve(*request);
        const std::shared_ptr<EventBatch> batch = collect();
        const bool isNews = !batch->events.empty() || batch->replaced || batch->problem != toldProblem || batch->atEnd
            || batch->bytesBehind != toldBehind;
        waitsForMore = batch->events.size() < batchEvents;
        if (!isNews)
            continue;
        toldBehind = batch->bytesBehind;
        toldProblem = batch->problem;
        {
            const std::lock_guard held(mutex_);
            ++underWay_;
        }
        const bool isLast = batch->atEnd;
        onBatch_(batch);
        if (isLast) { // only steps may still be asked for
            std::unique_lock held(mutex_);
            while (!stop.stop_requested()) {
                changed_.wait(held, stop, [this] { return request_.has_value(); });
                if (const auto last = std::exchange(request_, std::nullopt)) {
                    held.unlock();
                    serve(*last);
                    held.lock();
                }
            }
        }
    }
}

/// How far a replay has come: the time of the run that is now.
Nanos EventFeed::due()
{
    double speed = 0;
    {
        const std::lock_guard held(mutex_);
        speed = speed_;
    }
    const Clock::time_point now = settings_.now();
    if (position_ < 0)
        position_ = 0;
    else
        position_ += static_cast<Nanos>(
            static_cast<double>(std::chrono::nanoseconds(now - moved_).count()) * std::max(speed, 0.0));
    moved_ = now;
    return position_;
}

std::shared_ptr<EventBatch> EventFeed::collect()
{
    auto batch = std::make_shared<EventBatch>();
    const Findings findings = reader_->look();
    if (!findings.empty())
        batch->problem = findings.front().message;
    batch->replaced = reader_->wasReplaced();
    if (batch->replaced) {
        index_->clear();
        ahead_.clear();
        aheadAt_ = 0;
        position_ = -1;
    }
    const bool isReplay = settings_.speed > 0;
    const auto take = [&](RunEvent&& event, EventFileReader::Origin origin) {
        index_->add(event, origin);
        (isReplay ? ahead_ : batch->events).push_back(std::move(event));
    };
    if (!isReplay) {
        isDry_ = !reader_->read(batchEvents, take);
    } else {
        const Nanos now = due();
        while (batch->events.size() < batchEvents) {
            if (aheadAt_ == ahead_.size()) {
                ahead_.clear();
                aheadAt_ = 0;
                isDry_ = !reader_->read(1000, take);
                if (ahead_.empty()) {
                    reader_->finish(take);
                    batch->atEnd = ahead_.empty() && batch->events.empty();
                    break;
                }
            }
            aheadTime_ = timeOf(ahead_[aheadAt_]).value_or(aheadTime_);
            if (aheadTime_ > now)
                break;
            batch->events.push_back(std::move(ahead_[aheadAt_++]));
        }
    }
    if (isDry_)
        current_ = Clock::now();
    batch->current = current_;
    batch->counts = reader_->counts();
    batch->bytesBehind = isReplay ? 0 : reader_->behind();
    return batch;
}

void EventFeed::serve(const StepRequest& request)
{
    onStep_(request.step, index_->read(reader_->files(), request.step, request.began, request.planned));
}

} // namespace pipeloom::designer
