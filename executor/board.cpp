// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/board.h"

#include <algorithm>
#include <utility>

namespace pipeloom::executor {

Board::Board(std::int32_t devices, Nanoseconds limit)
    : wakeUp_(static_cast<std::size_t>(devices))
    , statuses_(static_cast<std::size_t>(devices))
    , ready_(static_cast<std::size_t>(devices))
    , limit_(limit)
{
    const auto now = Clock::now();
    for (std::size_t d = 0; d < statuses_.size(); ++d) {
        statuses_[d].device = DeviceId { d };
        statuses_[d].since = now;
    }
}

Board::Board(std::int32_t devices, Nanoseconds limit, DeviceId only, std::function<void(const DeviceStatus&)> mirror)
    : Board(devices, limit)
{
    only_ = only;
    mirror_ = std::move(mirror);
    for (auto& status : statuses_)
        status.doing = status.device == only ? Doing::Starting : Doing::Ended;
    changed(only);
}

void Board::changed(DeviceId device)
{
    if (mirror_)
        mirror_(statuses_[device.index()]);
}

bool Board::enter(DeviceId device, Doing doing, const Pass& pass)
{
    const Lock held(mutex_);
    auto& status = statuses_[device.index()];
    status.doing = doing;
    status.pass = pass;
    status.since = Clock::now();
    changed(device);
    if (doing == Doing::Ended) {
        // The others may have waited for this one alone.
        if (!finding_ && nobodyCanMove() && !allEnded())
            endUnderLock(stalled(statuses_, Clock::now(), limit_));
        outside_.notify_all();
    }
    return !finding_;
}

void Board::finished(DeviceId device, const Pass& pass)
{
    const Lock held(mutex_);
    auto& status = statuses_[device.index()];
    status.finished = pass;
    status.doing = Doing::Between;
    status.since = Clock::now();
    changed(device);
}

bool Board::wait(Lock& lock, const DeviceStatus& waiting, std::function<bool()> ready)
{
    if (ready())
        return true;
    if (finding_)
        return false;
    const auto d = waiting.device.index();
    const auto finishedBefore = statuses_[d].finished;
    statuses_[d] = waiting;
    statuses_[d].finished = finishedBefore;
    statuses_[d].since = Clock::now();
    ready_[d] = std::move(ready);
    changed(waiting.device);
    if (nobodyCanMove())
        endUnderLock(stalled(statuses_, Clock::now(), limit_));
    wakeUp_[d].wait(lock, [&] { return finding_ || ready_[d](); });
    const bool isReady = ready_[d]();
    ready_[d] = nullptr;
    statuses_[d].doing = Doing::Between;
    statuses_[d].since = Clock::now();
    changed(waiting.device);
    return isReady;
}

void Board::fail(DeviceId device, const std::string& rule, const std::string& what, const std::string& remedy)
{
    const Lock held(mutex_);
    if (finding_) // the statuses are those of the first failure only
        return;
    failure_ = Failure { statuses_[device.index()], rule, what, remedy };
    endUnderLock(failed(statuses_, device, rule, what, remedy, Clock::now()));
}

void Board::end(Finding finding)
{
    const Lock held(mutex_);
    endUnderLock(std::move(finding));
}

bool Board::ended()
{
    const Lock held(mutex_);
    return finding_.has_value();
}

std::optional<Finding> Board::finding()
{
    const Lock held(mutex_);
    return finding_;
}

std::optional<Failure> Board::failure()
{
    const Lock held(mutex_);
    return failure_;
}

std::vector<DeviceStatus> Board::statuses()
{
    const Lock held(mutex_);
    const auto& seen = atEnd_.empty() ? statuses_ : atEnd_;
    if (only_)
        return { seen[only_->index()] };
    return seen;
}

Board::Watched Board::watch(const std::function<bool()>& news, const std::stop_token& stop, Nanoseconds most)
{
    Lock held(mutex_);
    const auto last = Clock::now() + most;
    while (true) {
        const auto changed = [&] { return finding_ || allEnded() || news(); };
        const auto until = std::min(deadline().value_or(last), last);
        outside_.wait_until(held, stop, until, changed);
        if (news())
            return Watched::News;
        if (finding_)
            return Watched::RunEnded;
        if (allEnded())
            return Watched::AllEnded;
        if (stop.stop_requested())
            return Watched::Stopped;
        const auto due = deadline();
        if (due && *due <= Clock::now())
            endUnderLock(stalled(statuses_, Clock::now(), limit_));
        else if (last <= Clock::now())
            return Watched::Nothing;
    }
}

std::vector<DeviceId> Board::leave()
{
    Lock held(mutex_);
    while (true) {
        std::vector<DeviceId> stuck;
        std::size_t live = 0;
        for (const auto& status : statuses_) {
            if (status.doing == Doing::Ended)
                continue;
            ++live;
            if (!status.waits() && status.since + limit_ <= Clock::now())
                stuck.push_back(status.device);
        }
        if (stuck.size() == live)
            return stuck;
        outside_.wait_for(held, std::chrono::milliseconds(10));
    }
}

bool Board::nobodyCanMove() const
{
    if (only_)
        return false;
    for (std::size_t d = 0; d < statuses_.size(); ++d) {
        const bool idle = statuses_[d].doing == Doing::Ended || (statuses_[d].waits() && !(ready_[d] && ready_[d]()));
        if (!idle)
            return false;
    }
    return true;
}

bool Board::allEnded() const
{
    return std::all_of(
        statuses_.begin(), statuses_.end(), [](const DeviceStatus& s) { return s.doing == Doing::Ended; });
}

std::optional<Clock::time_point> Board::deadline() const
{
    std::optional<Clock::time_point> first;
    if (only_)
        return first;
    for (const auto& status : statuses_) {
        if (status.waits() || status.doing == Doing::Ended || status.doing == Doing::Verifying)
            continue;
        const auto due = status.since + limit_;
        if (!first || due < *first)
            first = due;
    }
    return first;
}

void Board::endUnderLock(Finding finding)
{
    if (finding_)
        return;
    finding_ = std::move(finding);
    atEnd_ = statuses_;
    for (auto& waiting : wakeUp_)
        waiting.notify_all();
    outside_.notify_all();
}

} // namespace pipeloom::executor
