// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pipeloom::executor {

namespace {

constexpr std::size_t ranksNamed = 8; ///< in one sentence; more are counted

const RankView& viewOf(std::span<const RankView> ranks, std::int32_t rank)
{
    return ranks[static_cast<std::size_t>(rank)];
}

/// One rank and what is known of it and around it, for a sentence that names it.
struct Portrait {
    Place place;
    std::string name;     ///< `Rank 2 (device 2)`
    std::string lastSeen; ///< `in 2F5 (last finished 2F4)`; empty: it has never said anything
    std::string waiters;  ///< as sentences, each with a blank before it
};

Portrait portrait(
    std::span<const RankView> ranks, std::int32_t rank, Clock::time_point now, const LastStatus& lastStatus)
{
    const auto& view = viewOf(ranks, rank);
    auto statuses = view.statuses;
    if (const auto last = lastStatus ? lastStatus(rank) : std::nullopt) {
        const auto same = std::find_if(
            statuses.begin(), statuses.end(), [&](const DeviceStatus& s) { return s.device == last->device; });
        same == statuses.end() ? statuses.push_back(*last) : static_cast<void>(*same = *last);
    }
    Portrait result;
    result.name = fmt::format("Rank {}", rank);
    if (statuses.empty())
        return result;
    // Of several devices the one that waits on nobody.
    const auto active
        = std::find_if(statuses.begin(), statuses.end(), [](const DeviceStatus& s) { return !s.waits(); });
    const auto& status = active == statuses.end() ? statuses.front() : *active;
    result.place = placeOf(status);
    result.name = fmt::format("Rank {} (device {})", rank, status.device.value);
    result.lastSeen = fmt::format("{} ({})", lastSeenText(status), finishedText(status));

    auto devices = devicesOf(ranks);
    std::replace_if(
        devices.begin(), devices.end(), [&](const DeviceStatus& s) { return s.device == status.device; }, status);
    result.waiters = waitersText(devices, status.device, now);
    return result;
}

std::vector<Place> placesOf(const Portrait& portrait)
{
    return portrait.place.device ? std::vector { portrait.place } : std::vector<Place> {};
}

bool waitsOnNobody(const RankView& view)
{
    return std::any_of(view.statuses.begin(), view.statuses.end(), [](const DeviceStatus& s) { return !s.waits(); });
}

std::vector<std::int32_t> silentFor(std::span<const RankView> ranks, Clock::time_point now, Nanoseconds silence)
{
    std::vector<std::int32_t> silent;
    for (const auto& view : ranks)
        if (view.came && !view.ended && now - view.lastBeat > silence)
            silent.push_back(view.rank);
    return silent;
}

/// What its rank has said by its last beat, not what may have become of it since: that of a silent rank grows no older.
Nanoseconds knownAge(const RankView& view, const DeviceStatus& status, Clock::time_point now)
{
    return (view.ended ? now : view.lastBeat) - (view.ended ? view.lastBeat : status.since);
}

bool oneIsStuck(std::span<const RankView> ranks, Clock::time_point now, Nanoseconds limit)
{
    return std::any_of(ranks.begin(), ranks.end(), [&](const RankView& view) {
        return std::any_of(view.statuses.begin(), view.statuses.end(), [&](const DeviceStatus& status) {
            const bool hasLimit = !status.waits() && status.doing != Doing::Ended && status.doing != Doing::Verifying;
            return hasLimit && knownAge(view, status, now) > limit;
        });
    });
}

bool allWaitTooLong(std::span<const RankView> ranks, Clock::time_point now, Nanoseconds limit)
{
    bool someWait = false;
    for (const auto& view : ranks) {
        if (!view.came)
            return false;
        for (const auto& status : view.statuses) {
            if ((!status.waits() && status.doing != Doing::Ended) || knownAge(view, status, now) <= limit)
                return false;
            someWait = someWait || status.waits();
        }
    }
    return someWait;
}

} // namespace

std::optional<Finding> judge(
    std::span<const RankView> ranks, Clock::time_point now, Nanoseconds limit, const LastStatus& lastStatus)
{
    std::vector<std::int32_t> missing;
    for (const auto& view : ranks)
        if (!view.came && now - view.lastBeat > limit)
            missing.push_back(view.rank);
    if (!missing.empty())
        return missingRanks(missing, static_cast<std::int32_t>(ranks.size()), limit);
    if (!silentFor(ranks, now, limit).empty()) {
        // Whatever stopped several of them at once, their last beats did not come at once.
        if (const auto rank = culprit(ranks, now, limit / 2))
            return silentRank(ranks, *rank, now, limit, lastStatus);
    }
    if (oneIsStuck(ranks, now, limit) || allWaitTooLong(ranks, now, limit))
        return stalled(devicesOf(ranks), now, limit);
    return std::nullopt;
}

