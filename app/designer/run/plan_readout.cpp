// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_readout.h"

#include "app/designer/run/plan_scene.h"
#include "app/designer/run/plan_text.h"
#include "app/designer/schedule/range_readout.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("pipeloom::designer::PlanView", text); }

} // namespace

void drawPlanReadout(QPainter& painter, const PlanScene& scene, const PlanRange& range)
{
    const std::size_t most = readoutRows(scene.height - PlanScene::rulerHeight);
    std::vector<std::size_t> order(range.devices.size());
    std::iota(order.begin(), order.end(), 0);
    if (order.size() > most)
        std::ranges::stable_sort(order, std::greater {}, [&](std::size_t d) { return range.devices[d].waiting; });
    order.resize(std::min(order.size(), most));
    RangeReadout readout;
    readout.title = nanosText(range.range.length());
    const double whole = static_cast<double>(std::max<Ticks>(range.all.whole(), 1));
    readout.summary = range.all.whole() > 0 ? tr("compute %1 %, %2 passes")
                                                  .arg(static_cast<double>(range.all.compute) / whole * 100, 0, 'f', 1)
                                                  .arg(range.all.passes)
                                            : tr("nothing measured here");
    readout.rows.push_back({ QString(), tr("compute"), tr("transfer"), tr("waiting"), tr("own") });
    for (const std::size_t d : order) {
        const PlanDeviceRange& own = range.devices[d];
        readout.rows.push_back({ tr("dev %1").arg(d), nanosText(own.compute), nanosText(own.transfer),
            nanosText(own.waiting), nanosText(own.own) });
    }
    if (range.devices.size() > most)
        readout.rest = tr("the %1 of %2 devices that wait most").arg(order.size()).arg(range.devices.size());
    drawReadout(painter, readout, { scene.labelWidth, scene.width, PlanScene::rulerHeight + 4 },
        { scene.xOf(range.range.from), scene.xOf(range.range.to) }, *scene.theme);
}

} // namespace pipeloom::designer
