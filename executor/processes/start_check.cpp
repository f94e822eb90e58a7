// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/start_check.h"

#include "executor/processes/judgement.h"
#include "executor/processes/keys.h"
#include "executor/processes/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <thread>

namespace pipeloom::executor {

namespace {

constexpr auto askAgain = std::chrono::milliseconds(20);

/// Ranks whose value is not that of most.
struct Odd {
    std::vector<std::int32_t> ranks; ///< empty: all agree
    std::vector<std::int32_t> most;
};

template <class ValueOf> Odd oddOnes(std::span<const Hello> ranks, ValueOf valueOf)
{
    const auto holding = [&](const auto& value) {
        return std::count_if(ranks.begin(), ranks.end(), [&](const Hello& rank) { return valueOf(rank) == value; });
    };
    auto most = valueOf(ranks.front());
    for (const auto& rank : ranks)
        if (holding(valueOf(rank)) > holding(most))
            most = valueOf(rank);
    Odd odd;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        (valueOf(ranks[i]) == most ? odd.most : odd.ranks).push_back(static_cast<std::int32_t>(i));
    return odd;
}

const Hello& helloOf(std::span<const Hello> ranks, std::int32_t rank) { return ranks[static_cast<std::size_t>(rank)]; }

/// A finding about the odd ones, with their places but no words yet.
Finding about(std::span<const Hello> ranks, const Odd& odd, const char* rule)
{
    Finding finding;
    finding.rule = rule;
    for (const auto rank : odd.ranks) {
        Place place;
        place.device = helloOf(ranks, rank).device;
        finding.where.push_back(place);
    }
    return finding;
}

/// `Rank 2 (on node-b)`; the hosts of several are named if they are one.
std::string oddText(std::span<const Hello> ranks, const Odd& odd)
{
    auto who = ranksText(odd.ranks);
    who[0] = 'R';
    const auto& host = helloOf(ranks, odd.ranks.front()).host;
    const bool isOne = std::all_of(
        odd.ranks.begin(), odd.ranks.end(), [&](std::int32_t rank) { return helloOf(ranks, rank).host == host; });
    return isOne && !host.empty() ? fmt::format("{} (on {})", who, host) : who;
}

Finding twice(std::int32_t rank, const Hello& own, const std::optional<Hello>& other)
{
    Finding finding;
    finding.rule = "run/rank-twice";
    finding.message = fmt::format("Rank {} has come twice: process {} on {}, and {}.", rank, own.pid, own.host,
        other ? fmt::format("process {} on {}", other->pid, other->host) : "one that this version cannot read");
    finding.remedy = "Give each process a RANK of its own, and each run a store of its own.";
    return finding;
}

Finding unreadable(std::int32_t rank)
{
    Finding finding;
    finding.rule = "run/version";
    finding.message = fmt::format("Rank {} says who it is in words that this version cannot read.", rank);
    finding.remedy = "Install the same version of Pipeloom for all ranks.";
    return finding;
}

/// `first` has not come; who else has not.
Finding missingFrom(Store& store, std::int32_t first, std::int32_t world, Nanoseconds limit)
{
    std::vector<std::int32_t> missing { first };
    for (std::int32_t rank = first + 1; rank < world; ++rank)
        if (!store.get(keys::hello(rank)))
            missing.push_back(rank);
    return missingRanks(missing, world, limit);
}

/// What all have said, when all have come; else why not. One after the other is asked for, so that many ranks that wait do
/// not keep the store busy.
StartCheck awaitAll(Store& store, std::int32_t world, const StartCheckOptions& options)
{
    const auto deadline = Clock::now() + options.limit;
    StartCheck all;
    while (std::ssize(all.ranks) < world) {
        const auto rank = static_cast<std::int32_t>(all.ranks.size());
        if (auto ended = options.ended ? options.ended() : std::nullopt)
            return { std::move(ended), {} };
        if (const auto text = store.get(keys::hello(rank))) {
            auto hello = helloFrom(*text);
            if (!hello)
                return { unreadable(rank), {} };
            all.ranks.push_back(std::move(*hello));
            continue;
        }
        if (Clock::now() > deadline)
            return { missingFrom(store, rank, world, options.limit), {} };
        std::this_thread::sleep_for(askAgain);
    }
    return all;
}

} // namespace

StartCheck checkStart(Store& store, const Hello& own, const StartCheckOptions& options)
{
    const auto refuse = [&store](const Finding& finding) { return StartCheck { claimVerdict(store, finding), {} }; };
    if (const auto finding = checkWorld(own.world, options.devices, options.replicas))
        return refuse(*finding);
    const auto said = toWire(own);
    const auto stands = store.claim(keys::hello(options.rank), said);
    if (stands != said)
        return refuse(twice(options.rank, own, helloFrom(stands)));
    auto all = awaitAll(store, own.world, options);
    if (!all.finding)
        all.finding = checkHellos(all.ranks);
    return all.finding ? refuse(*all.finding) : all;
}

std::optional<Finding> checkWorld(std::int32_t world, std::int32_t devices, std::int32_t replicas)
{
    const std::int64_t needed = std::int64_t { devices } * replicas;
    if (world == needed)
        return std::nullopt;
    Finding finding;
    finding.rule = "run/world";
    finding.message = fmt::format("The run has {} {}, but the design needs {} ({} {} x {} {}).", world,
        world == 1 ? "rank" : "ranks", needed, devices, devices == 1 ? "device" : "devices", replicas,
        replicas == 1 ? "replica" : "replicas");
    finding.remedy
        = fmt::format("Start {} of them (--ranks {}, or as many under torchrun, Slurm or MPI), or take a design "
                      "for {} {}.",
            needed, needed, world, world == 1 ? "device" : "devices");
    return finding;
}

std::optional<Finding> checkHellos(std::span<const Hello> ranks)
{
    if (const auto odd = oddOnes(ranks, [](const Hello& hello) { return hello.world; }); !odd.ranks.empty()) {
        auto finding = about(ranks, odd, "run/world");
        finding.message = fmt::format("{} {} told of a run of {} ranks, {} of one of {}.", oddText(ranks, odd),
            odd.ranks.size() == 1 ? "was" : "were", helloOf(ranks, odd.ranks.front()).world, ranksText(odd.most),
            helloOf(ranks, odd.most.front()).world);
        finding.remedy = "Start all ranks with the same WORLD_SIZE.";
        return finding;
    }
    if (const auto odd = oddOnes(ranks, [](const Hello& hello) { return hello.version; }); !odd.ranks.empty()) {
        auto finding = about(ranks, odd, "run/version");
        finding.message = fmt::format("{} {} Pipeloom {}, {} {}.", oddText(ranks, odd),
            odd.ranks.size() == 1 ? "runs" : "run", helloOf(ranks, odd.ranks.front()).version, ranksText(odd.most),
            helloOf(ranks, odd.most.front()).version);
        finding.remedy = "Install the same version of Pipeloom for all ranks.";
        return finding;
    }
    if (const auto odd = oddOnes(ranks, [](const Hello& hello) { return hello.messageBytes; }); !odd.ranks.empty()) {
        auto finding = about(ranks, odd, "run/sizes");
        finding.message = fmt::format("{} {} messages of {} bytes from stage to stage, {} of {} bytes.",
            oddText(ranks, odd), odd.ranks.size() == 1 ? "has" : "have", helloOf(ranks, odd.ranks.front()).messageBytes,
            ranksText(odd.most), helloOf(ranks, odd.most.front()).messageBytes);
        finding.remedy = "Give all ranks the same micro-batch size, sequence length and hidden size.";
        return finding;
    }
    if (const auto odd = oddOnes(ranks, [](const Hello& hello) { return hello.digest; }); !odd.ranks.empty()) {
        auto finding = about(ranks, odd, "run/digest");
        finding.message = fmt::format("{} {} another design, model or program than {} (digest {} against {}).",
            oddText(ranks, odd), odd.ranks.size() == 1 ? "has" : "have", ranksText(odd.most),
            helloOf(ranks, odd.ranks.front()).digest, helloOf(ranks, odd.most.front()).digest);
        finding.remedy = "Give all ranks the same design file and the same options.";
        return finding;
    }
    return std::nullopt;
}

} // namespace pipeloom::executor
