// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_overlays.h"

#include "app/designer/run/plan_readout.h"
#include "app/designer/run/plan_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("pipeloom::designer::PlanView", text); }

class Overlaying {
public:
    Overlaying(QPainter& painter, const PlanScene& scene, const PlanOverlays& overlays)
        : painter_(painter)
        , scene_(scene)
        , theme_(*scene.theme)
        , overlays_(overlays)
    {
    }

    void run()
    {
        painter_.setClipRect(QRectF(0, PlanScene::rulerHeight, scene_.width, scene_.height));
        drawDevice();
        painter_.setClipRect(QRectF(scene_.labelWidth, 0, scene_.plotWidth(), scene_.height));
        drawRange();
        drawNow();
        painter_.setClipRect(QRectF(scene_.labelWidth, PlanScene::rulerHeight, scene_.plotWidth(), scene_.height));
        drawSelection();
        if (overlays_.zoomBox) {
            QColor tint = theme_.accent;
            tint.setAlpha(40);
            painter_.fillRect(*overlays_.zoomBox, tint);
            outline(*overlays_.zoomBox, theme_.accent, 1);
        }
        painter_.setClipRect(QRectF(scene_.labelWidth, 0, scene_.plotWidth(), scene_.height));
        drawHair();
        drawNotice();
        painter_.setClipping(false);
        if (overlays_.range)
            drawPlanReadout(painter_, scene_, *overlays_.range);
        if (overlays_.focused)
            outline(QRectF(0, 0, scene_.width, scene_.height), theme_.accent, 1);
    }

private:
    /// A frame of four fills: crisp at every scale.
    void outline(const QRectF& rect, const QColor& colour, double width)
    {
        painter_.fillRect(QRectF(rect.left(), rect.top(), rect.width(), width), colour);
        painter_.fillRect(QRectF(rect.left(), rect.bottom() - width, rect.width(), width), colour);
        painter_.fillRect(QRectF(rect.left(), rect.top(), width, rect.height()), colour);
        painter_.fillRect(QRectF(rect.right() - width, rect.top(), width, rect.height()), colour);
    }

    void drawDevice()
    {
        if (!overlays_.device || *overlays_.device >= scene_.picture->devices())
            return;
        const PlanBands bands = scene_.bandsAt(*overlays_.device);
        painter_.fillRect(QRectF(0, bands.top, 3, bands.height - 1), theme_.accent);
    }

    void drawRange()
    {
        if (!overlays_.range)
            return;
        const double from = snapped(scene_.xOf(overlays_.range->range.from), scene_.ratio);
        const double to = snapped(scene_.xOf(overlays_.range->range.to), scene_.ratio);
        QColor tint = theme_.accent;
        tint.setAlpha(theme_.dark ? 46 : 30);
        painter_.fillRect(QRectF(from, 0, to - from, scene_.height), tint);
        painter_.fillRect(QRectF(from - 1, 0, 2, scene_.height), theme_.accent);
        painter_.fillRect(QRectF(to - 1, 0, 2, scene_.height), theme_.accent);
    }

    void flag(double x, const QString& text, const QColor& ground, const QColor& ink)
    {
        painter_.setFont(uiFont(11, QFont::DemiBold));
        const double width = QFontMetricsF(painter_.font()).horizontalAdvance(text) + 12;
        const double left
            = std::clamp(x - width / 2, scene_.labelWidth, std::max(scene_.labelWidth, scene_.width - width));
        const QRectF box(left, 2, width, 17);
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(ground);
        painter_.drawRoundedRect(box, 3, 3);
        painter_.setBrush(Qt::NoBrush);
        painter_.setRenderHint(QPainter::Antialiasing, false);
        painter_.setPen(ink);
        painter_.drawText(box, Qt::AlignCenter, text);
    }

    void drawNow()
    {
        const std::optional<Ticks> now = scene_.picture->now();
        if (!now)
            return;
        const double x = snapped(scene_.xOf(*now), scene_.ratio);
        if (x < scene_.labelWidth - 1 || x > scene_.width)
            return;
        const double bottom = scene_.bandsAt(scene_.picture->devices()).top;
        painter_.fillRect(
            QRectF(x - 1, PlanScene::rulerHeight - 6, 2, bottom - PlanScene::rulerHeight + 6), theme_.accent);
        flag(x, tr("now"), theme_.accent, theme_.onAccent);
    }

    void drawSelection()
    {
        if (!overlays_.selected)
            return;
        const PassPlace planned = scene_.picture->findPlanned(*overlays_.selected);
        const PassPlace actual = scene_.picture->findActual(*overlays_.selected);
        if (planned.isThere() && actual.isThere())
            connectStarts(scene_.plannedRect(planned), scene_.actualRect(actual));
        if (planned.isThere())
            mark(scene_.plannedRect(planned));
        if (actual.isThere())
            mark(scene_.actualRect(actual));
    }

    void mark(const QRectF& rect)
    {
        outline(rect.adjusted(-2, -2, 2, 2), theme_.panel, 1);
        outline(rect.adjusted(-1, -1, 1, 1), theme_.accent, 2);
    }

    /// From where it should have started to where it did: how slanted the line is, is how late it was.
    void connectStarts(const QRectF& planned, const QRectF& actual)
    {
        const QPointF from(planned.left(), planned.center().y());
        const QPointF to(actual.left(), actual.center().y());
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setPen(QPen(theme_.panel, 4));
        painter_.drawLine(from, to);
        painter_.setPen(QPen(theme_.accent, 2));
        painter_.drawLine(from, to);
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(theme_.accent);
        painter_.drawEllipse(from, 3, 3);
        painter_.drawEllipse(to, 3, 3);
        painter_.setBrush(Qt::NoBrush);
        painter_.setRenderHint(QPainter::Antialiasing, false);
    }

    void drawHair()
    {
        if (!overlays_.hair || *overlays_.hair < scene_.labelWidth || *overlays_.hair > scene_.width)
            return;
        const double x = snapped(*overlays_.hair, scene_.ratio);
        QColor line = theme_.text;
        line.setAlpha(110);
        painter_.fillRect(QRectF(x, PlanScene::rulerHeight - 4, 1 / scene_.ratio, scene_.height), line);
        flag(x, nanosText(static_cast<Ticks>(scene_.map.timeAt(x - scene_.labelWidth))), theme_.text, theme_.panel);
    }

    void drawNotice()
    {
        if (overlays_.notice.isEmpty())
            return;
        painter_.setFont(uiFont(13));
        const double width = QFontMetricsF(painter_.font()).horizontalAdvance(overlays_.notice) + 28;
        const QRectF box(std::round(scene_.labelWidth + (scene_.plotWidth() - width) / 2),
            std::round(PlanScene::rulerHeight + (scene_.height - PlanScene::rulerHeight) / 2 - 16), width, 32);
        painter_.fillRect(box, theme_.border);
        painter_.fillRect(box.adjusted(1, 1, -1, -1), theme_.panel);
        painter_.setPen(theme_.text);
        painter_.drawText(box, Qt::AlignCenter, overlays_.notice);
    }

    QPainter& painter_;
    const PlanScene& scene_;
    const Theme& theme_;
    const PlanOverlays& overlays_;
};

} // namespace

void paintOverlays(QPainter& painter, const PlanScene& scene, const PlanOverlays& overlays)
{
    Overlaying(painter, scene, overlays).run();
}

} // namespace pipeloom::designer
