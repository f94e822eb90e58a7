// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/quantities.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Quantities", text); }

QString counted(std::int64_t number, const char* one, const char* many)
{
    return QString("%1 %2").arg(number).arg(number == 1 ? tr(one) : tr(many));
}

QString placementText(const Pipeline& pipeline)
{
    if (pipeline.routeCount() > 1)
        return counted(pipeline.routeCount(), "route", "routes");
    switch (pipeline.kind) {
    case PlacementKind::Linear:
        return tr("linear");
    case PlacementKind::Interleaved:
        return tr("interleaved");
    case PlacementKind::V:
        return tr("V");
    case PlacementKind::List:
        break;
    }
    return tr("placed by list");
}

} // namespace

QString ticksText(Ticks ticks) { return counted(ticks, "tick", "ticks"); }

QString timeText(Ticks ticks, double tickUs)
{
    static constexpr std::array<const char*, 3> units { "µs", "ms", "s" };
    double value = static_cast<double>(ticks) * tickUs;
    std::size_t unit = 0;
    for (; unit + 1 < units.size() && std::abs(value) >= 1000; ++unit)
        value /= 1000;
    return QString("%1 %2").arg(value, 0, 'g', 4).arg(units[unit]);
}

QString shareText(double share) { return QString("%1 %").arg(100 * share, 0, 'f', 1); }

QString amountText(Bytes amount, MemoryUnit unit)
{
    if (unit == MemoryUnit::Activation)
        return counted(amount, "activation", "activations");
    static constexpr std::array<const char*, 6> units { "kB", "MB", "GB", "TB", "PB", "EB" };
    if (std::abs(amount) < 1000)
        return QString("%1 B").arg(amount);
    double value = static_cast<double>(amount) / 1000;
    std::size_t at = 0;
    for (; at + 1 < units.size() && std::abs(value) >= 1000; ++at)
        value /= 1000;
    return QString("%1 %2").arg(value, 0, 'f', std::abs(value) < 100 ? 2 : 1).arg(units[at]);
}

QString sizesLine(const Design& design)
{
    const Pipeline& pipeline = design.pipeline;
    return QString("%1 · %2 (%3) · %4")
        .arg(counted(pipeline.devices, "device", "devices"), counted(pipeline.stages, "stage", "stages"),
            placementText(pipeline), counted(pipeline.microBatches, "micro-batch", "micro-batches"));
}

QString figuresLine(const Figures& figures)
{
    const Metrics& metrics = figures.plan.metrics;
    if (!figures.planned || metrics.devices.empty())
        return {};
    const Design& design = *figures.planned;
    std::size_t worst = 0;
    for (std::size_t device = 1; device < metrics.devices.size(); ++device)
        if (metrics.devices[device].peak > metrics.devices[worst].peak)
            worst = device;
    QStringList parts { QString("%1 (%2)").arg(
                            ticksText(metrics.makespan()), timeText(metrics.makespan(), design.costs.tickUs)),
        tr("idle %1").arg(shareText(metrics.idleShare())),
        tr("own-span bubble %1").arg(shareText(metrics.ownSpanBubble())),
        tr("peak %1").arg(amountText(metrics.devices[worst].peak, design.memory.unit)) };
    if (const auto& limit = design.memory.limit[worst])
        parts << tr("limit %1").arg(amountText(*limit, design.memory.unit));
    return parts.join(" · ");
}

} // namespace pipeloom::designer
