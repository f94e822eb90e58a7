// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/building_block.h"

#include "core/block/block_index.h"
#include "core/block/fit.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

Ticks BuildingBlock::duration(const Slot& slot) const
{
    Ticks ticks = durations.of(slot.first.kind, slot.first.stage);
    if (slot.isPair())
        ticks += durations.of(slot.second.kind, slot.second.stage);
    return ticks;
}

ByKindAndStage<Ticks> unitDurations(std::int32_t stages)
{
    const auto count = static_cast<std::size_t>(stages);
    ByKindAndStage<Ticks> durations;
    durations.values = { std::vector<Ticks>(count, 1), std::vector<Ticks>(count, 1), std::vector<Ticks>(count, 1),
        std::vector<Ticks>(count, 2) };
    return durations;
}

std::optional<Ticks> lifespan(const BuildingBlock& block, StageId stage, std::int32_t member)
{
    std::optional<Ticks> begin;
    std::optional<Ticks> end;
    const auto look = [&](const BlockPass& placed, const Pass& pass) {
        if (pass.stage != stage || pass.microBatch.value != member)
            return;
        if (pass.kind == PassKind::F && !begin)
            begin = placed.start;
        if (givesWeightGradient(pass.kind) && !end)
            end = placed.start + block.duration(placed.slot);
    };
    for (const BlockPass& placed : block.passes) {
        look(placed, placed.slot.first);
        look(placed, placed.slot.second);
    }
    if (!begin || !end)
        return std::nullopt;
    return *end - *begin;
}

std::vector<std::optional<Bytes>> bounds(
    const BuildingBlock& block, const Pipeline& pipeline, const MemoryModel& memory)
{
    const BlockIndex index(block, pipeline);
    std::vector<std::optional<Bytes>> found;
    for (std::size_t d = 0; d < static_cast<std::size_t>(pipeline.devices); ++d)
        found.emplace_back(memory.fixed[d] + memory.communication[d]);
    for (std::int32_t s = 0; s < pipeline.stages; ++s)
        for (std::int32_t member = 0; member < block.group; ++member) {
            const StageId stage { s };
            const std::int32_t begin = index.find(stage, member, Work::Forward);
            const std::int32_t end = index.find(stage, member, Work::WeightGradient);
            if (begin == BlockIndex::none || end == BlockIndex::none) {
                for (const DeviceId device : pipeline.devicesOf(stage))
                    found[device.index()].reset();
                continue;
            }
            const BlockPass& first = block.passes[static_cast<std::size_t>(begin)];
            const BlockPass& last = block.passes[static_cast<std::size_t>(end)];
            const Ticks life = std::max<Ticks>(last.start + block.duration(last.slot) - first.start, 0);
            const Bytes a = memory.change.of(PassKind::F, stage);
            const Bytes b = last.slot.first.kind == PassKind::W ? memory.change.of(PassKind::B, stage) : 0;
            if (auto& bound = found[first.device.index()])
                *bound += std::max(a, a + b) * ((life + block.interval - 1) / block.interval);
        }
    return found;
}

namespace {

class BlockCheck {
public:
    BlockCheck(const BuildingBlock& block, const Pipeline& pipeline)
        : block_(block)
        , pipeline_(pipeline)
        , index_(block, pipeline)
    {
    }

    Findings run()
    {
        appendUnknown();
        if (!findings_.empty())
            return std::move(findings_); // nothing else can be looked up
        appendMissing();
        appendDoubled();
        appendPairs();
        appendMisplaced();
        appendRoutes();
        appendEarly();
        appendBusy();
        // Collisions last: a pass that is misplaced would only be reported twice.
        for (std::int32_t d = 0; d < pipeline_.devices; ++d)
            appendCollisions(DeviceId { d });
        return std::move(findings_);
    }

private:
    Place place(std::int32_t pass) const
    {
        const BlockPass& placed = block_.passes[static_cast<std::size_t>(pass)];
        Place made;
        made.device = placed.device;
        made.pass = blockText(placed.slot, block_);
        return made;
    }
    std::string name(std::int32_t pass) const
    {
        return blockText(block_.passes[static_cast<std::size_t>(pass)].slot, block_);
    }
    const BlockPass& at(std::int32_t pass) const { return block_.passes[static_cast<std::size_t>(pass)]; }
    void error(std::string rule, std::vector<Place> where, std::string message, std::string remedy)
    {
        findings_.push_back(
            { std::move(rule), Severity::Error, std::move(where), {}, std::move(message), std::move(remedy) });
    }

