// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/split_overhead.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

namespace {

/// Work of a device for one micro-batch.
struct Share {
    Ticks fused = 0; ///< F + BW
    Ticks split = 0; ///< F + B + W

    friend bool operator==(const Share&, const Share&) = default;
};

std::optional<Share> equalShare(const Design& design)
{
    std::vector<Share> shares(static_cast<std::size_t>(design.pipeline.devices));
    for (std::int32_t s = 0; s < design.pipeline.stages; ++s) {
        const StageId stage { s };
        const auto ticks = [&](PassKind kind) { return design.costs.ticks.of(kind, stage); };
        Share& share = shares[design.pipeline.deviceOf(stage, RouteId { 0 }).index()];
        share.fused += ticks(PassKind::F) + ticks(PassKind::BW);
        share.split += ticks(PassKind::F) + ticks(PassKind::B) + ticks(PassKind::W);
    }
    const bool equal
        = std::all_of(shares.begin(), shares.end(), [&](const Share& share) { return share == shares.front(); });
    return equal ? std::optional(shares.front()) : std::nullopt;
}

bool isAlwaysSplit(const Schedule& schedule)
{
    return std::all_of(schedule.slots.begin(), schedule.slots.end(),
        [](const Slot& slot) { return slot.first.kind != PassKind::BW && slot.second.kind != PassKind::BW; });
}

bool transfersAreFree(const Design& design)
{
    for (std::int32_t s = 0; s + 1 < design.pipeline.stages; ++s)
        if (design.network.transferTicks(StageId { s }) > 0)
            return false;
    return true;
}

} // namespace

std::optional<Finding> splitOverhead(const Design& design, const Schedule& schedule, const Metrics& figures)
{
    if (design.pipeline.routeCount() > 1 || !isAlwaysSplit(schedule) || !transfersAreFree(design))
        return std::nullopt;
    const std::optional<Share> share = equalShare(design);
    if (!share || share->split <= share->fused)
        return std::nullopt;
    const Ticks m = design.pipeline.microBatches;
    const Ticks overhead = share->split - share->fused;
    const Ticks plain = (m + design.pipeline.devices - 1) * share->fused;
    const Ticks bubble = figures.makespan() - m * share->split;
    const Ticks plainBubble = (design.pipeline.devices - 1) * share->fused;
    const Ticks gain = plainBubble - bubble;
    Finding note { "costs/split-overhead", Severity::Note, { Place {} }, {}, {}, {} };
    note.message = fmt::format(
        "B and W together take {} ticks more than BW for each micro-batch: the step takes {} ticks, 1F1B with "
        "fused backwards {}.",
        overhead, figures.makespan(), plain);
    note.remedy = gain <= 0 ? "1F1B is faster whatever the number of micro-batches."
                            : fmt::format("Up to {} micro-batches this schedule is faster, from {} on 1F1B is.",
                                gain / overhead, gain / overhead + 1);
    return note;
}

} // namespace pipeloom
