// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json/show_json.h"

#include "app/cli/json/findings_json.h"
#include "core/timeline/metrics.h"

#include <algorithm>
#include <cstddef>

namespace pipeloom::cli {

namespace {

bool reachesInto(TimeRange range, Ticks start, Ticks end)
{
    return start < range.to && (end > range.from || (start == end && start == range.from));
}

void writeBlockPass(JsonWriter& json, const BuildingBlock& block, const BlockPass& pass, const Pass& half)
{
    json.beginObject();
    json.member("pass", block.group > 1 ? text(half) : std::to_string(half.stage.value) + text(half.kind));
    json.member("device", pass.device.value);
    json.member("start", pass.start);
    json.member("end", pass.start + block.duration(pass.slot));
    json.endObject();
}

void writeLifespans(JsonWriter& json, const BuildingBlock& block, const Pipeline& pipeline)
{
    json.beginArray();
    const bool isPlaced = !hasErrors(check(pipeline));
    for (std::int32_t s = 0; isPlaced && s < pipeline.stages; ++s)
        for (std::int32_t member = 0; member < block.group; ++member) {
            const std::optional<Ticks> ticks = lifespan(block, StageId(s), member);
            json.beginObject();
            json.member("stage", s);
            json.member("member", member);
            json.member("device", pipeline.deviceOf(StageId(s), RouteId(member % pipeline.routeCount())).value);
            json.member("ticks", ticks);
            json.member(
                "intervals", ticks ? std::optional((*ticks + block.interval - 1) / block.interval) : std::nullopt);
            json.endObject();
        }
    json.endArray();
}

void writeBlock(JsonWriter& json, const BuildingBlock& block, const Pipeline& pipeline)
{
    json.beginObject();
    json.member("interval", block.interval);
    json.member("group", block.group);
    json.key("passes");
    json.beginArray();
    for (const BlockPass& pass : block.passes) {
        writeBlockPass(json, block, pass, pass.slot.first);
        if (pass.slot.isPair())
            writeBlockPass(json, block, pass, pass.slot.second);
    }
    json.endArray();
    json.key("lifespans");
    writeLifespans(json, block, pipeline);
    json.endObject();
}

void writePasses(JsonWriter& json, const Timeline& timeline, TimeRange range)
{
    json.beginArray();
    for (std::int32_t d = 0; d < timeline.devices(); ++d)
        for (const TimedPass& pass : timeline.row(DeviceId(d))) {
            if (!reachesInto(range, pass.start, pass.end))
                continue;
            json.beginObject();
            json.member("pass", text(pass.pass));
            json.member("device", d);
            json.member("start", pass.start);
            json.member("end", pass.end);
            json.member("joined", pass.joined);
            json.endObject();
        }
    json.endArray();
}

void writeTransfers(JsonWriter& json, const Timeline& timeline, TimeRange range)
{
    json.beginArray();
    for (const TimedTransfer& transfer : timeline.transfers) {
        if (!reachesInto(range, transfer.start, transfer.end))
            continue;
        json.beginObject();
        json.member("transfer", text(transfer.pass));
        json.member("from", transfer.from.value);
        json.member("to", transfer.to.value);
        json.member("start", transfer.start);
        json.member("end", transfer.end);
        json.endObject();
    }
    json.endArray();
}

void writeMemory(JsonWriter& json, const Design& design, const Plan& plan, TimeRange range)
{
    json.beginArray();
    for (std::int32_t d = 0; d < design.pipeline.devices; ++d) {
        const auto index = static_cast<std::size_t>(d);
        json.beginObject();
        json.member("device", d);
        json.member("peak", plan.simulated() ? std::optional(plan.metrics.devices[index].peak) : std::nullopt);
        json.member("bound", index < plan.bounds.size() ? plan.bounds[index] : std::nullopt);
        json.member("limit", design.memory.limit[index]);
        json.key("levels");
        json.beginArray();
        if (plan.simulated())
            for (const LevelChange& change : memoryOverTime(plan.timeline, design.memory, DeviceId(d))) {
                if (change.time < range.from || change.time >= range.to)
                    continue;
                json.beginObject();
                json.member("time", change.time);
                json.member("level", change.level);
                json.endObject();
            }
        json.endArray();
        json.endObject();
    }
    json.endArray();
}

} // namespace

void writeShown(JsonWriter& json, const Design& design, const Plan& plan, const Findings& findings, TimeRange range)
{
    json.beginObject();
    writeFindingMembers(json, !hasErrors(findings), findings);
    json.member("name", design.name);
    json.member("form", text(plan.form));
    json.member("queue", text(plan.queue));
    json.member("tick_us", design.costs.tickUs);
    json.member("memory_unit", design.memory.unit == MemoryUnit::Activation ? "activations" : "bytes");
    json.member("devices", design.pipeline.devices);
    json.member("stages", design.pipeline.stages);
    json.member("micro_batches", design.pipeline.microBatches);
    json.key("block");
    if (const BuildingBlock* block = design.block())
        writeBlock(json, *block, design.pipeline);
    else
        json.value(nullptr);
    json.key("passes");
    writePasses(json, plan.timeline, range);
    json.key("transfers");
    writeTransfers(json, plan.timeline, range);
    json.key("memory");
    writeMemory(json, design, plan, range);
    json.endObject();
}

} // namespace pipeloom::cli
