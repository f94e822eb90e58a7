// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/block/block_layout.h"

#include "core/block/block_index.h"
#include "core/block/fit.h"

#include <algorithm>

namespace pipeloom::designer {

BlockTables::BlockTables(const BuildingBlock& block, const Pipeline& pipeline)
    : rows_(static_cast<std::size_t>(pipeline.devices))
    , chunks_(block.passes.size(), 0)
    , lanes_(block.passes.size(), Lane::Whole)
{
    for (std::int32_t d = 0; d < pipeline.devices; ++d)
        stages_.push_back(pipeline.stagesOn(DeviceId { d }));
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        const BlockPass& placed = block.passes[i];
        rows_[placed.device.index()].push_back(static_cast<std::int32_t>(i));
        const auto& stages = stages_[placed.device.index()];
        const auto found = std::find(stages.begin(), stages.end(), placed.slot.first.stage);
        chunks_[i] = found == stages.end() ? 0 : static_cast<std::int32_t>(found - stages.begin());
        end_ = std::max(end_, placed.start + block.duration(placed.slot));
    }
    for (auto& row : rows_)
        std::stable_sort(row.begin(), row.end(), [&](std::int32_t a, std::int32_t b) {
            return block.passes[static_cast<std::size_t>(a)].start < block.passes[static_cast<std::size_t>(b)].start;
        });
    if (block.interval < 1)
        return;
    for (std::int32_t d = 0; d < pipeline.devices; ++d)
        for (const Collision& meeting : collisions(block, DeviceId { d }, block.interval)) {
            lanes_[static_cast<std::size_t>(meeting.earlier)] = Lane::Upper;
            if (lanes_[static_cast<std::size_t>(meeting.later)] == Lane::Whole)
                lanes_[static_cast<std::size_t>(meeting.later)] = Lane::Lower;
        }
}

std::vector<LifespanBar> lifespanBars(const BuildingBlock& block, const BlockTables& tables, DeviceId device)
{
    // Begin and end by stage of the device and member, in one go over the row.
    struct Life {
        std::optional<Ticks> begin;
        std::optional<Ticks> end;
    };
    const auto& stages = tables.stagesOn(device);
    const auto group = static_cast<std::size_t>(block.group);
    std::vector<Life> lives(stages.size() * group);
    const auto look = [&](const BlockPass& placed, const Pass& pass) {
        const auto found = std::find(stages.begin(), stages.end(), pass.stage);
        if (found == stages.end() || pass.microBatch.index() >= group)
            return;
        Life& life = lives[static_cast<std::size_t>(found - stages.begin()) * group + pass.microBatch.index()];
        if (pass.kind == PassKind::F)
            life.begin = placed.start;
        if (givesWeightGradient(pass.kind))
            life.end = placed.start + block.duration(placed.slot);
    };
    for (const std::int32_t i : tables.row(device)) {
        const BlockPass& placed = block.passes[static_cast<std::size_t>(i)];
        look(placed, placed.slot.first);
        if (placed.slot.isPair())
            look(placed, placed.slot.second);
    }
    std::vector<LifespanBar> bars;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        std::optional<LifespanBar> longest;
        std::int32_t members = 0;
        Ticks holds = 0;
        for (std::size_t member = 0; member < group; ++member) {
            const Life& life = lives[s * group + member];
            if (!life.begin || !life.end || *life.end < *life.begin)
                continue;
            ++members;
            holds += (*life.end - *life.begin + block.interval - 1) / block.interval;
            if (!longest || *life.end - *life.begin > longest->end - longest->begin)
                longest = { stages[s], static_cast<std::int32_t>(s), *life.begin, *life.end, 1, 0 };
        }
        if (longest) {
            longest->members = members;
            longest->holds = holds;
            bars.push_back(*longest);
        }
    }
    return bars;
}

std::optional<DeviceId> BlockLayout::deviceAt(double y, double scroll) const
{
    const double content = y - time.top() + scroll;
    const auto after = std::upper_bound(
        rows.begin(), rows.end(), content, [](double at, const BlockRow& row) { return at < row.top; });
    if (after == rows.begin())
        return std::nullopt;
    const auto row = after - 1;
    if (content >= row->top + row->height)
        return std::nullopt;
    return DeviceId { static_cast<std::int32_t>(row - rows.begin()) };
}

BlockLayout layOutBlock(const Design& design, const BlockTables& tables, QSizeF viewport, double rowScale)
{
    constexpr double barStepAtMost = 12;
    constexpr double barStepAtLeast = 5;
    constexpr double rowForBars = 46;
    BlockLayout layout;
    layout.viewport = viewport;
    layout.time = QRectF(BlockLayout::labelWidth, BlockLayout::rulerHeight,
        std::max(viewport.width() - BlockLayout::labelWidth - BlockLayout::residueWidth, 60.0),
        std::max(viewport.height() - BlockLayout::rulerHeight - BlockLayout::offsetsHeight, 20.0));
    const auto devices = static_cast<std::size_t>(design.pipeline.devices);
    const double share = layout.time.height() / static_cast<double>(std::max<std::size_t>(devices, 1));
    double top = 0;
    for (std::size_t d = 0; d < devices; ++d) {
        const auto bars = static_cast<double>(tables.stagesOn(DeviceId { d }).size());
        const double natural = 38 + std::min(bars, 6.0) * barStepAtMost + 4;
        BlockRow row;
        row.top = top;
        row.height = std::max(std::floor(std::clamp(share, 20.0, natural) * rowScale), 12.0);
        if (row.height >= rowForBars && bars > 0) {
            row.bandTop = top + 6;
            row.bandHeight = std::clamp(row.height - 12 - bars * barStepAtMost, 16.0, 26.0);
            row.barTop = row.bandTop + row.bandHeight + 5;
            row.barStep = std::clamp((top + row.height - 2 - row.barTop) / bars, barStepAtLeast, barStepAtMost);
            row.barText = row.barStep >= 10;
        } else {
            row.bandTop = top + 2;
            row.bandHeight = std::min(row.height - 4, 26.0);
        }
        top += row.height;
        layout.rows.push_back(row);
    }
    layout.contentHeight = top;
    return layout;
}

QRectF passBox(const BlockRow& row, const BlockLayout& layout, const TimeMap& map, Ticks start, Ticks ticks,
    BlockTables::Lane lane, double scroll, double devicePixelRatio)
{
    const double left = snapped(layout.time.left() + map.xOf(start), devicePixelRatio);
    const double right = snapped(layout.time.left() + map.xOf(start + ticks), devicePixelRatio);
    double top = layout.viewY(row.bandTop, scroll);
    double height = row.bandHeight;
    if (lane != BlockTables::Lane::Whole) {
        height = height / 2;
        if (lane == BlockTables::Lane::Lower)
            top += height;
    }
    const double snappedTop = snapped(top, devicePixelRatio);
    return { left, snappedTop, std::max(right - left, 1 / devicePixelRatio),
        snapped(top + height, devicePixelRatio) - snappedTop };
}

} // namespace pipeloom::designer
