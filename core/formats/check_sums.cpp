// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/read_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace pipeloom::formats {

namespace {

constexpr Bytes mostMemory = Bytes { 1 } << 62;

/// A sum of numbers >= 0 that stops growing once it is beyond `most` (below 2^62), so that it cannot overflow.
class CappedSum {
public:
    explicit CappedSum(std::int64_t most)
        : most_(most)
    {
    }
    void add(std::int64_t number)
    {
        if (!beyond())
            sum_ += std::min(number, most_ + 1);
    }
    void add(std::span<const std::int64_t> numbers)
    {
        for (const std::int64_t number : numbers)
            add(number < 0 ? -number : number);
    }
    [[nodiscard]] bool beyond() const { return sum_ > most_; }

private:
    std::int64_t most_;
    std::int64_t sum_ = 0;
};

/// Ticks of a transfer by latency and bandwidth; `bytes` below 2^60 and `latency` below 2^40.
Ticks transferTicks(const Network& network, Bytes bytes)
{
    return network.latency + bytes / network.bytesPerTick + (bytes % network.bytesPerTick == 0 ? 0 : 1);
}

/// True if a transfer takes too long.
bool reportLongTransfers(const Network& network, Reports& reports)
{
    if (network.bytesPerTick == 0)
        return false;
    for (std::size_t boundary = 0; boundary < network.bytes.size(); ++boundary) {
        const Ticks ticks = transferTicks(network, network.bytes[boundary]);
        if (ticks < maxTicks)
            continue;
        reports.error("file/range", placeAt("/costs/network/bytes"),
            fmt::format("A transfer of {} bytes over boundary {} takes {} ticks, at {} bytes per tick and latency {}.",
                network.bytes[boundary], boundary, ticks, network.bytesPerTick, network.latency),
            "Keep it below 2^40 ticks: give more bytes per tick, or a longer tick.");
        return true;
    }
    return false;
}

void reportLongSteps(const Design& design, Reports& reports)
{
    // Everything one after the other is the longest that a step can take.
    CappedSum perMicroBatch((maxStepTicks - 1) / design.pipeline.microBatches);
    for (const auto& ticks : design.costs.ticks.values)
        perMicroBatch.add(ticks);
    for (std::int32_t stage = 0; design.costs.pair.has_value() && stage < design.pipeline.stages; ++stage)
        perMicroBatch.add(*design.costs.pair);
    const Network& network = design.network;
    for (std::size_t boundary = 0; boundary + 1 < static_cast<std::size_t>(design.pipeline.stages); ++boundary) {
        Ticks ticks = 0;
        if (network.bytesPerTick == 0)
            ticks = network.transfer[boundary];
        else
            ticks = network.bytes.empty() ? network.latency : transferTicks(network, network.bytes[boundary]);
        perMicroBatch.add(2 * ticks); // the activation and the gradient
    }
    if (perMicroBatch.beyond())
        reports.error("file/range", placeAt("/costs"),
            fmt::format(
                "The passes and transfers of all {} stages and {} micro-batches could take 2^60 ticks and more.",
                design.pipeline.stages, design.pipeline.microBatches),
            "Take a longer tick, so that fewer of them are needed.");
}

void reportLargeMemory(const Design& design, Reports& reports)
{
    CappedSum perMicroBatch((mostMemory - 1) / design.pipeline.microBatches);
    for (const auto& changes : design.memory.change.values)
        perMicroBatch.add(changes);
    for (const auto& transients : design.memory.transient.values)
        perMicroBatch.add(transients);
    perMicroBatch.add(design.network.bytes);
    perMicroBatch.add(design.network.bytes); // activations and gradients
    if (perMicroBatch.beyond())
        reports.error("file/range", placeAt("/costs/memory"),
            fmt::format("The memory changes of all {} stages and {} micro-batches come to 2^62 and more.",
                design.pipeline.stages, design.pipeline.microBatches),
            "Give them in bytes as a device has them, or in activations.");
}

/// The bound of a device multiplies changes by lifespans over the interval.
void reportLargeBounds(const Design& design, const BuildingBlock& block, Reports& reports)
{
    Ticks last = 0;
    for (const BlockPass& pass : block.passes)
        last = std::max(last, pass.start + block.duration(pass.slot));
    CappedSum perCopy((mostMemory - 1) / (last / block.interval + 1) / block.group);
    perCopy.add(design.memory.change.values[index(PassKind::F)]);
    perCopy.add(design.memory.change.values[index(PassKind::B)]);
    if (perCopy.beyond())
        reports.error("file/range", placeAt("/block/interval"),
            fmt::format("A block that ends at {} and is repeated every {} ticks holds 2^62 and more of memory at once.",
                last, block.interval),
            "Give a greater interval, or start the passes earlier.");
}

} // namespace

void checkSums(const Design& design, Reports& reports)
{
    const std::int64_t microBatches = design.pipeline.microBatches;
    if (const BuildingBlock* block = design.block();
        block != nullptr && block->interval > (maxStepTicks - 1) / microBatches)
        reports.error("file/range", placeAt("/block/interval"),
            fmt::format("{} micro-batches every {} ticks take 2^60 ticks and more.", microBatches, block->interval),
            fmt::format("Give an interval up to {}.", (maxStepTicks - 1) / microBatches));
    if (const BuildingBlock* block = design.block())
        reportLargeBounds(design, *block, reports);
    if (reportLongTransfers(design.network, reports))
        return;
    reportLongSteps(design, reports);
    reportLargeMemory(design, reports);
}

} // namespace pipeloom::formats
