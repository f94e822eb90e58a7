// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace pipeloom {

Ticks Costs::of(const Slot& slot) const
{
    if (!slot.isPair())
        return of(slot.first);
    return pair ? *pair : of(slot.first) + of(slot.second);
}

Ticks Network::transferTicks(StageId boundary) const
{
    if (bytesPerTick > 0)
        return latency + (messageBytes(boundary) + bytesPerTick - 1) / bytesPerTick;
    return boundary.index() < transfer.size() ? transfer[boundary.index()] : 0;
}

Bytes Network::messageBytes(StageId boundary) const
{
    return boundary.index() < bytes.size() ? bytes[boundary.index()] : 0;
}

Costs unitCosts(std::int32_t stages, Ticks f, Ticks b, Ticks w, std::optional<Ticks> bw)
{
    const auto count = static_cast<std::size_t>(stages);
    Costs costs;
    costs.ticks.values = { std::vector<Ticks>(count, f), std::vector<Ticks>(count, b), std::vector<Ticks>(count, w),
        std::vector<Ticks>(count, bw.value_or(b + w)) };
    return costs;
}

MemoryModel unitMemory(std::int32_t stages, std::int32_t devices)
{
    const auto stageCount = static_cast<std::size_t>(stages);
    const auto deviceCount = static_cast<std::size_t>(devices);
    MemoryModel memory;
    memory.change.values = { std::vector<Bytes>(stageCount, 1), std::vector<Bytes>(stageCount, 0),
        std::vector<Bytes>(stageCount, -1), std::vector<Bytes>(stageCount, -1) };
    memory.transient.values.fill(std::vector<Bytes>(stageCount, 0));
    memory.fixed.assign(deviceCount, 0);
    memory.communication.assign(deviceCount, 0);
    memory.limit.assign(deviceCount, std::nullopt);
    return memory;
}

Network freeNetwork(std::int32_t stages)
{
    Network network;
    network.transfer.assign(static_cast<std::size_t>(std::max(stages - 1, 0)), 0);
    return network;
}

const char* text(QueueModel queue)
{
    switch (queue) {
    case QueueModel::Ideal:
        return "ideal";
    case QueueModel::Directed:
        return "directed";
    case QueueModel::Pair:
        return "pair";
    case QueueModel::Device:
        return "device";
    }
    return "";
}

std::optional<QueueModel> queueModel(std::string_view name)
{
    for (const QueueModel queue : { QueueModel::Ideal, QueueModel::Directed, QueueModel::Pair, QueueModel::Device })
        if (name == text(queue))
            return queue;
    return std::nullopt;
}

namespace {

/// A change counted apart for each stage leaks `left` per micro-batch.
void appendLeak(
    Findings& findings, StageId stage, const char* passes, Bytes left, const Pipeline& pipeline, MemoryUnit unit)
{
    if (left == 0)
        return;
    const char* name = unit == MemoryUnit::Byte ? "bytes" : "activations";
    const Bytes inAll = left * pipeline.microBatches;
    findings.push_back({ "memory/leak", Severity::Error, { Place {} }, {},
        fmt::format("Stage {}: the memory changes of {} sum to {:+}, so {} {} {} per micro-batch, {} in all {}.",
            stage.value, passes, left, std::abs(left), name, left > 0 ? "leak" : "are freed that were never taken",
            std::abs(inAll), pipeline.microBatches),
        "Make them sum to 0." });
}

void appendLeaks(
    Findings& findings, const MemoryModel& memory, const Pipeline& pipeline, const std::vector<BackwardUse>& use)
{
    for (std::int32_t s = 0; s < pipeline.stages; ++s) {
        const StageId stage { s };
        const auto change = [&](PassKind kind) { return memory.change.of(kind, stage); };
        if (use[stage.index()].split)
            appendLeak(findings, stage, "F, B and W", change(PassKind::F) + change(PassKind::B) + change(PassKind::W),
                pipeline, memory.unit);
        if (use[stage.index()].fused)
            appendLeak(findings, stage, "F and BW", change(PassKind::F) + change(PassKind::BW), pipeline, memory.unit);
    }
}

/// Work of a stage for one micro-batch, the longer of the split and the fused backward aside: F + B + W.
Ticks workOf(const Costs& costs, StageId stage)
{
    return costs.ticks.of(PassKind::F, stage) + costs.ticks.of(PassKind::B, stage) + costs.ticks.of(PassKind::W, stage);
}

void appendBottleneck(Findings& findings, const Costs& costs, const Pipeline& pipeline)
{
    std::vector<Ticks> work(static_cast<std::size_t>(pipeline.devices), 0);
    Ticks total = 0;
    StageId slowest;
    for (std::int32_t s = 0; s < pipeline.stages; ++s) {
        const Ticks ticks = workOf(costs, StageId { s });
        if (ticks > workOf(costs, slowest))
            slowest = StageId { s };
        work[pipeline.deviceOf(StageId { s }, RouteId { 0 }).index()] += ticks;
        total += ticks;
    }
    const auto longest = std::max_element(work.begin(), work.end());
    if (pipeline.routeCount() > 1 || total == 0 || *longest * pipeline.devices == total)
        return;
    const DeviceId device { static_cast<std::size_t>(longest - work.begin()) };
    const double balance = static_cast<double>(total) / (static_cast<double>(*longest) * pipeline.devices);
    const bool slowestIsThere = pipeline.deviceOf(slowest, RouteId { 0 }) == device;
    Place place;
    place.device = device;
    findings.push_back({ "costs/bottleneck", Severity::Note, { place }, {},
        fmt::format(
            "Device {} sets the pace with {} ticks a micro-batch{}; the balance is {:.1f} %, that is {:.2f} devices' "
            "worth of {}.",
            device.value, *longest,
            slowestIsThere ? fmt::format(" (stage {} is the slowest with {})", slowest.value, workOf(costs, slowest))
                           : "",
            100 * balance, balance * pipeline.devices, pipeline.devices),
        "Move layers from its stages to others." });
}

} // namespace

Findings check(
    const Costs& costs, const MemoryModel& memory, const Pipeline& pipeline, const std::vector<BackwardUse>& use)
{
    Findings findings;
    appendLeaks(findings, memory, pipeline, use);
    appendBottleneck(findings, costs, pipeline);
    return findings;
}

} // namespace pipeloom
