// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/interval_edits.h"

#include "app/designer/edit/finished.h"
#include "core/block/legs.h"

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

} // namespace pipeloom::designer
