// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/timeline_hit.h"

#include "app/designer/schedule/pass_raster.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

using What = TimelineHit::What;

/// The passes in the column, or else those that its tone is the average of.
void hitColumn(const TimelineScene& scene, double column, TimelineHit& hit)
{
    const ColumnHit found = passesInColumn(scene.data->row(hit.device), scene.placeOf(hit.device), column);
    hit.count = found.hit.count;
    if (hit.count == 0)
        return;
    hit.pass = scene.data->rowBegin(hit.device) + static_cast<PassIndex>(found.hit.pass);
    hit.what = hit.count == 1 && !found.averaged ? What::Pass : What::Merged;
}

void hitBox(const TimelineScene& scene, double column, bool below, TimelineHit& hit)
{
    const RowHit found = passInColumn(scene.data->row(hit.device), scene.placeOf(hit.device), column, below);
    hit.count = found.count;
    if (hit.count == 0)
        return;
    hit.pass = scene.data->rowBegin(hit.device) + static_cast<PassIndex>(found.pass);
    hit.what = What::Pass;
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
