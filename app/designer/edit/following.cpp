// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/following.h"

namespace pipeloom::designer {

void followTicks(Design& edited, const Design& before)
{
    const auto& [oldF, oldB, oldW, oldBw] = before.costs.ticks.values;
    auto& [f, b, w, bw] = edited.costs.ticks.values;
    for (std::size_t s = 0; s < bw.size(); ++s)
        if (oldBw[s] == oldB[s] + oldW[s] && b[s] + w[s] < maxTicks)
            bw[s] = b[s] + w[s];
}

void followMemory(Design& edited, const Design& before)
{
    const auto& old = before.memory.change.values;
    auto& change = edited.memory.change.values;
    for (std::size_t s = 0; s < change[0].size(); ++s)
        if (old[index(PassKind::BW)][s] == -old[index(PassKind::F)][s])
            change[index(PassKind::BW)][s] = -change[index(PassKind::F)][s];
}

Edited refusedWithoutKind() { return refused("There are passes F, B, W and BW."); }

} // namespace pipeloom::designer
