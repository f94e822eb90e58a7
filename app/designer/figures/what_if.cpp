// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/figures/figures.h"

#include <algorithm>

namespace pipeloom::designer {

bool WhatIf::isNothing() const
{
    const auto none = [](std::int32_t percent) { return percent == 0; };
    return transfer == 0 && std::all_of(devicePercent.begin(), devicePercent.end(), none)
        && std::all_of(stagePercent.begin(), stagePercent.end(), none);
}

Design applied(const WhatIf& whatIf, Design design)
{
    const auto percentOf = [](const std::vector<std::int32_t>& list, std::size_t at) {
        return at < list.size() ? Ticks { list[at] } : Ticks { 0 };
    };
    const auto more = [](Ticks ticks, Ticks percent) { return (ticks * (100 + percent) + 99) / 100; };
    for (std::int32_t s = 0; s < design.pipeline.stages; ++s) {
        const StageId stage { s };
        const DeviceId device = design.pipeline.deviceOf(stage, RouteId { 0 });
        const Ticks percent
            = percentOf(whatIf.devicePercent, device.index()) + percentOf(whatIf.stagePercent, stage.index());
        for (auto& byStage : design.costs.ticks.values)
            byStage[stage.index()] = more(byStage[stage.index()], percent);
    }
    if (design.costs.pair) {
        Ticks most = 0;
        for (const std::int32_t percent : whatIf.devicePercent)
            most = std::max<Ticks>(most, percent);
        design.costs.pair = more(*design.costs.pair, most);
    }
    if (whatIf.transfer != 0) {
        if (design.network.bytesPerTick > 0)
            design.network.latency += whatIf.transfer;
        else
            for (Ticks& ticks : design.network.transfer)
                ticks += whatIf.transfer;
    }
    return design;
}

} // namespace pipeloom::designer
