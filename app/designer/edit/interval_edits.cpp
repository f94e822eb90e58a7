// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/interval_edits.h"

#include "app/designer/edit/finished.h"
#include "app/designer/edit/tables.h"
#include "core/block/legs.h"
#include "core/block/retime.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::designer {

Edited setInterval(const Design& design, Ticks interval)
{
    if (!design.block())
        return refusedWithoutBlock();
    Design edited = design;
    interval = std::max<Ticks>(interval, 1);
    std::get<BuildingBlock>(edited.plan).interval = interval;
    return finished(std::move(edited), fmt::format("Interval {}", interval));
}

Edited refitInterval(const Design& design, Ticks interval)
{
    Edited plain = setInterval(design, interval);
    if (!plain.ok())
        return plain;
    interval = plain.design->block()->interval;
    if (auto fitted = refit(*design.block(), design.pipeline, interval))
        plain.design->plan = std::move(*fitted);
    return finished(std::move(*plain.design), fmt::format("Refit to interval {}", interval));
}

Edited retimeWithCosts(const Design& design)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return refusedWithoutBlock();
    auto made = retimed(*block, design.pipeline, design.costs.ticks);
    if (!made)
        return refused(
            "The order in which the passes stand cannot run at any interval, as one waits for another that comes "
            "after it; mend what is early first.");
    Design edited = design;
    edited.plan = std::move(*made);
    return finished(std::move(edited), "Draw with the real costs");
}

Edited setDuration(const Design& design, PassKind kind, std::optional<StageId> stage, Ticks ticks)
{
    if (!design.block())
        return refusedWithoutBlock();
    if (kind == PassKind::None)
        return refused("There are passes F, B, W and BW.");
    Design edited = design;
    auto& durations = std::get<BuildingBlock>(edited.plan).durations.values[index(kind)];
    if (std::string why = setEntry(durations, stage, ticks, tickRange); !why.empty())
        return refused(std::move(why));
    return finished(
        std::move(edited), fmt::format("{} drawn with {}", entryName(text(kind), stage), countedTicks(ticks)));
}

} // namespace pipeloom::designer
