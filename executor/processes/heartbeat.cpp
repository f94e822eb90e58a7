// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/heartbeat.h"

#include "executor/processes/judgement.h"
#include "executor/processes/keys.h"
#include "executor/processes/verdict.h"
#include "executor/processes/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pipeloom::executor {

namespace {

constexpr const char* lostConnection = "run/lost";

Finding silentLauncher(Nanoseconds silence, Nanoseconds limit)
{
    Finding finding;
    finding.rule = "run/silent";
    finding.message = fmt::format("The launcher of the run has given no sign of life for {}, the limit is {}.",
        secondsText(silence), secondsText(limit));
    finding.remedy = "Look whether it was stopped (Ctrl+Z, a debugger) or its machine is short of memory; --timeout "
                     "allows more time.";
    return finding;
}

Finding brokenHeartbeat(std::int32_t rank, const char* why)
{
    Finding finding;
    finding.rule = "run/failed";
    finding.message = fmt::format("Rank {} could not give a sign of life any more: {}.", rank, why);
    finding.remedy = "Mend what the message says.";
    return finding;
}

/// With the statuses of this rank's device as it was when it failed.
std::vector<DeviceStatus> withStatus(std::vector<DeviceStatus> devices, const DeviceStatus& status)
{
    std::erase_if(devices, [&](const DeviceStatus& s) { return s.device == status.device; });
    devices.push_back(status);
    std::sort(devices.begin(), devices.end(),
        [](const DeviceStatus& a, const DeviceStatus& b) { return a.device < b.device; });
    return devices;
}

} // namespace

Heartbeat::Heartbeat(Store& store, HeartbeatOptions options, HeartbeatHooks hooks)
    : store_(store)
    , options_(std::move(options))
    , hooks_(std::move(hooks))
    , judgeMoved_(Clock::now())
    , looked_(judgeMoved_)
{
    constexpr Nanoseconds shortest = std::chrono::milliseconds(100);
    constexpr Nanoseconds second = std::chrono::seconds(1);
    if (options_.period == Nanoseconds {})
        options_.period = beatPeriod(options_.limit);
    if (options_.pause == Nanoseconds {})
        options_.pause = std::max(shortest, options_.period);
    if (options_.grace == Nanoseconds {})
        options_.grace = std::min(second, options_.limit / 2);
    thread_ = std::jthread([this](const std::stop_token& stop) { live(stop); });
}

Heartbeat::~Heartbeat() { stop(); }

std::optional<Finding> Heartbeat::stop()
{
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
    }
    return verdict();
}

std::optional<Finding> Heartbeat::verdict() const
{
    const std::lock_guard held(mutex_);
    return verdict_;
}

void Heartbeat::live(const std::stop_token& stop)
{
    bool storeAnswers = true;
    try {
        watchUntil(stop);
    } catch (const StoreLost& error) {
        storeAnswers = false;
        conclude(withoutStore(error.what()));
    } catch (const std::exception& error) {
        conclude(claimed(brokenHeartbeat(options_.rank, error.what())));
    }
    {
        std::unique_lock held(mutex_);
        wake_.wait(held, stop, [] { return false; });
    }
    try {
        if (storeAnswers)
            beat(true);
    } catch (const std::exception&) {
        return; // nobody is left to be told
    }
}

/// Until the run has ended, or this rank is to stop and has told its failure if it has one.
void Heartbeat::watchUntil(const std::stop_token& stop)
{
    while (true) {
        const bool last = stop.stop_requested();
        if (const auto finding = look()) {
            conclude(*finding);
            return;
        }
        if (last)
            return;
        std::unique_lock held(mutex_);
        wake_.wait_for(held, stop, options_.period, [] { return false; });
    }
}

Finding Heartbeat::claimed(const Finding& finding)
{
    try {
        return claimVerdict(store_, finding);
    } catch (const StoreLost&) {
        return finding;
    }
}

