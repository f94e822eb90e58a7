// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/measured/replay.h"

#include "core/simulate/simulator.h"

#include <algorithm>
#include <cmath>

namespace pipeloom {

namespace {

std::size_t boundaryOf(const Pass& pass)
{
    return static_cast<std::size_t>(pass.kind == PassKind::F ? pass.stage.value : pass.stage.value - 1);
}

/// Makespan without the loop's time behind the last pass.
std::optional<Ticks> makespan(const Program& program, const Pipeline& pipeline, std::span<const Ticks> passes,
    std::span<const Ticks> behind, std::span<const Ticks> transfers)
{
    std::vector<Ticks> withLoop(passes.begin(), passes.end());
    for (std::size_t d = 0; d < behind.size(); ++d)
        for (auto i = program.passBegin[d]; i < program.passBegin[d + 1]; ++i)
            withLoop[static_cast<std::size_t>(i)] += behind[d];
    const auto timeline = simulate(program, pipeline, OwnTimes { withLoop, transfers }, QueueModel::Directed);
    if (!timeline)
        return {};
    Ticks last = 0;
    for (std::size_t d = 0; d < behind.size(); ++d)
        if (const auto row = timeline->row(DeviceId { d }); !row.empty())
            last = std::max(last, row.back().end - behind[d]);
    return last;
}

} // namespace

std::optional<Replay> replay(const Program& program, const Pipeline& pipeline, std::span<const Ticks> passes,
    const BetweenPasses& between, std::span<const MeasuredHandOver> own)
{
    std::vector<Ticks> behind;
    for (const double loop : between.loop)
        behind.push_back(std::llround(loop));
    const std::vector<Ticks> nothing(behind.size(), 0);
    // The loop's time behind the pass that makes a result is part of its hand-over.
    const auto beyondLoop = [&](const Message& message, double handOver) {
        return std::max<Ticks>(0, std::llround(handOver - between.loop[message.from.index()]));
    };
    std::vector<Ticks> transfers;
    for (const Message& message : program.messages)
        transfers.push_back(beyondLoop(message, between.handOver[boundaryOf(message.pass)]));
    for (const MeasuredHandOver& handOver : own) {
        const auto message = static_cast<std::size_t>(handOver.message);
        transfers[message] = beyondLoop(program.messages[message], static_cast<double>(handOver.time));
    }
    const auto alone = makespan(program, pipeline, passes, nothing, {});
    const auto loop = makespan(program, pipeline, passes, behind, {});
    const auto all = makespan(program, pipeline, passes, behind, transfers);
    if (!alone || !loop || !all)
        return {};
    return Replay { *alone, *loop, *all };
}

} // namespace pipeloom
