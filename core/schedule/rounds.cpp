// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/rounds.h"

#include <fmt/format.h>

namespace pipeloom {

namespace {

Finding error(std::string message, std::string remedy)
{
    Place place;
    place.pointer = "/training/accumulate";
    return { "training/accumulate", Severity::Error, { place }, {}, std::move(message), std::move(remedy) };
}

} // namespace

Findings checkRounds(const Pipeline& one, std::int64_t rounds)
{
    if (rounds < 1)
        return { error(fmt::format("A step of {} rounds of micro-batches has nothing to do.", rounds),
            "Set training.accumulate to 1 or more, or leave it out.") };
    const std::int64_t perRound = std::int64_t { one.stages } * one.microBatches;
    if (rounds > maxPasses / perRound)
        return { error(fmt::format("{} rounds of {} stages and {} micro-batches make more than {} passes.", rounds,
                           one.stages, one.microBatches, maxPasses),
            fmt::format("Take {} rounds or fewer.", maxPasses / perRound)) };
    return {};
}

Pipeline inRounds(const Pipeline& one, std::int32_t rounds)
{
    if (rounds == 1)
        return one;
    Pipeline all = one;
    all.microBatches = one.microBatches * rounds;
    if (one.routeCount() == 1)
        return all;
    all.rule = RouteRule::List;
    all.routeOfMicroBatch.clear();
    for (std::int32_t j = 0; j < all.microBatches; ++j)
        all.routeOfMicroBatch.push_back(one.routeOf(MicroBatch { j % one.microBatches }));
    return all;
}

Schedule inRounds(const Schedule& order, const Pipeline& one, std::int32_t rounds)
{
    Schedule all;
    all.slots.reserve(order.slots.size() * static_cast<std::size_t>(rounds));
    for (std::int32_t d = 0; d < order.devices(); ++d) {
        for (std::int32_t n = 0; n < rounds; ++n)
            for (Slot slot : order.row(DeviceId { d })) {
                slot.first.microBatch.value += n * one.microBatches;
                if (slot.isPair())
                    slot.second.microBatch.value += n * one.microBatches;
                all.slots.push_back(slot);
            }
        all.deviceBegin.push_back(static_cast<std::int32_t>(all.slots.size()));
    }
    return all;
}

} // namespace pipeloom
