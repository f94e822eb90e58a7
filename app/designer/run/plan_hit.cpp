// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_hit.h"

#include "app/designer/run/plan_scene.h"
#include "app/designer/schedule/pass_raster.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

using What = PlanHit::What;

bool isIn(double y, double top, double height, double ratio)
{
    return height > 0 && y >= snapped(top, ratio) && y < snapped(top + height, ratio);
}

void hitRow(const TimelineRow& row, const RowPlace& place, QPointF at, bool planned, PlanHit& hit)
{
    const double column = std::floor(at.x() * place.ratio) - place.plotPixel();
    const double top = snapped(place.top, place.ratio);
    const double bottom = snapped(place.top + place.height, place.ratio);
    const double middle = top + std::floor((bottom - top) * place.ratio / 2) / place.ratio;
    RowHit found;
    bool isMerged = false;
    if (rowDetail(row, place.map.pixelsPerTick) == PassDetail::Strip) {
        const ColumnHit in = passesInColumn(row, place, column);
        found = in.hit;
        isMerged = in.averaged || found.count > 1;
    } else {
        found = passInColumn(row, place, column, at.y() >= middle);
    }
    hit.count = found.count;
    if (found.count == 0)
        return;
    hit.pass = { hit.device, static_cast<std::int32_t>(found.pass) };
    hit.what
        = planned ? (isMerged ? What::MergedPlanned : What::Planned) : (isMerged ? What::MergedActual : What::Actual);
}

void hitGap(const RunPicture& picture, PlanHit& hit)
{
    const std::vector<RunGap>& gaps = picture.gaps(hit.device);
    const auto gap
        = std::ranges::partition_point(gaps, [&](const RunGap& g) { return static_cast<double>(g.to) <= hit.time; });
    hit.what = What::Idle;
    if (gap != gaps.end() && static_cast<double>(gap->from) <= hit.time)
        hit.gap = static_cast<std::int32_t>(gap - gaps.begin());
}

} // namespace

PlanHit hitTest(const PlanScene& scene, QPointF at)
{
    PlanHit hit;
    if (!scene.picture || scene.picture->isEmpty() || at.x() < 0 || at.x() >= scene.width || at.y() < 0
        || at.y() >= scene.height)
        return hit;
    hit.time = scene.map.timeAt(at.x() - scene.labelWidth);
    if (at.y() < PlanScene::rulerHeight) {
        hit.what = at.x() >= scene.labelWidth ? What::Ruler : What::Nothing;
        return hit;
    }
    const std::int32_t row = scene.rowAt(at.y());
    if (row < 0)
        return hit;
    hit.device = DeviceId { row };
    if (at.x() < scene.labelWidth) {
        hit.what = What::Label;
        return hit;
    }
    const PlanBands bands = scene.bandsAt(row);
    if (isIn(at.y(), bands.planTop, bands.planHeight, scene.ratio)) {
        hitRow(scene.planned(row), scene.plannedPlace(row), at, true, hit);
    } else if (isIn(at.y(), bands.passTop, bands.passHeight, scene.ratio)) {
        hitRow(scene.actual(row), scene.actualPlace(row), at, false, hit);
        if (hit.what == What::Nothing)
            hitGap(*scene.picture, hit);
    } else if (isIn(at.y(), bands.memoryTop, bands.memoryHeight, scene.ratio)) {
        hit.what = What::Memory;
    }
    return hit;
}

} // namespace pipeloom::designer