Finding missingRanks(std::span<const std::int32_t> missing, std::int32_t world, Nanoseconds limit)
{
    Finding finding;
    finding.rule = "run/missing";
    auto who = ranksText(missing);
    who[0] = 'R';
    finding.message = fmt::format(
        "{} of {} {} not come within {}.", who, world, missing.size() == 1 ? "has" : "have", secondsText(limit));
    finding.remedy
        = "Look whether it was started and what it wrote, and whether it reaches the store; --timeout allows "
          "more time.";
    return finding;
}

Finding silentRank(std::span<const RankView> ranks, std::int32_t rank, Clock::time_point now, Nanoseconds limit,
    const LastStatus& lastStatus)
{
    const auto seen = portrait(ranks, rank, now, lastStatus);
    auto others = silentFor(ranks, now, limit / 2);
    std::erase(others, rank);
    Finding finding;
    finding.rule = "run/silent";
    finding.where = placesOf(seen);
    finding.message = fmt::format("{} has given no sign of life for {}, the limit is {}{}.{}{}", seen.name,
        secondsText(now - viewOf(ranks, rank).lastBeat), secondsText(limit),
        seen.lastSeen.empty() ? "" : "; it was last seen " + seen.lastSeen, seen.waiters,
        others.empty() ? "" : fmt::format(" Silent too: {}.", ranksText(others)));
    finding.remedy = "Look whether its process was stopped, or its machine has gone or is short of memory; --timeout "
                     "allows more time.";
    return finding;
}

Finding died(std::span<const RankView> ranks, std::int32_t rank, const std::string& how, Clock::time_point now,
    const LastStatus& lastStatus)
{
    const auto seen = portrait(ranks, rank, now, lastStatus);
    Finding finding;
    finding.rule = "run/died";
    finding.where = placesOf(seen);
    finding.message = fmt::format("{} {}; it was last seen {}.{}", seen.name, how,
        seen.lastSeen.empty() ? "when it was started" : seen.lastSeen, seen.waiters);
    finding.remedy
        = "Look at what it wrote before; if nobody here killed it, the system's log says whether memory ran out.";
    return finding;
}

Finding goneRank(std::span<const RankView> ranks, std::int32_t rank, Clock::time_point now)
{
    const auto seen = portrait(ranks, rank, now, {});
    Finding finding;
    finding.rule = "run/lost";
    finding.where = placesOf(seen);
    finding.message = fmt::format("{} has gone: its connections are lost, and it has given no sign of life for {}{}.{}",
        seen.name, secondsText(now - viewOf(ranks, rank).lastBeat),
        seen.lastSeen.empty() ? "" : "; it was last seen " + seen.lastSeen, seen.waiters);
    finding.remedy = "Look at what it wrote, at its machine's log and at the network to it.";
    return finding;
}

std::optional<std::int32_t> culprit(std::span<const RankView> ranks, Clock::time_point now, Nanoseconds silence)
{
    const RankView* worst = nullptr;
    for (const auto rank : silentFor(ranks, now, silence)) {
        const auto& view = viewOf(ranks, rank);
        if (worst == nullptr || waitsOnNobody(view) > waitsOnNobody(*worst)
            || (waitsOnNobody(view) == waitsOnNobody(*worst) && view.lastBeat < worst->lastBeat))
            worst = &view;
    }
    return worst == nullptr ? std::nullopt : std::optional(worst->rank);
}

std::string ranksText(std::span<const std::int32_t> ranks)
{
    if (ranks.size() == 1)
        return fmt::format("rank {}", ranks.front());
    if (ranks.size() > ranksNamed)
        return fmt::format("ranks {} and {} more", fmt::join(ranks.first(ranksNamed), ", "), ranks.size() - ranksNamed);
    return fmt::format("ranks {} and {}", fmt::join(ranks.first(ranks.size() - 1), ", "), ranks.back());
}

Finding lostStore(const std::string& host, const std::string& why)
{
    Finding finding;
    finding.rule = "run/lost-store";
    finding.message = fmt::format("The process on {} that holds the store of the run does not answer any more: {}.",
        host.empty() ? "an unknown host" : host, why);
    finding.remedy = "Look whether the launcher (under torchrun its agent) still runs there, and at the network to it.";
    return finding;
}

} // namespace pipeloom::executor
