// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/block/block_painter.h"

#include "app/designer/schedule/row_labels.h"
#include "app/designer/view/pass_look.h"
#include "core/block/block_index.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pipeloom::designer {

namespace {

constexpr double leastGridPixels = 7;
constexpr double leastPassPixels = 3;
constexpr int ghostCopies = 2;

void paintGrid(QPainter& painter, const BlockScene& scene, double top, double bottom)
{
    const QRectF& time = scene.layout->time;
    const Ticks interval = std::max<Ticks>(scene.block().interval, 1);
    const auto line = [&](Ticks tick, const QColor& colour) {
        const double x = snapped(time.left() + scene.map.xOf(tick), scene.devicePixelRatio);
        if (x >= time.left() && x <= time.right())
            painter.fillRect(QRectF(x, top, 1 / scene.devicePixelRatio, bottom - top), colour);
    };
    const auto first = static_cast<Ticks>(std::floor(std::max(scene.map.begin, 0.0)));
    const auto last = static_cast<Ticks>(std::ceil(scene.map.timeAt(time.width())));
    if (scene.map.pixelsPerTick >= leastGridPixels)
        for (Ticks tick = first; tick <= last; ++tick)
            line(tick, scene.theme->grid);
    const Ticks step = rulerStep(scene.map.pixelsPerTick, leastGridPixels, interval);
    for (Ticks tick = first / step * step; tick <= last; tick += step)
        line(tick, scene.theme->gridStrong);
}

/// Stacked shares of a row whose passes are too narrow to be told apart, one column a pixel.
void paintStrip(QPainter& painter, const BlockScene& scene, DeviceId device)
{
    const BlockRow& row = scene.row(device);
    const QRectF& time = scene.layout->time;
    const double top = scene.layout->viewY(row.bandTop, scene.scroll);
    const auto columns = static_cast<std::size_t>(std::ceil(time.width()));
    std::vector<std::array<float, 3>> shares(columns, { 0, 0, 0 });
    for (const std::int32_t i : scene.tables->row(device)) {
        const BlockPass& placed = scene.block().passes[static_cast<std::size_t>(i)];
        const double from = std::max(scene.map.xOf(placed.start), 0.0);
        const double to
            = std::min(scene.map.xOf(placed.start + scene.block().duration(placed.slot)), static_cast<double>(columns));
        const std::size_t kind = placed.slot.first.kind == PassKind::F ? 0
            : placed.slot.first.kind == PassKind::W                    ? 2
                                                                       : 1;
        for (auto column = static_cast<std::size_t>(from); static_cast<double>(column) < to; ++column)
            shares[column][kind] += static_cast<float>(
                std::min(to, static_cast<double>(column) + 1) - std::max(from, static_cast<double>(column)));
    }
    const std::array<QColor, 3> colours { scene.theme->forward.fill, scene.theme->backward.fill,
        scene.theme->weights.fill };
    for (std::size_t column = 0; column < columns; ++column) {
        double bottom = top + row.bandHeight;
        for (std::size_t kind = 0; kind < 3; ++kind) {
            const double height = row.bandHeight * static_cast<double>(std::min(shares[column][kind], 1.0F));
            painter.fillRect(
                QRectF(time.left() + static_cast<double>(column), bottom - height, 1, height), colours[kind]);
            bottom -= height;
        }
    }
}

void paintGhosts(QPainter& painter, const BlockScene& scene, DeviceId device)
{
    const BuildingBlock& block = scene.block();
    for (const std::int32_t i : scene.tables->row(device)) {
        const BlockPass& placed = block.passes[static_cast<std::size_t>(i)];
        const Ticks ticks = block.duration(placed.slot);
        const PassColours& colours = scene.theme->of(placed.slot.first.kind);
        const bool weights = placed.slot.first.kind == PassKind::W;
        QColor edge = scene.theme->dark ? colours.edge : colours.fill;
        edge.setAlphaF(scene.theme->dark ? (weights ? 0.4F : 0.6F) : (weights ? 0.75F : 0.45F));
        for (int copy = 1; copy <= ghostCopies; ++copy) {
            const QRectF box
                = passBox(scene.row(device), *scene.layout, scene.map, placed.start + copy * block.interval, ticks,
                    BlockTables::Lane::Whole, scene.scroll, scene.devicePixelRatio);
            if (box.left() > scene.layout->time.right() || box.width() < leastPassPixels)
                continue;
            const double line = 1 / scene.devicePixelRatio;
            painter.fillRect(QRectF(box.left(), box.top(), box.width(), line), edge);
            painter.fillRect(QRectF(box.left(), box.bottom() - line, box.width(), line), edge);
            painter.fillRect(QRectF(box.left(), box.top(), line, box.height()), edge);
            painter.fillRect(QRectF(box.right() - line, box.top(), line, box.height()), edge);
        }
    }
}

QString passLabel(const Pass& pass, const BuildingBlock& block, double width, const QFontMetricsF& metrics)
{
    const QString whole = QString::fromStdString(blockText(pass, block));
    const QString stage = QString::number(pass.stage.value);
    return fittingLabel({ whole, stage + QLatin1String(text(pass.kind)), stage }, width, metrics);
}

void paintPass(QPainter& painter, const BlockScene& scene, std::int32_t index, const QFontMetricsF& metrics)
{
    const BuildingBlock& block = scene.block();
    const BlockPass& placed = block.passes[static_cast<std::size_t>(index)];
    const QRectF box = scene.boxOf(index);
    if (box.right() < scene.layout->time.left() || box.left() > scene.layout->time.right())
        return;
    const std::int32_t chunk = scene.tables->chunkOf(index);
    const auto half = [&](const Pass& pass, const QRectF& rect) {
        drawPass(painter, rect,
            { scene.theme->of(pass.kind), pass.kind, chunk, passLabel(pass, block, rect.width(), metrics) },
            *scene.theme);
    };
    if (!placed.slot.isPair()) {
        half(placed.slot.first, box);
        return;
    }
    const double middle = snapped(box.center().y(), scene.devicePixelRatio);
    half(placed.slot.first, QRectF(box.topLeft(), QPointF(box.right(), middle)));
    half(placed.slot.second, QRectF(QPointF(box.left(), middle), box.bottomRight()));
}

void paintLifespans(QPainter& painter, const BlockScene& scene, DeviceId device)
{
    const BlockRow& row = scene.row(device);
    const Design& design = *scene.design;
    const auto bars = lifespanBars(scene.block(), *scene.tables, device);
    const bool onlySelected = row.barStep == 0;
    const auto isSelected = [&](StageId stage) {
        return std::any_of(scene.selected->begin(), scene.selected->end(), [&](std::int32_t i) {
            return scene.block().passes[static_cast<std::size_t>(i)].slot.first.stage == stage
                && scene.block().passes[static_cast<std::size_t>(i)].device == device;
        });
    };
    painter.setFont(uiFont(11));
    const QFontMetricsF metrics(painter.font());
    for (const LifespanBar& bar : bars) {
        if (onlySelected && !isSelected(bar.stage))
            continue;
        const double y = onlySelected ? scene.layout->viewY(row.bandTop + row.bandHeight - 4, scene.scroll)
                                      : scene.layout->viewY(row.barTop + row.barStep * bar.chunk, scene.scroll);
        const double thickness = onlySelected ? 4 : std::clamp(row.barStep - 5, 3.0, 7.0);
        const double left = scene.layout->time.left() + scene.map.xOf(bar.begin);
        const double right = scene.layout->time.left() + scene.map.xOf(bar.end);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(bar.chunk == 0 ? scene.theme->lifespan : scene.theme->lifespanSoft);
        painter.drawRoundedRect(QRectF(left, y, right - left, thickness), thickness / 2, thickness / 2);
        painter.setRenderHint(QPainter::Antialiasing, false);
        if (!row.barText && !isSelected(bar.stage))
            continue;
        const Ticks life = bar.end - bar.begin;
        QString words = QObject::tr("s%1 lives %2 → holds ⌈%2/%3⌉ = %4")
                            .arg(bar.stage.value)
                            .arg(life)
                            .arg(scene.block().interval)
                            .arg((life + scene.block().interval - 1) / scene.block().interval);
        if (bar.members > 1)
            words += QObject::tr(" · %1 members, together %2").arg(bar.members).arg(bar.holds);
        if (design.memory.unit == MemoryUnit::Byte)
            words += QStringLiteral(" · ")
                + levelText(bar.holds * design.memory.change.of(PassKind::F, bar.stage), design.memory.unit);
        const double width = metrics.horizontalAdvance(words);
        const double x = std::min(right + 6, scene.layout->time.right() - width - 4);
        const QRectF place(x, y + thickness / 2 - 7, width + 2, 14);
        if (x < right + 6)
            painter.fillRect(place.adjusted(-3, 1, 1, -1), scene.theme->panel);
        painter.setPen(scene.theme->muted);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, words);
    }
}

} // namespace

