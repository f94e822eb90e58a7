// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random designs whose block is legal, for property tests: any placement, costs, memory changes, limits and transfers.
// The same seed gives the same design on every machine.

#include "core/block/fit.h"
#include "core/formats/design.h"

#include <algorithm>
#include <random>

namespace pipeloom::test {

class RandomLegalDesign {
public:
    explicit RandomLegalDesign(unsigned seed)
        : random_(seed)
    {
    }

    Design design()
    {
        const int p = within(1, 5);
        const int stages = p * within(1, 3) + (chance(20) ? within(0, 2) : 0);
        Pipeline pipeline;
        pipeline.devices = p;
        pipeline.stages = stages;
        pipeline.microBatches = within(1, 12);
        pipeline.kind = PlacementKind::List;
        pipeline.routes.emplace_back();
        for (int s = 0; s < stages; ++s)
            pipeline.routes.front().emplace_back(s < p ? s : within(0, p - 1));
        std::shuffle(pipeline.routes.front().begin(), pipeline.routes.front().end(), random_);

        Design made = emptyDesign(pipeline);
        for (std::size_t s = 0; s < static_cast<std::size_t>(stages); ++s)
            stageFigures(made, s);
        for (Ticks& ticks : made.network.transfer)
            ticks = chance(50) ? 0 : within(0, 3);
        if (chance(40))
            for (int s = 0; s + 1 < stages; ++s)
                made.network.bytes.push_back(within(0, 3));
        made.network.window = within(0, 5);
        for (std::size_t d = 0; d < static_cast<std::size_t>(p); ++d) {
            made.memory.fixed[d] = within(0, 10);
            if (chance(30))
                made.memory.limit[d] = within(5, 40);
        }
        made.plan = block(made.pipeline);
        made.reorder = Reorder { chance(80) ? ReorderRule::All : ReorderRule::Weights, ReorderAim::Makespan };
        return made;
    }

    int within(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }
    bool chance(int percent) { return within(1, 100) <= percent; }
    std::mt19937& engine() { return random_; }

private:
    void stageFigures(Design& made, std::size_t s)
    {
        auto& ticks = made.costs.ticks.values;
        ticks[index(PassKind::F)][s] = within(chance(10) ? 0 : 1, 5);
        ticks[index(PassKind::B)][s] = within(chance(10) ? 0 : 1, 5);
        ticks[index(PassKind::W)][s] = within(0, 4);
        ticks[index(PassKind::BW)][s] = ticks[index(PassKind::B)][s] + ticks[index(PassKind::W)][s];
        auto& change = made.memory.change.values;
        const int a = within(1, 4);
        const int b = chance(50) ? 0 : within(-a, 2);
        change[index(PassKind::F)][s] = a;
        change[index(PassKind::B)][s] = b;
        change[index(PassKind::W)][s] = -(a + b);
        change[index(PassKind::BW)][s] = -a;
        if (chance(30))
            made.memory.transient.values[static_cast<std::size_t>(within(0, 3))][s] = within(0, 4);
    }

    /// Passes placed in the order of their dependencies with random gaps, then an interval at which nothing collides.
    BuildingBlock block(const Pipeline& pipeline)
    {
        BuildingBlock made;
        made.durations = unitDurations(pipeline.stages);
        for (auto& kind : made.durations.values)
            for (Ticks& ticks : kind)
                ticks = within(1, 3);
        made.group = within(1, 3);
        std::vector<Ticks> free(static_cast<std::size_t>(pipeline.devices), 0);
        const auto put = [&](int stage, PassKind kind, int member, Ticks from) {
            const Pass pass { StageId { stage }, MicroBatch { member }, kind };
            const DeviceId device = pipeline.deviceOf(StageId { stage }, RouteId { 0 });
            const Ticks start = std::max(from, free[device.index()]) + (chance(30) ? within(0, 4) : 0);
            made.passes.push_back({ device, { pass, {} }, start });
            return free[device.index()] = start + made.durations.of(kind, pass.stage);
        };
        std::vector<bool> fused;
        for (int s = 0; s < pipeline.stages; ++s)
            fused.push_back(chance(20));
        for (int member = 0; member < made.group; ++member) {
            Ticks at = 0;
            for (int s = 0; s < pipeline.stages; ++s)
                at = put(s, PassKind::F, member, at);
            for (int s = pipeline.stages - 1; s >= 0; --s) {
                const bool whole = fused[static_cast<std::size_t>(s)];
                at = put(s, whole ? PassKind::BW : PassKind::B, member, at);
                if (!whole)
                    put(s, PassKind::W, member, at);
            }
        }
        made.interval = 1;
        const auto collides = [&] {
            for (std::int32_t d = 0; d < pipeline.devices; ++d) {
                Ticks work = 0;
                for (const BlockPass& placed : made.passes)
                    work += placed.device.value == d ? made.duration(placed.slot) : 0;
                if (work > made.interval || !collisions(made, DeviceId { d }, made.interval).empty())
                    return true;
            }
            return false;
        };
        while (collides())
            ++made.interval;
        return made;
    }

    std::mt19937 random_;
};

} // namespace pipeloom::test
