// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/row_strip.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

std::size_t shareOf(PassKind kind) { return kind == PassKind::F ? 0 : kind == PassKind::W ? 2 : 1; }

/// The part [from, to) of a row of columns, `weight` per pixel, added column by column.
void addSpan(std::vector<ColumnShares>& shares, double from, double to, std::size_t kind, float weight)
{
    from = std::max(from, 0.0);
    to = std::min(to, static_cast<double>(shares.size()));
    if (!(to > from))
        return;
    auto first = static_cast<std::size_t>(from);
    const auto last = static_cast<std::size_t>(to);
    if (first == last) {
        shares[first].of[kind] += weight * static_cast<float>(to - from);
        return;
    }
    shares[first].of[kind] += weight * static_cast<float>(static_cast<double>(first + 1) - from);
    for (++first; first < last; ++first)
        shares[first].of[kind] += weight;
    if (last < shares.size())
        shares[last].of[kind] += weight * static_cast<float>(to - static_cast<double>(last));
}

} // namespace

void columnShares(const ScheduleData& data, DeviceId device, const TimeMap& map, std::size_t columns,
    std::vector<ColumnShares>& shares)
{
    shares.assign(columns, {});
    const double end = map.timeAt(static_cast<double>(columns));
    const std::vector<TimedPass>& passes = data.timeline().passes;
    const PassIndex rowEnd = data.rowEnd(device);
    for (PassIndex i = data.firstAfter(device, map.begin); i < rowEnd; ++i) {
        const TimedPass& pass = passes[static_cast<std::size_t>(i)];
        if (static_cast<double>(pass.start) >= end)
            break;
        const bool paired = pass.joined || (i + 1 < rowEnd && passes[static_cast<std::size_t>(i) + 1].joined);
        addSpan(shares, map.xOf(pass.start), map.xOf(pass.end), shareOf(pass.pass.kind), paired ? 0.5F : 1.0F);
    }
}

void averagedShares(const ScheduleData& data, DeviceId device, const TimeMap& map, std::size_t columns, Ticks period,
    std::vector<ColumnShares>& shares)
{
    const auto length = static_cast<double>(period);
    if (length * map.pixelsPerTick <= 1 || data.rowBegin(device) == data.rowEnd(device)) {
        columnShares(data, device, map, columns, shares);
        return;
    }
    const TimeMap byPeriod { std::floor(map.begin / length) * length, 1 / length };
    const double end = map.timeAt(static_cast<double>(columns));
    const auto periods = static_cast<std::size_t>(std::ceil(std::max(byPeriod.xOf(end), 1.0)));
    std::vector<ColumnShares> means;
    columnShares(data, device, byPeriod, periods, means);
    const DeviceMetrics& metrics = data.metrics().devices[device.index()];
    shares.assign(columns, {});
    for (std::size_t i = 0; i < periods; ++i) {
        const double start = byPeriod.timeAt(static_cast<double>(i));
        const double from = std::max(start, static_cast<double>(metrics.firstStart));
        const double to = std::min(start + length, static_cast<double>(metrics.lastEnd));
        if (to <= from)
            continue;
        for (std::size_t kind = 0; kind < 3; ++kind)
            addSpan(
                shares, map.xOf(from), map.xOf(to), kind, means[i].of[kind] * static_cast<float>(length / (to - from)));
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
    const auto cover = [&](double from, double to, Bytes level) {
        if (to <= 0 || from >= width)
            return;
        auto column = static_cast<std::size_t>(std::max(from, 0.0));
        const auto last = static_cast<std::size_t>(std::min(std::ceil(std::max(to, 1.0)), width)) - 1;
        for (; column <= last; ++column) {
            ColumnLevel& at = levels[column];
            at.most = at.inside ? std::max(at.most, level) : level;
            at.least = at.inside ? std::min(at.least, level) : level;
            at.inside = true;
        }
    };
    for (PassIndex i = data.firstAfter(device, map.begin); i < rowEnd; ++i) {
        const TimedPass& pass = data.at(i);
        if (pass.joined)
            continue;
        const double from = map.xOf(pass.start);
        if (from >= width)
            break;
        const double to = map.xOf(pass.end);
        cover(from, to, data.levelDuring(i));
        const PassIndex next = i + 1 < rowEnd && data.at(i + 1).joined ? i + 2 : i + 1;
        if (next < rowEnd)
            cover(to, map.xOf(data.at(next).start), data.levelAfter(i));
    }
    // The gap that the left edge cuts: the pass before it has ended already.
    const PassIndex first = data.firstAfter(device, map.begin);
    if (first > data.rowBegin(device) && first < rowEnd)
        cover(0, map.xOf(data.at(first).start), data.levelBefore(data.at(first).joined ? first - 1 : first));
}

} // namespace pipeloom::designer
