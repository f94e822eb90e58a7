// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/block/block_links.h"
#include "app/designer/block/block_painter.h"
#include "core/block/block_index.h"
#include "core/block/fit.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

void outline(
    QPainter& painter, const QRectF& rect, const QColor& colour, double width, Qt::PenStyle style = Qt::SolidLine)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, width, style));
    painter.drawRect(rect.adjusted(-width / 2 + 0.5, -width / 2 + 0.5, width / 2 - 0.5, width / 2 - 0.5));
}

/// The ticks that the other passes of the row take, in every interval, tinted along it.
void paintTint(QPainter& painter, const BlockScene& scene)
{
    if (!scene.marks || !scene.marks->tint)
        return;
    const BuildingBlock& block = scene.block();
    const BlockRow& row = scene.row(*scene.marks->tint);
    const QRectF& time = scene.layout->time;
    const double top = scene.layout->viewY(row.top, scene.scroll) + 1;
    for (const TakenTicks& taken : takenTicks(block, *scene.marks->tint, block.interval)) {
        const auto& moved = scene.marks->moved;
        if (std::find(moved.begin(), moved.end(), taken.pass) != moved.end())
            continue;
        const double shown = scene.map.timeAt(time.width());
        for (Ticks from = taken.residue - block.interval; static_cast<double>(from) < shown; from += block.interval) {
            const double left = std::max(scene.map.xOf(from), std::max(scene.map.xOf(Ticks { 0 }), 0.0));
            const double right = std::min(scene.map.xOf(from + taken.ticks), time.width());
            if (right <= left)
                continue;
            QColor tint = scene.theme->errorSoft;
            tint.setAlphaF(0.8F);
            painter.fillRect(QRectF(time.left() + left, top, right - left,
                                 row.barTop > 0 ? row.barTop - row.top - 4 : row.height - 2),
                tint);
        }
    }
}

/// Colliding passes in red, the copy of the earlier one that is met dashed where the later one stands.
void paintCollisions(QPainter& painter, const BlockScene& scene)
{
    const BuildingBlock& block = scene.block();
    if (block.interval < 1)
        return;
    painter.setFont(uiFont(10));
    for (std::int32_t d = 0; d < scene.design->pipeline.devices; ++d)
        for (const Collision& meeting : collisions(block, DeviceId { d }, block.interval)) {
            const BlockPass& earlier = block.passes[static_cast<std::size_t>(meeting.earlier)];
            const BlockPass& later = block.passes[static_cast<std::size_t>(meeting.later)];
            const Ticks copies = (later.start - earlier.start + block.interval / 2) / block.interval;
            outline(painter, scene.boxOf(meeting.earlier), scene.theme->error, 2);
            outline(painter, scene.boxOf(meeting.later), scene.theme->error, 2);
            if (copies < 1)
                continue;
            const QRectF copy
                = passBox(scene.row(DeviceId { d }), *scene.layout, scene.map, earlier.start + copies * block.interval,
                    block.duration(earlier.slot), BlockTables::Lane::Upper, scene.scroll, scene.devicePixelRatio);
            painter.fillRect(copy, scene.theme->panel);
            outline(painter, copy, scene.theme->error, 1, Qt::DashLine);
            painter.setPen(scene.theme->error);
            const QString name = QString::fromStdString(blockText(earlier.slot.first, block));
            if (QFontMetricsF(painter.font()).horizontalAdvance(name) + 2 <= copy.width())
                painter.drawText(copy, Qt::AlignCenter, name);
        }
}

void paintArrow(QPainter& painter, QPointF from, QPointF to, const QColor& colour, Qt::PenStyle style)
{
    const double reach = std::clamp(std::abs(to.x() - from.x()) / 2, 14.0, 60.0);
    QPainterPath path(from);
    path.cubicTo(from + QPointF(reach, 0), to - QPointF(reach, 0), to);
    QPen pen(colour, 1.6, style);
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    QPolygonF head { to, to + QPointF(-7, -3.5), to + QPointF(-7, 3.5) };
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(head);
}

