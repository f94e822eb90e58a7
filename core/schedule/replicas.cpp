// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/replicas.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

namespace {

Finding error(std::string message, std::string remedy)
{
    return { "pipeline/replicas", Severity::Error, { Place {} }, {}, std::move(message), std::move(remedy) };
}

/// The values behind themselves, `times` in all.
template <class Value> std::vector<Value> repeated(const std::vector<Value>& values, std::int32_t times)
{
    std::vector<Value> all;
    all.reserve(values.size() * static_cast<std::size_t>(times));
    for (std::int32_t i = 0; i < times; ++i)
        all.insert(all.end(), values.begin(), values.end());
    return all;
}

void shift(Pass& pass, std::int32_t microBatches)
{
    if (pass.kind != PassKind::None)
        pass.microBatch.value += microBatches;
}

} // namespace

Findings checkReplicas(const Pipeline& one, std::int32_t replicas)
{
    if (replicas < 1)
        return { error(
            fmt::format("A run of {} replicas of the pipeline has nothing to run.", replicas), "Give at least 1.") };
    const std::int64_t devices = std::int64_t { one.devices } * replicas;
    if (devices > maxDevices)
        return { error(fmt::format("{} replicas of {} devices are {} devices; at most {} are handled.", replicas,
                           one.devices, devices, maxDevices),
            fmt::format("Take {} replicas or fewer.", maxDevices / one.devices)) };
    const std::int64_t perReplica = std::int64_t { one.stages } * one.microBatches;
    if (perReplica * replicas > maxPasses)
        return { error(fmt::format("{} replicas of {} stages and {} micro-batches make more than {} passes.", replicas,
                           one.stages, one.microBatches, maxPasses),
            "Take fewer replicas, stages or micro-batches.") };
    return {};
}

Pipeline replicated(const Pipeline& one, std::int32_t replicas)
{
    if (replicas == 1)
        return one;
    Pipeline all = one;
    all.devices = one.devices * replicas;
    all.microBatches = one.microBatches * replicas;
    all.kind = PlacementKind::List;
    all.rule = RouteRule::List;
    all.routes.clear();
    all.routeOfMicroBatch.clear();
    for (std::int32_t r = 0; r < replicas; ++r) {
        for (Placement route : one.routes) {
            for (DeviceId& device : route)
                device.value += r * one.devices;
            all.routes.push_back(std::move(route));
        }
        for (std::int32_t j = 0; j < one.microBatches; ++j)
            all.routeOfMicroBatch.emplace_back(r * one.routeCount() + one.routeOf(MicroBatch { j }).value);
    }
    return all;
}

Schedule replicated(const Schedule& order, const Pipeline& one, std::int32_t replicas)
{
    Schedule all;
    all.slots.reserve(order.slots.size() * static_cast<std::size_t>(replicas));
    const auto slots = static_cast<std::int32_t>(order.slots.size());
    for (std::int32_t r = 0; r < replicas; ++r) {
        for (Slot slot : order.slots) {
            shift(slot.first, r * one.microBatches);
            shift(slot.second, r * one.microBatches);
            all.slots.push_back(slot);
        }
        for (std::size_t d = 1; d < order.deviceBegin.size(); ++d)
            all.deviceBegin.push_back(r * slots + order.deviceBegin[d]);
    }
    return all;
}

MemoryModel replicated(const MemoryModel& one, std::int32_t replicas)
{
    MemoryModel all = one;
    all.fixed = repeated(one.fixed, replicas);
    all.communication = repeated(one.communication, replicas);
    all.limit = repeated(one.limit, replicas);
    return all;
}

} // namespace pipeloom
