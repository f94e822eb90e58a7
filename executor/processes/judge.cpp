// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/judge.h"

#include "executor/processes/keys.h"
#include "executor/processes/verdict.h"

#include <algorithm>

namespace pipeloom::executor {

namespace {

/// After a death, until those who need the dead one have come to wait for it and have said so.
Nanoseconds untilOthersWait(Nanoseconds period)
{
    return std::min<Nanoseconds>(2 * period, std::chrono::milliseconds(300));
}

} // namespace

Judge::Judge(Store& store, JudgeOptions options)
    : store_(store)
    , options_(std::move(options))
    , watch_(options_.ranks, Clock::now(), options_.limit)
{
    if (options_.period == Nanoseconds {})
        options_.period = beatPeriod(options_.limit);
    thread_ = std::jthread([this](const std::stop_token& stop) { live(stop); });
}

Judge::~Judge() = default;

void Judge::died(std::int32_t rank, std::string how)
{
    const std::lock_guard held(mutex_);
    deaths_.push_back({ rank, std::move(how), Clock::now() + untilOthersWait(options_.period) });
}

void Judge::end(Finding finding)
{
    const std::lock_guard held(mutex_);
    if (!ending_)
        ending_ = std::move(finding);
    wake_.notify_all();
}

std::optional<Finding> Judge::verdict() const
{
    const std::lock_guard held(mutex_);
    return verdict_;
}

bool Judge::awaitEnd(Nanoseconds time) const
{
    std::unique_lock held(mutex_);
    return wake_.wait_for(held, time, [this] { return verdict_ || allEnded_; });
}

void Judge::live(const std::stop_token& stop)
{
    try {
        std::optional<Finding> finding;
        while (!finding && !stop.stop_requested()) {
            finding = look();
            if (!finding)
                rest(stop);
        }
        if (finding)
            conclude(*finding);
    } catch (const StoreLost& error) {
        conclude(lostStore(options_.storeHost, error.what()));
    }
}

/// One sign of life and one look around; what ended the run.
std::optional<Finding> Judge::look()
{
    store_.set(keys::judge(), std::to_string(++beat_));
    if (auto ended = pipeloom::executor::verdict(store_))
        return ended;
    const auto now = Clock::now();
    watch_.look(store_, now);
    noteEnded();
    auto finding = reported(now);
    if (!finding)
        finding = judge(watch_.views(), now, options_.limit, options_.lastStatus);
    return finding ? std::optional(claimVerdict(store_, *finding)) : std::nullopt;
}

void Judge::noteEnded()
{
    const auto ranks = watch_.views();
    const bool ended = std::all_of(ranks.begin(), ranks.end(), [](const RankView& view) { return view.ended; });
    const std::lock_guard held(mutex_);
    allEnded_ = ended;
    if (ended)
        wake_.notify_all();
}

/// What the launcher has said.
std::optional<Finding> Judge::reported(Clock::time_point now)
{
    std::optional<Death> death;
    {
        const std::lock_guard held(mutex_);
        if (ending_)
            return ending_;
        if (deaths_.empty() || deaths_.front().due > now)
            return std::nullopt;
        death = deaths_.front();
    }
    return pipeloom::executor::died(watch_.views(), death->rank, death->how, now, options_.lastStatus);
}

void Judge::conclude(const Finding& finding)
{
    {
        const std::lock_guard held(mutex_);
        verdict_ = finding;
        wake_.notify_all();
    }
    if (options_.ended)
        options_.ended(finding);
}

void Judge::rest(const std::stop_token& stop)
{
    std::unique_lock held(mutex_);
    wake_.wait_for(held, stop, options_.period, [this] { return ending_.has_value(); });
}

} // namespace pipeloom::executor
