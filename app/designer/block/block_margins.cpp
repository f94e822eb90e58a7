// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/block/block_painter.h"
#include "app/designer/schedule/row_labels.h"
#include "core/block/fit.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

void paintRuler(QPainter& painter, const BlockScene& scene)
{
    const QRectF& time = scene.layout->time;
    const Theme& theme = *scene.theme;
    const BuildingBlock& block = scene.block();
    painter.fillRect(QRectF(0, 0, scene.layout->viewport.width(), BlockLayout::rulerHeight), theme.panel);
    painter.save();
    painter.setClipRect(QRectF(time.left() - 8, 0, time.width() + 16, BlockLayout::rulerHeight));
    painter.setFont(uiFont(11));
    const auto xOf = [&](Ticks tick) { return snapped(time.left() + scene.map.xOf(tick), scene.devicePixelRatio); };
    const Ticks step = rulerStep(scene.map.pixelsPerTick, 46, std::max<Ticks>(block.interval, 1));
    const auto last = static_cast<Ticks>(std::ceil(scene.map.timeAt(time.width())));
    for (Ticks tick = std::max<Ticks>(static_cast<Ticks>(scene.map.begin) / step * step, 0); tick <= last;
         tick += step) {
        painter.setPen(theme.muted);
        painter.drawText(QRectF(xOf(tick) + 4, 1, 80, 14), Qt::AlignLeft | Qt::AlignVCenter, QString::number(tick));
        painter.fillRect(QRectF(xOf(tick), 4, 1, 10), theme.gridStrong);
    }
    if (scene.map.pixelsPerTick >= 7)
        for (auto tick = static_cast<Ticks>(std::max(scene.map.begin, 0.0)); tick <= last; ++tick)
            painter.fillRect(QRectF(xOf(tick), BlockLayout::rulerHeight - 5, 1, 5), theme.grid);
    // The legal intervals, one dot each.
    if (scene.legal) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        constexpr double dotGap = 7;
        const bool large = scene.marks && scene.marks->interval;
        const double radius = large ? 3 : 2;
        double before = -dotGap;
        for (const Ticks legal : *scene.legal) {
            const double x = scene.map.xOf(legal);
            if (x < before + dotGap)
                continue; // where ticks are narrow, dots would run into a line
            before = x;
            painter.setBrush(large ? theme.accent : theme.gridStrong.darker(115));
            painter.drawEllipse(QPointF(time.left() + x, BlockLayout::rulerHeight - 10), radius, radius);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    // The interval: a bar from 0 to T with a handle.
    const double left = xOf(0);
    const double right = xOf(block.interval);
    const double y = BlockLayout::rulerHeight - 12;
    const bool hot = scene.hover.part == BlockHover::Part::Interval || (scene.marks && scene.marks->interval);
    painter.fillRect(QRectF(left, y, right - left, 4), theme.accent);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    const double grip = hot ? 4 : 3;
    painter.drawRoundedRect(QRectF(right - grip, y - 4, 2 * grip, 12), 2, 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (hot) {
        painter.setPen(theme.accent);
        painter.setFont(uiFont(11, QFont::DemiBold));
        painter.drawText(QRectF(right + 7, y - 6, 120, 16), Qt::AlignLeft | Qt::AlignVCenter,
            QObject::tr("T = %1").arg(block.interval));
    }
    painter.restore();
    painter.setFont(uiFont(11));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(time.right() + 12, 1, BlockLayout::residueWidth - 12, 14), Qt::AlignLeft | Qt::AlignVCenter,
        QObject::tr("ticks taken, of T"));
}

void paintLabels(QPainter& painter, const BlockScene& scene)
{
    const Design& design = *scene.design;
    const Theme& theme = *scene.theme;
    const QRectF& time = scene.layout->time;
    painter.save();
    painter.setClipRect(QRectF(0, time.top(), BlockLayout::labelWidth, time.height()));
    for (std::int32_t d = 0; d < design.pipeline.devices; ++d) {
        const DeviceId device { d };
        const BlockRow& row = scene.row(device);
        const double top = scene.layout->viewY(row.top, scene.scroll);
        if (top > time.bottom() || top + row.height < time.top())
            continue;
        painter.fillRect(QRectF(0, top, BlockLayout::labelWidth, row.height), theme.panel);
        painter.fillRect(QRectF(0, top + row.height - 1, BlockLayout::labelWidth, 1), theme.border);
        painter.setPen(theme.text);
        const bool roomy = row.height >= 46;
        painter.setFont(uiFont(row.height < 18 ? 10 : 12, QFont::DemiBold));
        const QRectF name(12, roomy ? top + 5 : top, 60, roomy ? 16 : row.height);
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("dev %1").arg(d));
        QStringList stages;
        for (const StageId stage : scene.tables->stagesOn(device))
            stages << QStringLiteral("s%1").arg(stage.value);
        painter.setFont(uiFont(roomy ? 11 : 10));
        painter.setPen(theme.muted);
        const QFontMetrics metrics(painter.font());
        QString list = stages.isEmpty() ? QObject::tr("no stage") : stages.join(QStringLiteral(" · "));
        if (!roomy) {
            constexpr int left = 54;
            const int width = static_cast<int>(BlockLayout::labelWidth) - left - 2;
            if (metrics.horizontalAdvance(list) > width)
                list.remove(QLatin1Char(' '));
            if (metrics.horizontalAdvance(list) > width)
                list.remove(QLatin1Char('s'));
            painter.drawText(QRectF(left, top, width, row.height), Qt::AlignLeft | Qt::AlignVCenter,
                metrics.elidedText(list, Qt::ElideRight, width));
            continue;
        }
        painter.drawText(QRectF(12, top + 21, BlockLayout::labelWidth - 16, 14), Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(list, Qt::ElideRight, static_cast<int>(BlockLayout::labelWidth) - 16));
        const auto& bounds = scene.figures->bounds;
        const auto bound = device.index() < bounds.size() ? bounds[device.index()] : std::nullopt;
        const auto& limit = design.memory.limit[device.index()];
        if (!bound || row.height < 54)
            continue;
        const bool over = limit && *bound > *limit;
        painter.setPen(over ? theme.error : theme.muted);
        const MemoryUnit unit = design.memory.unit;
        QString words = QObject::tr("holds ≤ %1").arg(levelText(*bound, unit));
        if (limit)
            words += QObject::tr(" of %1").arg(levelText(*limit, unit));
        painter.drawText(QRectF(12, top + 35, BlockLayout::labelWidth - 12, 14), Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(words, Qt::ElideRight, static_cast<int>(BlockLayout::labelWidth) - 12));
    }
    painter.restore();
}

