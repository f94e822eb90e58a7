// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/costs_edits.h"

#include "app/designer/edit/finished.h"
#include "app/designer/edit/following.h"
#include "app/designer/edit/tables.h"

#include <fmt/format.h>

#include <cmath>

namespace pipeloom::designer {

Edited setCost(const Design& design, PassKind kind, std::optional<StageId> stage, Ticks ticks)
{
    if (kind == PassKind::None)
        return refusedWithoutKind();
    Design edited = design;
    if (std::string why = setEntry(edited.costs.ticks.values[index(kind)], stage, ticks, tickRange); !why.empty())
        return refused(std::move(why));
    if (kind != PassKind::BW)
        followTicks(edited, design);
    return finished(std::move(edited), fmt::format("{} = {}", entryName(text(kind), stage), ticks));
}

Edited setPairCost(const Design& design, std::optional<Ticks> ticks)
{
    if (std::string why = outOfRange(ticks.value_or(0), tickRange); !why.empty())
        return refused(std::move(why));
    Design edited = design;
    edited.costs.pair = ticks;
    return finished(std::move(edited), ticks ? fmt::format("Pair = {}", *ticks) : "Pair = sum");
}

Edited setTickUs(const Design& design, double microseconds)
{
    if (!std::isfinite(microseconds) || microseconds <= 0)
        return refused("A tick takes more than 0 microseconds.");
    Design edited = design;
    edited.costs.tickUs = microseconds;
    return finished(std::move(edited), fmt::format("Tick = {} us", microseconds));
}

Edited setReorder(const Design& design, std::optional<Reorder> reorder)
{
    if (reorder && !design.block())
        return refused("The order is edited by hand and is not reordered; \"Back to block\" ends that.");
    Design edited = design;
    edited.reorder = reorder;
    if (!reorder)
        return finished(std::move(edited), "Squeeze only");
    return finished(std::move(edited),
        fmt::format("Reorder {}, {}", reorder->rule == ReorderRule::All ? "all" : "weights",
            reorder->aim == ReorderAim::Makespan ? "makespan" : "own span"));
}

} // namespace pipeloom::designer
