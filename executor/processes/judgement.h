// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// By what ranks say of themselves: whether a run can go on, and if not, who keeps it from going on. Pure: no store, no clock.
//
// Slow is not silent. A rank whose beats come lives; then only its device's pass has a limit. A rank whose beats do not come
// has stopped or is gone, whatever it said last. A device that waits has no limit of its own, and neither has one that compares
// with the unpipelined model; when all wait, nothing may be on its way for longer than the limit.

#include "core/finding/finding.h"
#include "executor/processes/rank_watch.h"

#include <functional>
#include <optional>
#include <span>
#include <string>

namespace pipeloom::executor {

/// What a rank was doing last, newer than its last beat. Nothing if that is not known.
using LastStatus = std::function<std::optional<DeviceStatus>(std::int32_t rank)>;

/// Why the run cannot go on: ranks that never came (run/missing), one that is silent (run/silent), a device that does one thing
/// for too long or devices that all wait (run/stalled). Nothing as long as it may go on. `ranks` are all, by number.
[[nodiscard]] std::optional<Finding> judge(
    std::span<const RankView> ranks, Clock::time_point now, Nanoseconds limit, const LastStatus& lastStatus = {});

/// These have not come within the limit (run/missing). `missing` is ascending and not empty.
[[nodiscard]] Finding missingRanks(std::span<const std::int32_t> missing, std::int32_t world, Nanoseconds limit);

/// Has not beaten for longer than the limit (run/silent), as have those of `others`.
[[nodiscard]] Finding silentRank(std::span<const RankView> ranks, std::int32_t rank, Clock::time_point now,
    Nanoseconds limit, const LastStatus& lastStatus = {});

/// Its process was seen to die (run/died): `how` says it, `was killed by signal 9 (Killed)`.
[[nodiscard]] Finding died(std::span<const RankView> ranks, std::int32_t rank, const std::string& how,
    Clock::time_point now, const LastStatus& lastStatus = {});

/// Its peers have lost their connections to it, and its beats have stopped (run/lost).
[[nodiscard]] Finding goneRank(std::span<const RankView> ranks, std::int32_t rank, Clock::time_point now);

/// Of ranks that have not beaten for longer than `silence`: the one to blame, which is one that waited on nobody, else
/// the one silent for longest. Ranks that have ended or never came do not count.
[[nodiscard]] std::optional<std::int32_t> culprit(
    std::span<const RankView> ranks, Clock::time_point now, Nanoseconds silence);

/// `rank 3`; `ranks 1, 2 and 3`; of many the first ones and how many more. Ascending, not empty.
[[nodiscard]] std::string ranksText(std::span<const std::int32_t> ranks);

/// The store does not answer any more (run/lost-store). `why` is said by the connection.
[[nodiscard]] Finding lostStore(const std::string& host, const std::string& why);

} // namespace pipeloom::executor