/// The ticks taken modulo T, one cell each where there is room.
void paintResidues(QPainter& painter, const BlockScene& scene)
{
    const Theme& theme = *scene.theme;
    const QRectF& time = scene.layout->time;
    const BuildingBlock& block = scene.block();
    const double left = time.right() + 12;
    const double width = BlockLayout::residueWidth - 24;
    painter.fillRect(QRectF(time.right(), time.top(), BlockLayout::residueWidth, time.height()), theme.panel);
    if (block.interval < 1)
        return;
    painter.save();
    painter.setClipRect(QRectF(time.right(), time.top(), BlockLayout::residueWidth, time.height()));
    const double scale = width / static_cast<double>(block.interval);
    for (std::int32_t d = 0; d < scene.design->pipeline.devices; ++d) {
        const DeviceId device { d };
        const BlockRow& row = scene.row(device);
        const double top = snapped(scene.layout->viewY(row.bandTop, scene.scroll), scene.devicePixelRatio);
        if (top > time.bottom() || top + row.height < time.top())
            continue;
        painter.fillRect(QRectF(time.right(), scene.layout->viewY(row.top, scene.scroll) + row.height - 1,
                             BlockLayout::residueWidth, 1),
            theme.border);
        painter.fillRect(QRectF(left, top, width, row.bandHeight), theme.idle);
        std::vector<QRectF> meetings;
        const auto cell = [&](Ticks from, Ticks to) {
            const double x = snapped(left + static_cast<double>(from) * scale, scene.devicePixelRatio);
            const double right = snapped(left + static_cast<double>(to) * scale, scene.devicePixelRatio);
            const double gap = right - x > 5 ? 1 / scene.devicePixelRatio : 0;
            return QRectF(x, top, std::max(right - x - gap, 1 / scene.devicePixelRatio), row.bandHeight);
        };
        for (const TakenTicks& taken : takenTicks(block, device, block.interval)) {
            const QColor& fill = theme.of(block.passes[static_cast<std::size_t>(taken.pass)].slot.first.kind).fill;
            for (Ticks from = taken.residue, rest = std::min(taken.ticks, block.interval); rest > 0;) {
                const Ticks length = std::min(rest, block.interval - from);
                painter.fillRect(cell(from, from + length), fill);
                if (scene.tables->laneOf(taken.pass) != BlockTables::Lane::Whole)
                    meetings.push_back(cell(from, from + length));
                rest -= length;
                from = 0;
            }
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.error, 2));
        for (const QRectF& met : meetings)
            painter.drawRect(met.adjusted(1, 1, -1, -1));
    }
    painter.restore();
}

