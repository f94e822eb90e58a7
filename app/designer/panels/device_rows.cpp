// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/device_rows.h"

#include "core/block/block_index.h"

#include <algorithm>
#include <limits>

namespace pipeloom::designer {

namespace {

Bytes roomOf(const DeviceRow& row) { return row.limit ? *row.limit - row.peak : std::numeric_limits<Bytes>::max(); }

/// For each stage and member the longest time from the start of F to the end of the pass that releases its activations.
std::vector<std::optional<Ticks>> longestLives(const Timeline& timeline, std::size_t stages, std::size_t group)
{
    struct Life {
        Ticks start = -1;
        Ticks end = -1;
    };
    std::vector<std::vector<Life>> lives(stages);
    for (const TimedPass& timed : timeline.passes) {
        if (timed.pass.stage.index() >= stages)
            continue;
        std::vector<Life>& ofStage = lives[timed.pass.stage.index()];
        if (ofStage.size() <= timed.pass.microBatch.index())
            ofStage.resize(timed.pass.microBatch.index() + 1);
        Life& life = ofStage[timed.pass.microBatch.index()];
        if (timed.pass.kind == PassKind::F)
            life.start = timed.start;
        else if (givesWeightGradient(timed.pass.kind))
            life.end = timed.end;
    }
    std::vector<std::optional<Ticks>> longest(stages * group);
    for (std::size_t s = 0; s < stages; ++s)
        for (std::size_t j = 0; j < lives[s].size(); ++j)
            if (const Life& life = lives[s][j]; life.start >= 0 && life.end >= 0) {
                std::optional<Ticks>& most = longest[s * group + j % group];
                most = std::max(most.value_or(0), life.end - life.start);
            }
    return longest;
}

} // namespace

std::vector<DeviceRow> deviceRows(const Figures& figures, NumbersView view)
{
    std::vector<DeviceRow> rows;
    if (!figures.plan.simulated())
        return rows;
    const Metrics& metrics = figures.plan.metrics;
    const auto at = [](const auto& list, std::size_t d) {
        using Value = std::decay_t<decltype(list.front())>;
        return d < list.size() ? list[d] : Value {};
    };
    const bool sameDesign = figures.standing != Standing::Earlier;
    const std::vector<std::optional<Bytes>>& bounds = sameDesign ? figures.bounds : figures.plan.bounds;
    for (std::size_t d = 0; d < metrics.devices.size(); ++d) {
        const DeviceMetrics& device = metrics.devices[d];
        DeviceRow row;
        row.device = static_cast<std::int32_t>(d);
        row.busy = device.busy;
        row.idle = metrics.makespan() - device.busy;
        row.span = device.span();
        row.begin = device.firstStart - metrics.firstStart;
        row.idleShare = metrics.idleShare(DeviceId { d });
        row.ownSpanBubble
            = device.span() > 0 ? 1 - static_cast<double>(device.busy) / static_cast<double>(device.span()) : 0;
        row.peak = device.peak;
        row.bound = at(bounds, d);
        row.limit = at(figures.planned->memory.limit, d);
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [view](const DeviceRow& a, const DeviceRow& b) {
        if (view != NumbersView::Memory)
            return a.busy < b.busy;
        const Bytes roomA = roomOf(a);
        const Bytes roomB = roomOf(b);
        return roomA != roomB ? roomA < roomB : a.peak > b.peak;
    });
    return rows;
}

std::vector<LifespanRow> lifespanRows(const Figures& figures)
{
    std::vector<LifespanRow> rows;
    if (!figures.design)
        return rows;
    const Pipeline& pipeline = figures.design->pipeline;
    const BuildingBlock* block = figures.design->block();
    const std::int32_t group = block ? std::max(block->group, 1) : 1;
    std::vector<std::optional<Ticks>> longest(
        static_cast<std::size_t>(pipeline.stages) * static_cast<std::size_t>(group));
    if (figures.plan.simulated() && figures.standing != Standing::Earlier)
        longest = longestLives(
            figures.plan.timeline, static_cast<std::size_t>(pipeline.stages), static_cast<std::size_t>(group));
    std::optional<BlockIndex> index;
    if (block && block->interval >= 1 && block->group >= 1)
        index.emplace(*block, pipeline);
    for (std::int32_t s = 0; s < pipeline.stages; ++s)
        for (std::int32_t member = 0; member < group; ++member) {
            LifespanRow row;
            row.stage = s;
            row.member = member;
            row.device
                = pipeline.deviceOf(StageId { s }, RouteId { member % std::max(pipeline.routeCount(), 1) }).value;
            row.longest = longest[static_cast<std::size_t>(s) * static_cast<std::size_t>(group)
                + static_cast<std::size_t>(member)];
            if (index) {
                const std::int32_t begin = index->find(StageId { s }, member, Work::Forward);
                const std::int32_t end = index->find(StageId { s }, member, Work::WeightGradient);
                if (begin != BlockIndex::none && end != BlockIndex::none) {
                    const BlockPass& first = block->passes[static_cast<std::size_t>(begin)];
                    const BlockPass& last = block->passes[static_cast<std::size_t>(end)];
                    row.inBlock = last.start + block->duration(last.slot) - first.start;
                    row.holds = (std::max<Ticks>(*row.inBlock, 0) + block->interval - 1) / block->interval;
                }
            }
            rows.push_back(row);
        }
    std::stable_sort(
        rows.begin(), rows.end(), [](const LifespanRow& a, const LifespanRow& b) { return a.device < b.device; });
    return rows;
}

double idealTicks(const Metrics& metrics)
{
    if (metrics.devices.empty())
        return 0;
    return static_cast<double>(metrics.busy) / static_cast<double>(metrics.devices.size());
}

} // namespace pipeloom::designer
