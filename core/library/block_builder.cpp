// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/block_builder.h"

#include <fmt/format.h>

#include <utility>

namespace pipeloom {

Design libraryDesign(
    const LibraryRequest& request, std::string_view title, PlacementKind placement, std::int32_t chunks)
{
    const std::int32_t stages = request.devices * chunks;
    Design design = emptyDesign(pipeline(placement, request.devices, stages, request.microBatches));
    design.name = title;
    design.costs = unitCosts(stages, request.f, request.b, request.w, request.bw);
    design.network.transfer.assign(static_cast<std::size_t>(stages - 1), request.transfer);
    return design;
}

Findings checkRequest(const LibraryRequest& request, std::string_view title, std::int32_t chunks)
{
    Findings findings;
    const auto error = [&](const char* rule, std::string message, std::string remedy) {
        findings.push_back({ rule, Severity::Error, { Place {} }, {}, std::move(message), std::move(remedy) });
    };
    if (request.devices < 1 || request.devices > maxDevices)
        error("library/size", fmt::format("{} for {} devices cannot be made.", title, request.devices),
            fmt::format("Ask for 1 to {} devices.", maxDevices));
    if (request.microBatches < 1)
        error("library/size", fmt::format("{} for {} micro-batches cannot be made.", title, request.microBatches),
            "Ask for at least 1 micro-batch.");
    if (request.chunks < 0 || (request.chunks > 0 && request.chunks != chunks))
        error("library/chunks", fmt::format("{} has {} stages on each device, not {}.", title, chunks, request.chunks),
            fmt::format("Ask for {}, or leave the number of chunks out.", chunks));
    if (!findings.empty())
        return findings;
    if (std::int64_t { 3 } * request.devices * chunks * request.microBatches > maxPasses)
        error("library/size",
            fmt::format("{} with {} devices, {} stages on each and {} micro-batches has more than {} passes.", title,
                request.devices, chunks, request.microBatches, maxPasses),
            "Ask for fewer devices or micro-batches.");
    for (const auto& [name, ticks] : { std::pair("F", request.f), std::pair("B", request.b), std::pair("W", request.w),
             std::pair("BW", request.bw.value_or(0)), std::pair("transfer", request.transfer) })
        if (ticks < 0 || ticks >= maxTicks)
            error("library/cost", fmt::format("{} costs {} ticks.", name, ticks), "Give ticks from 0 to below 2^40.");
    return findings;
}

void place(Design& design, std::int32_t stage, PassKind kind, Ticks start, std::int32_t member)
{
    const DeviceId device = design.pipeline.deviceOf(StageId { stage }, RouteId { 0 });
    blockOf(design).passes.push_back({ device, { { StageId { stage }, MicroBatch { member }, kind }, {} }, start });
}

BuildingBlock& blockOf(Design& design) { return std::get<BuildingBlock>(design.plan); }

} // namespace pipeloom