    void appendUnknown();
    void appendMissing();
    void appendDoubled();
    void appendPairs();
    void appendMisplaced();
    void appendRoutes();
    void appendEarly();
    void appendBusy();
    void appendCollisions(DeviceId device);
    std::string collisionRemedy(DeviceId device, std::int32_t pass) const;

    const BuildingBlock& block_;
    const Pipeline& pipeline_;
    BlockIndex index_;
    Findings findings_;
};

void BlockCheck::appendUnknown()
{
    for (const std::int32_t pass : index_.unknown())
        error("block/unknown", { place(pass) },
            fmt::format(
                "Device {}: {} names a stage or a member that is not there; the pipeline has {} stages, the group {} "
                "members.",
                at(pass).device.value, name(pass), pipeline_.stages, block_.group),
            "Take it out, or raise the number of stages or members.");
}

void BlockCheck::appendMissing()
{
    std::int64_t placed = 0;
    std::int64_t wanted = 0;
    std::optional<Pass> next;
    const auto look = [&](std::int32_t s, std::int32_t member, Work work, PassKind kind) {
        const std::int32_t found = index_.find(StageId { s }, member, work);
        ++wanted;
        placed += found != BlockIndex::none;
        if (found == BlockIndex::none && !next)
            next = Pass { StageId { s }, MicroBatch { member }, kind };
    };
    for (std::int32_t member = 0; member < block_.group; ++member) {
        for (std::int32_t s = 0; s < pipeline_.stages; ++s)
            look(s, member, Work::Forward, PassKind::F);
        for (std::int32_t s = pipeline_.stages - 1; s >= 0; --s)
            look(s, member, Work::InputGradient, PassKind::B);
        for (std::int32_t s = pipeline_.stages - 1; s >= 0; --s) {
            const std::int32_t backward = index_.find(StageId { s }, member, Work::InputGradient);
            const std::int32_t weights = index_.find(StageId { s }, member, Work::WeightGradient);
            if (backward == BlockIndex::none || backward != weights) // a BW does both
                look(s, member, Work::WeightGradient, PassKind::W);
        }
    }
    if (!next)
        return;
    Place where;
    where.device = pipeline_.deviceOf(next->stage, RouteId { next->microBatch.value % pipeline_.routeCount() });
    where.pass = blockText(*next, block_);
    error("block/missing", { where },
        fmt::format("{} of {} passes are placed; next {}.", placed, wanted, blockText(*next, block_)),
        fmt::format("Place {} on device {}.", blockText(*next, block_), where.device->value));
}

void BlockCheck::appendDoubled()
{
    for (const std::int32_t pass : index_.doubled())
        error("block/doubled", { place(pass) },
            fmt::format("Device {}: {} at {} does what another pass of the stage already does.", at(pass).device.value,
                name(pass), at(pass).start),
            "Take one of them out; a stage has F once and either B and W, or BW, for each micro-batch.");
}

void BlockCheck::appendPairs()
{
    for (std::size_t i = 0; i < block_.passes.size(); ++i) {
        const Slot& slot = block_.passes[i].slot;
        if (!slot.isPair() || (slot.first.kind == PassKind::F && givesInputGradient(slot.second.kind)))
            continue;
        const auto pass = static_cast<std::int32_t>(i);
        error("block/pair", { place(pass) },
            fmt::format("Device {}: {} is no pair that can overlap.", at(pass).device.value, name(pass)),
            "A pair is an F and a B or BW, the F first.");
    }
}

void BlockCheck::appendMisplaced()
{
    const auto look = [&](std::int32_t i, const Pass& pass) {
        const DeviceId home
            = pipeline_.deviceOf(pass.stage, RouteId { pass.microBatch.value % pipeline_.routeCount() });
        if (at(i).device == home)
            return;
        error("block/misplaced", { place(i) },
            fmt::format("Device {}: {} stands here, but its stage {} is placed on device {}.", at(i).device.value,
                name(i), pass.stage.value, home.value),
            fmt::format("Move it to device {}, or place the stage on device {}.", home.value, at(i).device.value));
    };
    for (std::size_t i = 0; i < block_.passes.size(); ++i) {
        look(static_cast<std::int32_t>(i), block_.passes[i].slot.first);
        if (block_.passes[i].slot.isPair())
            look(static_cast<std::int32_t>(i), block_.passes[i].slot.second);
    }
}

void BlockCheck::appendRoutes()
{
    const std::int32_t routes = pipeline_.routeCount();
    if (routes == 1)
        return;
    if (block_.group % routes != 0) {
        error("block/routes", { Place {} },
            fmt::format("The block has {} members for {} routes.", block_.group, routes),
            "Give the group a multiple of the number of routes: member k takes route k mod routes.");
        return;
    }
    for (std::int32_t j = 0; j < pipeline_.microBatches; ++j) {
        const std::int32_t byBlock = j % block_.group % routes;
        if (pipeline_.routeOf(MicroBatch { j }).value == byBlock)
            continue;
        error("block/routes", { Place {} },
            fmt::format(
                "Micro-batch {} is member {} of its block and takes route {} there, but of_micro_batch says {}.", j,
                j % block_.group, byBlock, pipeline_.routeOf(MicroBatch { j }).value),
            "Let them agree; for a block, \"alternate\" does.");
        return;
    }
}

void BlockCheck::appendEarly()
{
    for (std::size_t i = 0; i < block_.passes.size(); ++i) {
        const auto pass = static_cast<std::int32_t>(i);
        const InputsReady ready = inputsReady(block_, pipeline_, index_, at(pass).slot);
        if (ready.by == BlockIndex::none || at(pass).start >= ready.at)
            continue;
        error("block/early", { place(pass), place(ready.by) },
            fmt::format("Device {}: {} at {} starts before its input {} on device {} ends at {}.",
                at(pass).device.value, name(pass), at(pass).start, name(ready.by), at(ready.by).device.value, ready.at),
            fmt::format("Move {} to tick {} or later, or {} to an earlier one.", name(pass), ready.at, name(ready.by)));
    }
}

void BlockCheck::appendBusy()
{
    std::vector<Ticks> work(static_cast<std::size_t>(pipeline_.devices), 0);
    for (const BlockPass& placed : block_.passes)
        work[placed.device.index()] += block_.duration(placed.slot);
    for (std::size_t d = 0; d < work.size(); ++d) {
        if (work[d] <= block_.interval)
            continue;
        Place where;
        where.device = DeviceId { d };
        error("block/interval", { where },
            fmt::format(
                "Device {}: the block has {} ticks of passes and repeats every {}.", d, work[d], block_.interval),
            fmt::format("Raise the interval to {} or more.", work[d]));
    }
}

std::string BlockCheck::collisionRemedy(DeviceId device, std::int32_t pass) const
{
    const std::optional<Ticks> free = nearestFreeStart(block_, pipeline_, index_, pass);
    const Ticks interval = nextFreeInterval(block_, device);
    if (free)
        return fmt::format(
            "Move {} to tick {}, or raise the interval to {}, the next one that is free of collisions on this "
            "device.",
            name(pass), *free, interval);
    return fmt::format("Raise the interval to {}, the next one that is free of collisions on this device.", interval);
}

void BlockCheck::appendCollisions(DeviceId device)
{
    for (const Collision& meeting : collisions(block_, device, block_.interval))
        error("block/collision", { place(meeting.later), place(meeting.earlier) },
            fmt::format(
                "Device {}: {} at {} meets {} at {} when the block repeats every {} ticks (both take tick {} of the "
                "interval).",
                device.value, name(meeting.later), at(meeting.later).start, name(meeting.earlier),
                at(meeting.earlier).start, block_.interval, meeting.tick),
            collisionRemedy(device, meeting.later));
}

} // namespace

Findings check(const BuildingBlock& block, const Pipeline& pipeline)
{
    if (block.interval < 1 || block.group < 1)
        return { { "block/interval", Severity::Error, { Place {} }, {},
            fmt::format("The block repeats every {} ticks with {} micro-batches.", block.interval, block.group),
            "Both must be at least 1." } };
    return BlockCheck(block, pipeline).run();
}

} // namespace pipeloom
