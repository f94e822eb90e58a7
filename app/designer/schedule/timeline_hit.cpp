// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/timeline_hit.h"

#include "app/designer/schedule/pass_raster.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

using What = TimelineHit::What;

void hitTimes(const ScheduleData& data, double from, double to, TimelineHit& hit)
{
    for (PassIndex i = data.firstAfter(hit.device, from); i < data.rowEnd(hit.device); ++i) {
        const TimedPass& pass = data.at(i);
        if (static_cast<double>(pass.start) >= to)
            break;
        if (static_cast<double>(pass.end) <= from)
            continue;
        if (hit.count++ == 0)
            hit.pass = i;
    }
    if (hit.count > 0)
        hit.what = hit.count == 1 ? What::Pass : What::Merged;
}

/// The passes in the column, or else those that its tone is the average of.
void hitColumn(const TimelineScene& scene, double column, TimelineHit& hit)
{
    const TimeMap map { scene.map.begin, scene.map.pixelsPerTick * scene.ratio };
    hitTimes(*scene.data, map.timeAt(column), map.timeAt(column + 1), hit);
    if (hit.count > 0)
        return;
    const auto period = static_cast<double>(scene.data->period());
    const double first = std::floor(map.timeAt(column) / period) * period;
    const double last = std::ceil(map.timeAt(column + 1) / period) * period;
    hitTimes(*scene.data, first, last, hit);
    if (hit.count > 0)
        hit.what = What::Merged;
}

void hitBox(const TimelineScene& scene, double column, bool below, TimelineHit& hit)
{
    const TimeMap map { scene.map.begin, scene.map.pixelsPerTick * scene.ratio };
    const double far = scene.plotWidth() * scene.ratio + 8; // beyond it nothing is hit
    const ScheduleData& data = *scene.data;
    const PassIndex end = data.rowEnd(hit.device);
    for (PassIndex i = data.firstAfter(hit.device, map.timeAt(column - 2)); i < end; ++i) {
        const TimedPass& pass = data.at(i);
        const double from = nearestPixel(std::max(map.xOf(pass.start), -8.0));
        if (from > column)
            break;
        if (std::max<double>(nearestPixel(std::clamp(map.xOf(pass.end), -8.0, far)), from + 1) <= column)
            continue;
        const bool opens = i + 1 < end && data.at(i + 1).joined;
        if ((pass.joined && !below) || (opens && below))
            continue;
        hit.what = What::Pass;
        hit.pass = i; // the last one drawn lies on top
        hit.count = 1;
    }
}

void hitTransfer(const TimelineScene& scene, TimelineHit& hit)
{
    for (const std::int32_t i : scene.data->transfersTo(hit.device)) {
        const TimedTransfer& transfer = scene.data->timeline().transfers[static_cast<std::size_t>(i)];
        if (static_cast<double>(transfer.start) > hit.time)
            break;
        if (static_cast<double>(transfer.end) > hit.time) {
            hit.what = What::Transfer;
            hit.transfer = i;
        }
    }
}

bool isInSpan(const TimelineScene& scene, const TimelineHit& hit)
{
    const DeviceMetrics& metrics = scene.data->metrics().devices[hit.device.index()];
    return hit.time >= static_cast<double>(metrics.firstStart) && hit.time < static_cast<double>(metrics.lastEnd);
}

} // namespace

TimelineHit hitTest(const TimelineScene& scene, QPointF at)
{
    TimelineHit hit;
    if (!scene.data || scene.data->isEmpty() || at.x() < 0 || at.x() >= scene.width || at.y() < 0
        || at.y() >= scene.height)
        return hit;
    hit.time = scene.map.timeAt(at.x() - scene.labelWidth);
    if (at.y() < TimelineScene::rulerHeight) {
        hit.what = at.x() >= scene.labelWidth ? What::Ruler : What::Nothing;
        return hit;
    }
    const std::int32_t row = scene.layout.rowAt(at.y() - TimelineScene::rulerHeight + scene.scroll);
    if (row < 0)
        return hit;
    hit.device = DeviceId { row };
    if (at.x() < scene.labelWidth) {
        hit.what = What::Label;
        return hit;
    }
    const RowBands bands = scene.bandsAt(row);
    const double column = std::floor(at.x() * scene.ratio) - scene.plotPixel();
    const double top = std::round(bands.passTop * scene.ratio) / scene.ratio;
    const double bottom = std::round((bands.passTop + bands.passHeight) * scene.ratio) / scene.ratio;
    if (at.y() >= top && at.y() < bottom) {
        const double meanPixels = scene.data->meanTicks(hit.device) * scene.map.pixelsPerTick;
        const double middle = top + std::floor((bottom - top) * scene.ratio / 2) / scene.ratio;
        if (passDetail(meanPixels) == PassDetail::Strip)
            hitColumn(scene, column, hit);
        else
            hitBox(scene, column, at.y() >= middle, hit);
        if (hit.count == 0 && isInSpan(scene, hit))
            hit.what = What::Idle;
    } else if (bands.laneHeight > 0 && at.y() >= bands.laneTop && at.y() < bands.laneTop + bands.laneHeight) {
        hitTransfer(scene, hit);
    } else if (bands.memoryHeight > 0 && at.y() >= bands.memoryTop && at.y() < bands.memoryTop + bands.memoryHeight) {
        hit.what = What::Memory;
    }
    return hit;
}

} // namespace pipeloom::designer
