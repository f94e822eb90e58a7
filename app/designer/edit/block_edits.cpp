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
