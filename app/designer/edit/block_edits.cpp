// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/block_edits.h"

#include "app/designer/edit/finished.h"
#include "app/designer/edit/resized.h"
#include "core/library/library.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::designer {

Ticks busiestLoad(const Pipeline& pipeline, const BuildingBlock& block)
{
    std::vector<Ticks> load(static_cast<std::size_t>(pipeline.devices), 0);
    for (std::int32_t member = 0; member < block.group; ++member)
        for (std::int32_t s = 0; s < pipeline.stages; ++s) {
            const StageId stage { s };
            Ticks& ticks = load[pipeline.deviceOf(stage, RouteId { member % pipeline.routeCount() }).index()];
            for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W })
                ticks = std::min(ticks + block.durations.of(kind, stage), maxTicks - 1);
        }
    return std::max<Ticks>(*std::max_element(load.begin(), load.end()), 1);
}

Edited newBlock(const Design& design)
{
    BuildingBlock made;
    made.durations = unitDurations(design.pipeline.stages);
    if (const BuildingBlock* block = design.block()) {
        made.durations = block->durations;
        made.group = block->group;
    }
    made.interval = busiestLoad(design.pipeline, made);
    Design edited = design;
    edited.plan = std::move(made);
    return finished(std::move(edited), "New block");
}

namespace {

/// A model cut into other stages keeps its work and memory: stages that become one add up, one that becomes several is shared
/// out if that goes in whole ticks. Where neither is so, each stage costs what it did.
void keepTheModel(const Design& before, Design& after)
{
    const auto from = static_cast<std::size_t>(before.pipeline.stages);
    const auto to = static_cast<std::size_t>(after.pipeline.stages);
    const auto recut = [&](const std::vector<std::int64_t>& old, std::vector<std::int64_t>& now) {
        if (from % to == 0) {
            const std::size_t merged = from / to;
            for (std::size_t s = 0; s < to; ++s) {
                now[s] = 0;
                for (std::size_t part = 0; part < merged; ++part)
                    now[s] += old[s * merged + part];
            }
            return true;
        }
        if (to % from != 0)
            return false;
        const auto parts = static_cast<std::int64_t>(to / from);
        if (std::any_of(old.begin(), old.end(), [&](std::int64_t value) { return value % parts != 0; }))
            return false;
        for (std::size_t s = 0; s < to; ++s)
            now[s] = old[s / static_cast<std::size_t>(parts)] / parts;
        return true;
    };
    if (from == to)
        return;
    Design made = after;
    for (std::size_t kind = 0; kind < passKinds; ++kind) {
        const bool kept = recut(before.costs.ticks.values[kind], made.costs.ticks.values[kind])
            && recut(before.memory.change.values[kind], made.memory.change.values[kind])
            && recut(before.memory.transient.values[kind], made.memory.transient.values[kind]);
        if (!kept)
            return;
    }
    after = std::move(made);
}

} // namespace

Edited startFrom(const Design& design, std::string_view libraryName)
{
    const LibraryEntry* entry = findInLibrary(libraryName);
    if (!entry)
        return refused(fmt::format("The library has no schedule {}.", libraryName));
    LibraryRequest request;
    request.devices = design.pipeline.devices;
    request.microBatches = design.pipeline.microBatches;
    LibraryDesign made = entry->make(request);
    if (!made.design)
        return refused(made.findings.front().message + " " + made.findings.front().remedy);
    Design edited = design;
    edited.pipeline = made.design->pipeline;
    edited.plan = made.design->plan;
    edited.reorder = made.design->reorder;
    resizeTables(edited, edited.pipeline.stages, edited.pipeline.devices);
    keepTheModel(design, edited);
    const auto titles = library();
    if (design.name.empty()
        || std::any_of(titles.begin(), titles.end(), [&](const LibraryEntry& one) { return one.title == design.name; }))
        edited.name = entry->title;
    return finished(std::move(edited), fmt::format("Start from {}", entry->title));
}

Edited clearBlock(const Design& design)
{
    if (!design.block())
        return refusedWithoutBlock();
    Design edited = design;
    std::get<BuildingBlock>(edited.plan).passes.clear();
    return finished(std::move(edited), "Clear block");
}

} // namespace pipeloom::designer
