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

namespace {

/// By how many per cent the passes of a stage are longer.
Ticks percentOf(const WhatIf& whatIf, const Pipeline& pipeline, StageId stage)
{
    const auto at = [](const std::vector<std::int32_t>& list, std::size_t place) {
        return place < list.size() ? Ticks { list[place] } : Ticks { 0 };
    };
    const DeviceId device = pipeline.deviceOf(stage, RouteId { 0 });
    return at(whatIf.devicePercent, device.index()) + at(whatIf.stagePercent, stage.index());
}

Ticks mostPercent(const WhatIf& whatIf, const Pipeline& pipeline)
{
    Ticks most = 0;
    for (std::int32_t s = 0; s < pipeline.stages; ++s)
        most = std::max(most, percentOf(whatIf, pipeline, StageId { s }));
    return most;
}

bool isWhole(const WhatIf& whatIf, const Design& design, Ticks cuts)
{
    for (std::int32_t s = 0; s < design.pipeline.stages; ++s) {
        const Ticks percent = percentOf(whatIf, design.pipeline, StageId { s });
        for (const auto& byStage : design.costs.ticks.values)
            if (byStage[static_cast<std::size_t>(s)] * cuts * percent % 100 != 0)
                return false;
    }
    return true;
}

} // namespace

Ticks cutsFor(const WhatIf& whatIf, const Design& design)
{
    // Bytes per tick are whole too, and large ticks have no need of it.
    constexpr Ticks shortest = 1000;
    Ticks longest = 0;
    for (const auto& byStage : design.costs.ticks.values)
        for (const Ticks ticks : byStage)
            longest = std::max(longest, ticks);
    if (longest >= shortest)
        return 1;
    for (const Ticks cuts : { 1, 2, 4, 5, 10, 20, 25, 50, 100 })
        if (design.network.bytesPerTick % cuts == 0 && isWhole(whatIf, design, cuts))
            return cuts;
    return 1;
}

Design applied(const WhatIf& whatIf, Design design)
{
    const Ticks cuts = cutsFor(whatIf, design);
    const auto more = [cuts](Ticks ticks, Ticks percent) { return (ticks * cuts * (100 + percent) + 99) / 100; };
    for (std::int32_t s = 0; s < design.pipeline.stages; ++s) {
        const StageId stage { s };
        const Ticks percent = percentOf(whatIf, design.pipeline, stage);
        for (auto& byStage : design.costs.ticks.values)
            byStage[stage.index()] = more(byStage[stage.index()], percent);
    }
    if (design.costs.pair)
        design.costs.pair = more(*design.costs.pair, mostPercent(whatIf, design.pipeline));
    design.costs.tickUs /= static_cast<double>(cuts);
    for (Ticks& ticks : design.network.transfer)
        ticks = (ticks + whatIf.transfer) * cuts;
    if (design.network.bytesPerTick > 0) {
        design.network.latency = (design.network.latency + whatIf.transfer) * cuts;
        design.network.bytesPerTick /= cuts;
    }
    return design;
}

} // namespace pipeloom::designer
