// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_scene.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

PlanBands PlanScene::bandsAt(std::int32_t device) const
{
    PlanBands bands;
    bands.top = rulerHeight - scroll + device * rowHeight;
    bands.height = rowHeight;
    const bool hasMemory = memory && rowHeight >= memoryFrom;
    const double pad = rowHeight >= 40 ? 6 : rowHeight >= 20 ? 3 : 1;
    const double between = rowHeight >= 40 ? 4 : 1;
    const double room = rowHeight - 2 * pad - between - 1; // for the two rows of passes
    if (hasMemory) {
        bands.planHeight = std::clamp(std::round(rowHeight * 0.15), 12.0, 20.0);
        bands.passHeight = std::clamp(std::round(rowHeight * 0.25), 18.0, 32.0);
        bands.memoryHeight = room - bands.planHeight - bands.passHeight - 5;
    } else {
        bands.planHeight = std::clamp(std::floor(room * 0.38), 2.0, 20.0);
        bands.passHeight = std::clamp(room - bands.planHeight, 3.0, 34.0);
    }
    bands.planTop = bands.top + pad;
    bands.passTop = bands.planTop + bands.planHeight + between;
    if (hasMemory)
        bands.memoryTop = bands.passTop + bands.passHeight + 7;
    return bands;
}

std::int32_t PlanScene::rowAt(double y) const
{
    const double in = y - rulerHeight + scroll;
    if (!picture || y < rulerHeight || in < 0 || in >= picture->devices() * rowHeight)
        return -1;
    return static_cast<std::int32_t>(in / rowHeight);
}

std::int32_t PlanScene::firstRow() const
{
    return std::clamp(static_cast<std::int32_t>(scroll / rowHeight), 0, picture->devices());
}

std::int32_t PlanScene::endRow() const
{
    const double bottom = (scroll + height - rulerHeight) / rowHeight;
    return std::clamp(static_cast<std::int32_t>(std::ceil(bottom)), firstRow(), picture->devices());
}

RowPlace PlanScene::plannedPlace(std::int32_t device) const
{
    const PlanBands bands = bandsAt(device);
    return { map, labelWidth, plotWidth(), bands.planTop, bands.planHeight, ratio };
}

RowPlace PlanScene::actualPlace(std::int32_t device) const
{
    const PlanBands bands = bandsAt(device);
    return { map, labelWidth, plotWidth(), bands.passTop, bands.passHeight, ratio };
}

QRectF PlanScene::plannedRect(PassPlace pass) const
{
    return plannedPlace(pass.device.value).rectOf(planned(pass.device.value), static_cast<std::size_t>(pass.at));
}

QRectF PlanScene::actualRect(PassPlace pass) const
{
    return actualPlace(pass.device.value).rectOf(actual(pass.device.value), static_cast<std::size_t>(pass.at));
}

PassDetail rowDetail(const TimelineRow& row, double pixelsPerTick)
{
    const PassDetail detail = passDetail(row.meanTicks * pixelsPerTick);
    if (detail != PassDetail::Strip || row.passes.empty())
        return detail;
    constexpr double farApart = 4; // pixels from one to the next
    const double apart = static_cast<double>(row.lastEnd - row.firstStart) / static_cast<double>(row.passes.size());
    return apart * pixelsPerTick >= farApart ? PassDetail::Plain : PassDetail::Strip;
}

double fittingPlanRow(double available, std::int32_t rows)
{
    constexpr double leastReadable = 16;
    constexpr double mostUseful = 132;
    return std::clamp(std::floor(available / std::max(rows, 1)), leastReadable, mostUseful);
}

} // namespace pipeloom::designer
