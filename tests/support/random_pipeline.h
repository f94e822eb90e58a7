// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random pipelines and what passes cost in them, for property tests. All of it follows from the seed, on every machine.

#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace pipeloom::test {

using Random = std::mt19937_64;

/// A whole number from `least` to `most`; std::uniform_int_distribution gives others from library to library.
inline std::int64_t between(Random& random, std::int64_t least, std::int64_t most)
{
    return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}
inline std::int32_t small(Random& random, std::int32_t least, std::int32_t most)
{
    return static_cast<std::int32_t>(between(random, least, most));
}
inline bool chance(Random& random, int percent) { return between(random, 1, 100) <= percent; }

/// How large random designs become.
struct RandomSizes {
    std::int32_t devices = 5;
    std::int32_t stagesPerDevice = 3;
    std::int32_t microBatches = 8;
    Ticks ticks = 4; ///< of a pass
};

/// Every device has a stage.
inline Placement randomPlacement(Random& random, std::int32_t devices, std::int32_t stages)
{
    Placement list;
    for (std::int32_t s = 0; s < stages; ++s)
        list.emplace_back(s < devices ? s : small(random, 0, devices - 1));
    for (std::size_t s = list.size() - 1; s > 0; --s)
        std::swap(list[s], list[static_cast<std::size_t>(between(random, 0, static_cast<std::int64_t>(s)))]);
    return list;
}

/// One that core's own check accepts.
inline Pipeline randomPipeline(Random& random, const RandomSizes& sizes = {})
{
    const std::int32_t devices = small(random, 1, sizes.devices);
    const std::int32_t microBatches = small(random, 1, sizes.microBatches);
    const std::int32_t stages = devices * small(random, 1, sizes.stagesPerDevice);
    switch (between(random, 0, 4)) {
    case 0:
        return pipeline(PlacementKind::Linear, devices, devices, microBatches);
    case 1:
        return pipeline(PlacementKind::Interleaved, devices, stages, microBatches);
    case 2:
        return pipeline(PlacementKind::V, devices, stages, microBatches);
    default:
        break;
    }
    Pipeline made = pipeline(PlacementKind::List, devices, stages, microBatches);
    made.routes = { randomPlacement(random, devices, stages) };
    if (chance(random, 50))
        return made;
    for (std::int32_t more = small(random, 0, 2); more > 0; --more)
        made.routes.push_back(randomPlacement(random, devices, stages));
    made.rule = static_cast<RouteRule>(between(random, 1, 3));
    if (made.rule == RouteRule::List)
        for (std::int32_t j = 0; j < microBatches; ++j)
            made.routeOfMicroBatch.emplace_back(small(random, 0, made.routeCount() - 1));
    return made;
}

/// A table entry per stage: the same for all, or each its own.
inline std::vector<std::int64_t> randomNumbers(Random& random, std::size_t count, std::int64_t least, std::int64_t most)
{
    std::vector<std::int64_t> numbers(count, between(random, least, most));
    if (chance(random, 50))
        for (std::int64_t& number : numbers)
            number = between(random, least, most);
    return numbers;
}

inline ByKindAndStage<std::int64_t> randomTable(
    Random& random, std::int32_t stages, std::int64_t least, std::int64_t most)
{
    ByKindAndStage<std::int64_t> table;
    for (auto& numbers : table.values)
        numbers = randomNumbers(random, static_cast<std::size_t>(stages), least, most);
    return table;
}

inline Costs randomCosts(Random& random, std::int32_t stages, Ticks most)
{
    if (chance(random, 25))
        return unitCosts(stages);
    Costs costs;
    costs.tickUs = chance(random, 50) ? 1000 : static_cast<double>(between(random, 1, 1'000'000'000)) / 1024;
    costs.ticks = randomTable(random, stages, 1, most);
    if (chance(random, 50))
        for (std::size_t s = 0; s < static_cast<std::size_t>(stages); ++s)
            costs.ticks.values[3][s] = costs.ticks.values[1][s] + costs.ticks.values[2][s];
    Ticks longest = 0;
    for (const auto& ticks : costs.ticks.values)
        longest = std::max(longest, *std::max_element(ticks.begin(), ticks.end()));
    if (chance(random, 25))
        costs.pair = longest + between(random, 0, most); // never faster than its longer pass
    return costs;
}

/// Without leaks.
inline MemoryModel randomMemory(Random& random, const Pipeline& pipeline)
{
    MemoryModel memory = unitMemory(pipeline.stages, pipeline.devices);
    if (chance(random, 25))
        return memory;
    const bool bytes = chance(random, 50);
    const std::int64_t most = bytes ? std::int64_t { 1 } << 32 : 9;
    memory.unit = bytes ? MemoryUnit::Byte : MemoryUnit::Activation;
    auto& [f, b, w, bw] = memory.change.values;
    f = randomNumbers(random, f.size(), 0, most);
    b = randomNumbers(random, b.size(), -most, most);
    for (std::size_t s = 0; s < f.size(); ++s) {
        b[s] = std::max(b[s], -f[s]);
        w[s] = -(f[s] + b[s]);
        bw[s] = -f[s];
    }
    if (chance(random, 50))
        memory.transient = randomTable(random, pipeline.stages, 0, most);
    memory.fixed = randomNumbers(random, memory.fixed.size(), 0, most);
    memory.communication = randomNumbers(random, memory.communication.size(), 0, 2);
    if (chance(random, 50))
        for (auto& limit : memory.limit)
            limit = chance(random, 25) ? std::nullopt : std::optional(between(random, 0, 4 * most));
    return memory;
}

inline Network randomNetwork(Random& random, std::int32_t stages, Ticks most)
{
    Network network = freeNetwork(stages);
    network.queue = static_cast<QueueModel>(between(random, 0, 3));
    network.window = chance(random, 50) ? 4 : small(random, 0, 9);
    const auto boundaries = static_cast<std::size_t>(stages - 1);
    if (chance(random, 50)) {
        network.transfer = randomNumbers(random, boundaries, 0, most);
    } else {
        network.transfer.clear();
        network.latency = between(random, 0, most);
        network.bytesPerTick = between(random, 1, 1000);
    }
    if (chance(random, 50))
        network.bytes = randomNumbers(random, boundaries, 0, 5000);
    return network;
}

} // namespace pipeloom::test