/// What this rank knows itself says more than that the store is lost; a lost connection does not.
Finding Heartbeat::withoutStore(const char* why) const
{
    if (const auto failure = hooks_.failure ? hooks_.failure() : std::nullopt;
        failure && failure->rule != lostConnection)
        return composed(*failure, {});
    if (auto finding = hooks_.finding ? hooks_.finding() : std::nullopt)
        return *finding;
    return lostStore(options_.storeHost, why);
}

/// One sign of life and one look around; what ended the run.
std::optional<Finding> Heartbeat::look()
{
    beat(false);
    if (auto ended = pipeloom::executor::verdict(store_))
        return ended;
    if (auto finding = own())
        return finding;
    return silentJudge(Clock::now());
}

void Heartbeat::beat(bool ended)
{
    store_.set(keys::beat(options_.rank), toWire(Beat { ++number_, ended, hooks_.statuses() }, Clock::now()));
}

std::optional<Finding> Heartbeat::own()
{
    if (const auto failure = hooks_.failure ? hooks_.failure() : std::nullopt)
        return failure->rule == lostConnection ? tellSymptom(*failure) : tell(*failure);
    if (const auto finding = hooks_.finding ? hooks_.finding() : std::nullopt)
        return claimVerdict(store_, *finding);
    return std::nullopt;
}

Finding Heartbeat::tell(const Failure& failure)
{
    std::this_thread::sleep_for(options_.pause);
    if (auto ended = pipeloom::executor::verdict(store_))
        return *ended;
    RankWatch others(options_.ranks, Clock::now(), options_.limit);
    others.look(store_, Clock::now());
    return claimVerdict(store_, composed(failure, others.views()));
}

/// Gives others the time to say what is behind it. When nobody does, and a rank's beats have stopped, then that is behind it.
Finding Heartbeat::tellSymptom(const Failure& failure)
{
    const auto began = Clock::now();
    RankWatch others(options_.ranks, began, options_.limit);
    auto now = began;
    do {
        beat(false);
        if (auto ended = pipeloom::executor::verdict(store_))
            return *ended;
        others.look(store_, now);
        std::this_thread::sleep_for(std::min(options_.period, options_.grace));
        now = Clock::now();
    } while (now < began + options_.grace);
    if (auto ended = pipeloom::executor::verdict(store_))
        return *ended;
    others.look(store_, now);
    const auto gone = culprit(others.views(), now, std::max(options_.grace * 3 / 4, 3 * options_.period));
    if (gone && *gone != options_.rank)
        return claimVerdict(store_, goneRank(others.views(), *gone, now));
    return claimVerdict(store_, composed(failure, others.views()));
}

Finding Heartbeat::composed(const Failure& failure, std::span<const RankView> others) const
{
    return failed(withStatus(devicesOf(others), failure.status), failure.status.device, failure.rule, failure.what,
        failure.remedy, Clock::now());
}

std::optional<Finding> Heartbeat::silentJudge(Clock::time_point now)
{
    auto text = store_.get(keys::judge());
    const auto gap = now - std::exchange(looked_, now);
    if (gap > options_.limit / 2)
        judgeMoved_ += gap; // this process was stopped itself
    if (text != judgeText_) {
        judgeText_ = std::move(text);
        judgeMoved_ = now;
    }
    const auto silence = now - judgeMoved_;
    if (silence <= options_.limit)
        return std::nullopt;
    if (!options_.judgeRank)
        return claimVerdict(store_, silentLauncher(silence, options_.limit));
    RankWatch watch(options_.ranks, now, options_.limit);
    watch.look(store_, now);
    std::vector<RankView> ranks(watch.views().begin(), watch.views().end());
    ranks[static_cast<std::size_t>(*options_.judgeRank)].lastBeat = judgeMoved_;
    return claimVerdict(store_, silentRank(ranks, *options_.judgeRank, now, options_.limit));
}

void Heartbeat::conclude(const Finding& finding)
{
    {
        const std::lock_guard held(mutex_);
        verdict_ = finding;
    }
    hooks_.end(finding);
}

} // namespace pipeloom::executor