void paintOffsets(QPainter& painter, const BlockScene& scene)
{
    const Theme& theme = *scene.theme;
    const double top = scene.layout->time.bottom();
    painter.fillRect(QRectF(0, top, scene.layout->viewport.width(), BlockLayout::offsetsHeight), theme.panel);
    painter.fillRect(QRectF(0, top, scene.layout->viewport.width(), 1), theme.border);
    painter.setFont(uiFont(11));
    painter.setPen(theme.muted);
    if (!scene.handles || scene.handles->empty())
        return;
    painter.drawText(QRectF(12, top, BlockLayout::labelWidth - 12, BlockLayout::offsetsHeight),
        Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("Offsets"));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const OffsetHandle& handle : *scene.handles) {
        const bool hot = scene.hover.part == handle.part && scene.hover.index == handle.index;
        painter.setPen(QPen(hot ? theme.accent : theme.border, 1));
        painter.setBrush(hot ? theme.accentSoft : theme.panel);
        painter.drawRoundedRect(handle.rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setPen(hot ? theme.accent : theme.text);
        painter.drawText(handle.rect, Qt::AlignCenter, handle.text);
    }
    painter.restore();
}

} // namespace

std::vector<OffsetHandle> layOutHandles(
    const std::vector<Leg>& legs, const std::vector<Turn>& turns, const BlockLayout& layout)
{
    std::vector<OffsetHandle> handles;
    const QFontMetricsF metrics(uiFont(11));
    double x = layout.time.left();
    const double top = layout.time.bottom() + 5;
    const auto add = [&](BlockHover::Part part, std::size_t index, const std::string& name, std::optional<Ticks> value,
                         bool whole) {
        OffsetHandle handle;
        handle.part = part;
        handle.index = static_cast<std::int32_t>(index);
        handle.text = QString::fromStdString(name) + QStringLiteral("  ")
            + (value        ? QString::number(*value)
                    : whole ? QObject::tr("mixed")
                            : QStringLiteral("–"));
        const double width = std::ceil(metrics.horizontalAdvance(handle.text)) + 20;
        if (x + width > layout.viewport.width() - 8)
            return; // more legs than there is room for: chains of many turns are moved by their passes
        handle.rect = QRectF(x, top, width, 22);
        x += width + 6;
        handles.push_back(handle);
    };
    for (std::size_t i = 0; i < legs.size(); ++i)
        add(BlockHover::Part::Leg, i, legs[i].name, legs[i].offset, legs[i].whole);
    x += 10;
    for (std::size_t i = 0; i < turns.size(); ++i)
        add(BlockHover::Part::Turn, i, turns[i].name, turns[i].offset, turns[i].whole);
    return handles;
}

void paintMargins(QPainter& painter, const BlockScene& scene)
{
    paintLabels(painter, scene);
    paintResidues(painter, scene);
    paintRuler(painter, scene);
    paintOffsets(painter, scene);
    painter.fillRect(QRectF(0, BlockLayout::rulerHeight - 1, scene.layout->viewport.width(), 1), scene.theme->border);
}

} // namespace pipeloom::designer
