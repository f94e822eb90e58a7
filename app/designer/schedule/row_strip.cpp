// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/row_strip.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

std::size_t shareOf(PassKind kind) { return kind == PassKind::F ? 0 : kind == PassKind::W ? 2 : 1; }

/// Columns that parts of a row are added to. Plain pointers: these loops see every pass of the picture.
struct Columns {
    ColumnShares* shares;
    int count;

    /// [from, to), `weight` per pixel.
    void add(double from, double to, std::size_t kind, float weight) const
    {
        if (from < 0 || to > count) {
            from = std::max(from, 0.0);
            to = std::min(to, static_cast<double>(count));
            if (!(to > from))
                return;
        }
        auto first = static_cast<int>(from);
        const auto last = static_cast<int>(to);
        if (first >= count)
            return; // a pass of no time at the very end
        if (first == last) {
            shares[first].of[kind] += weight * static_cast<float>(to - from);
            return;
        }
        shares[first].of[kind] += weight * static_cast<float>(first + 1 - from);
        for (++first; first < last; ++first)
            shares[first].of[kind] += weight;
        if (last < count)
            shares[last].of[kind] += weight * static_cast<float>(to - last);
    }
};

} // namespace

void columnShares(const TimelineRow& row, const TimeMap& map, std::size_t columns, std::vector<ColumnShares>& shares)
{
    shares.assign(columns, {});
    const Columns to { shares.data(), static_cast<int>(columns) };
    const double end = map.timeAt(static_cast<double>(columns));
    const TimedPass* const passes = row.passes.data();
    const std::size_t rowEnd = row.passes.size();
    for (std::size_t i = row.firstAfter(map.begin); i < rowEnd; ++i) {
        const TimedPass& pass = passes[i];
        if (static_cast<double>(pass.start) >= end)
            break;
        const bool paired = pass.joined || (i + 1 < rowEnd && passes[i + 1].joined);
        to.add(map.xOf(pass.start), map.xOf(pass.end), shareOf(pass.pass.kind), paired ? 0.5F : 1.0F);
    }
}

void averagedShares(const TimelineRow& row, const TimeMap& map, std::size_t columns, std::vector<ColumnShares>& shares)
{
    const auto length = static_cast<double>(row.period);
    if (length * map.pixelsPerTick <= 1 || row.passes.empty()) {
        columnShares(row, map, columns, shares);
        return;
    }
    const TimeMap byPeriod { std::floor(map.begin / length) * length, 1 / length };
    const double end = map.timeAt(static_cast<double>(columns));
    const auto periods = static_cast<std::size_t>(std::ceil(std::max(byPeriod.xOf(end), 1.0)));
    std::vector<ColumnShares> means;
    columnShares(row, byPeriod, periods, means);
    shares.assign(columns, {});
    const Columns made { shares.data(), static_cast<int>(columns) };
    for (std::size_t i = 0; i < periods; ++i) {
        const double start = byPeriod.timeAt(static_cast<double>(i));
        const double from = std::max(start, static_cast<double>(row.firstStart));
        const double to = std::min(start + length, static_cast<double>(row.lastEnd));
        if (to <= from)
            continue;
        for (std::size_t kind = 0; kind < 3; ++kind)
            made.add(map.xOf(from), map.xOf(to), kind, means[i].of[kind] * static_cast<float>(length / (to - from)));
    }
}

void columnLevels(std::span<const LevelChange> changes, Ticks until, const TimeMap& map, std::size_t columns,
    std::vector<ColumnLevel>& levels)
{
    levels.assign(columns, {});
    const auto width = static_cast<double>(columns);
    auto change = std::ranges::upper_bound(
        changes, map.begin, {}, [](const LevelChange& c) { return static_cast<double>(c.time); });
    if (change != changes.begin())
        --change; // the level that holds at the left edge
    for (; change != changes.end(); ++change) {
        const double from = std::max(map.xOf(change->time), 0.0);
        const Ticks next = change + 1 == changes.end() ? until : std::min((change + 1)->time, until);
        if (from >= width)
            break;
        const double to = std::min(map.xOf(next), width);
        for (auto column = static_cast<std::size_t>(from); static_cast<double>(column) < to; ++column)
            levels[column].most = std::max(levels[column].most, change->level);
    }
}

void columnLevels(const ScheduleData& data, DeviceId device, const TimeMap& map, std::size_t columns,
    std::vector<ColumnLevel>& levels)
{
    levels.assign(columns, {});
    const PassIndex rowEnd = data.rowEnd(device);
    if (columns == 0 || data.rowBegin(device) == rowEnd)
        return;
    const auto width = static_cast<double>(columns);
    ColumnLevel* const made = levels.data();
    const auto cover = [&](double from, double to, Bytes level) {
        if (to <= 0)
            return;
        auto column = from > 0 ? static_cast<int>(from) : 0;
        to = std::min(to, width);
        const auto whole = static_cast<int>(to);
        const int end = whole < to ? whole + 1 : whole;
        do
            made[column].most = std::max(made[column].most, level);
        while (++column < end);
    };
    const TimedPass* const passes = data.timeline().passes.data();
    const Bytes* const before = data.levelTable();
    const Bytes* const rises = data.riseTable();
    const auto riseOf
        = [&](const Pass& pass) { return rises[pass.stage.value * passKinds + static_cast<int>(pass.kind)]; };
    // Where a few passes fit into a column they are taken together; but not over an idle stretch.
    constexpr PassIndex block = ScheduleData::passesInBlock;
    const bool takesBlocks = data.meanTicks(device) * map.pixelsPerTick * block <= 1;
    const Bytes* const blockMost = data.blockMost(device);
    const PassIndex rowBegin = data.rowBegin(device);
    PassIndex i = data.firstAfter(device, map.begin);
    if (i < rowEnd && passes[i].joined)
        --i;
    // The gap that the left edge cuts: the pass before it has ended already.
    if (i > data.rowBegin(device) && i < rowEnd && map.xOf(passes[i].start) > 0)
        cover(0, map.xOf(passes[i].start), before[i]);
    while (i < rowEnd) {
        const TimedPass& pass = passes[i];
        const double from = map.xOf(pass.start);
        if (from >= width)
            break;
        if (takesBlocks && (i - rowBegin) % block == 0 && i + block < rowEnd) {
            const double to = map.xOf(passes[i + block].start);
            if (to - from <= 1) {
                cover(from, to, blockMost[(i - rowBegin) / block]);
                i += block;
                continue;
            }
        }
        Bytes level = before[i] + riseOf(pass.pass);
        PassIndex next = i + 1;
        if (next < rowEnd && passes[next].joined)
            level += riseOf(passes[next++].pass);
        const double to = map.xOf(pass.end);
        cover(from, to, level);
        if (next < rowEnd && passes[next].start > pass.end && to < width)
            cover(to, map.xOf(passes[next].start), before[next]);
        i = next;
    }
}

} // namespace pipeloom::designer