QRectF BlockScene::boxOf(std::int32_t pass) const
{
    const BlockPass& placed = block().passes[static_cast<std::size_t>(pass)];
    return passBox(row(placed.device), *layout, map, placed.start, block().duration(placed.slot), tables->laneOf(pass),
        scroll, devicePixelRatio);
}

void paintRows(QPainter& painter, const BlockScene& scene)
{
    const BuildingBlock& block = scene.block();
    const QRectF& time = scene.layout->time;
    painter.save();
    painter.setClipRect(QRectF(time.left(), time.top(), time.width(), time.height()));
    const double bottom = std::min(time.bottom(), scene.layout->viewY(scene.layout->contentHeight, scene.scroll));
    paintGrid(painter, scene, time.top(), bottom);
    Ticks work = 0;
    for (const BlockPass& placed : block.passes)
        work += block.duration(placed.slot);
    const double meanWidth = block.passes.empty()
        ? 0
        : scene.map.pixelsPerTick * static_cast<double>(work) / static_cast<double>(block.passes.size());
    for (std::int32_t d = 0; d < scene.design->pipeline.devices; ++d) {
        const DeviceId device { d };
        const BlockRow& row = scene.row(device);
        const double top = scene.layout->viewY(row.top, scene.scroll);
        if (top > time.bottom() || top + row.height < time.top())
            continue;
        painter.fillRect(QRectF(time.left(), top + row.height - 1, time.width(), 1), scene.theme->border);
        if (meanWidth > 0 && meanWidth < leastPassPixels) {
            paintStrip(painter, scene, device);
        } else {
            if (scene.ghosts)
                paintGhosts(painter, scene, device);
            painter.setFont(uiFont(row.bandHeight < 20 ? 10 : 12, QFont::Medium));
            const QFontMetricsF metrics(painter.font());
            for (const std::int32_t i : scene.tables->row(device))
                paintPass(painter, scene, i, metrics);
        }
        paintLifespans(painter, scene, device);
    }
    painter.restore();
}

void paintBlock(QPainter& painter, const BlockScene& scene)
{
    paintBehind(painter, scene);
    paintRows(painter, scene);
    paintOverlays(painter, scene);
    paintMargins(painter, scene);
    paintReason(painter, scene);
}

} // namespace pipeloom::designer