/// Arrows to what the selected pass needs (solid) and feeds (dashed).
void paintArrows(QPainter& painter, const BlockScene& scene)
{
    if (scene.selected->size() != 1 || (scene.marks && scene.marks->moved.size() > 1))
        return;
    const std::int32_t selected = *scene.selected->begin();
    const BuildingBlock& block = scene.block();
    const BlockIndex index(block, scene.design->pipeline);
    if (!index.unknown().empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const auto leftOf = [&](std::int32_t i) {
        const QRectF box = scene.boxOf(i);
        return QPointF(box.left(), box.center().y());
    };
    const auto rightOf = [&](std::int32_t i) {
        const QRectF box = scene.boxOf(i);
        return QPointF(box.right(), box.center().y());
    };
    for (const std::int32_t input : neededBy(block, scene.design->pipeline, index, selected))
        paintArrow(painter, rightOf(input), leftOf(selected), scene.theme->needs, Qt::SolidLine);
    for (const std::int32_t fed : fedBy(block, scene.design->pipeline, index, selected))
        paintArrow(painter, rightOf(selected), leftOf(fed), scene.theme->feeds, Qt::DashLine);
    painter.restore();
}

/// The chain of passes that a hot handle moves.
void paintHotLeg(QPainter& painter, const BlockScene& scene)
{
    const BuildingBlock& block = scene.block();
    std::int32_t first = 0;
    std::int32_t last = 0;
    PassKind kind = PassKind::F;
    if (scene.hover.part == BlockHover::Part::Leg && scene.legs
        && static_cast<std::size_t>(scene.hover.index) < scene.legs->size()) {
        const Leg& leg = (*scene.legs)[static_cast<std::size_t>(scene.hover.index)];
        first = std::min(leg.first.value, leg.last.value);
        last = std::max(leg.first.value, leg.last.value);
        kind = leg.kind;
    } else {
        return;
    }
    for (const std::size_t i : [&] {
             std::vector<std::size_t> found;
             for (std::size_t at = 0; at < block.passes.size(); ++at) {
                 const Pass& pass = block.passes[at].slot.first;
                 const bool sameKind = kind == PassKind::F ? pass.kind == PassKind::F : givesInputGradient(pass.kind);
                 if (sameKind && pass.stage.value >= first && pass.stage.value <= last)
                     found.push_back(at);
             }
             return found;
         }())
        outline(painter, scene.boxOf(static_cast<std::int32_t>(i)), scene.theme->accent, 2);
}

void paintTarget(QPainter& painter, const BlockScene& scene)
{
    if (!scene.marks || !scene.marks->target)
        return;
    const BuildingBlock& block = scene.block();
    const BlockRow& row = scene.row(*scene.marks->target);
    const QRectF& time = scene.layout->time;
    outline(painter,
        QRectF(time.left() + 1, scene.layout->viewY(row.top, scene.scroll) + 1, time.width() - 2, row.height - 3),
        scene.theme->accent, 1);
    for (const BlockPass& placed : block.passes)
        if (placed.slot.first.stage == scene.marks->targetStage)
            outline(painter,
                passBox(row, *scene.layout, scene.map, placed.start, block.duration(placed.slot),
                    BlockTables::Lane::Whole, scene.scroll, scene.devicePixelRatio),
                scene.theme->accent, 2, Qt::DashLine);
}

} // namespace

void paintBehind(QPainter& painter, const BlockScene& scene)
{
    painter.fillRect(QRectF(QPointF(0, 0), scene.layout->viewport), scene.theme->panel);
    painter.save();
    painter.setClipRect(scene.layout->time);
    paintTint(painter, scene);
    painter.restore();
}

void paintOverlays(QPainter& painter, const BlockScene& scene)
{
    painter.save();
    painter.setClipRect(scene.layout->time);
    for (const std::int32_t i : *scene.selected)
        outline(painter, scene.boxOf(i), scene.theme->accent, 2);
    paintCollisions(painter, scene);
    if (scene.marks && scene.marks->swapWith >= 0)
        outline(painter, scene.boxOf(scene.marks->swapWith), scene.theme->good, 3, Qt::DashLine);
    paintHotLeg(painter, scene);
    paintTarget(painter, scene);
    paintArrows(painter, scene);
    if (scene.caret) {
        const QRectF cell = passBox(scene.row(scene.caret->first), *scene.layout, scene.map, scene.caret->second, 1,
            BlockTables::Lane::Whole, scene.scroll, scene.devicePixelRatio);
        outline(painter, cell, scene.theme->accent, 2, Qt::DotLine);
    }
    painter.restore();
}

void paintReason(QPainter& painter, const BlockScene& scene)
{
    if (!scene.marks || scene.marks->reason.empty())
        return;
    painter.setFont(uiFont(12));
    const QString words = QString::fromStdString(scene.marks->reason);
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(words) + 20;
    const double height = 24;
    const QPointF& at = scene.marks->reasonAt;
    const double left = std::clamp(at.x() - width / 2, 4.0, std::max(scene.layout->viewport.width() - width - 4, 4.0));
    double top = at.y() - height - 18;
    if (top < 2)
        top = at.y() + 26;
    const QRectF bubble(left, top, width, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(scene.theme->dark ? QColor("#e7e9ed") : QColor("#1b1e23"));
    painter.drawRoundedRect(bubble, 4, 4);
    painter.setPen(scene.theme->dark ? QColor("#1b1e23") : QColor("#f3f4f6"));
    painter.drawText(bubble, Qt::AlignCenter, words);
    painter.restore();
}

} // namespace pipeloom::designer
