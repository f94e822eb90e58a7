// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/timeline_overlays.h"

#include "app/designer/schedule/range_readout.h"
#include "app/designer/schedule/row_labels.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

class Overlaying {
public:
    Overlaying(QPainter& painter, const TimelineScene& scene, const TimelineOverlays& overlays)
        : painter_(painter)
        , scene_(scene)
        , theme_(*scene.theme)
        , overlays_(overlays)
    {
    }

    void run()
    {
        painter_.setClipRect(QRectF(scene_.labelWidth, 0, scene_.plotWidth(), scene_.height));
        drawMarks();
        drawRange();
        drawEndBefore();
        painter_.setClipRect(QRectF(scene_.labelWidth, TimelineScene::rulerHeight, scene_.plotWidth(), scene_.height));
        drawCriticalPath();
        drawHits();
        drawSelection();
        drawMove();
        if (overlays_.zoomBox) {
            QColor tint = theme_.accent;
            tint.setAlpha(40);
            painter_.fillRect(*overlays_.zoomBox, tint);
            outline(*overlays_.zoomBox, theme_.accent, 1);
        }
        painter_.setClipRect(QRectF(scene_.labelWidth, 0, scene_.plotWidth(), scene_.height));
        drawHair();
        painter_.setClipping(false);
        if (overlays_.range)
            drawRangeReadout(painter_, scene_, *overlays_.range);
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

    bool isSeen(const QRectF& rect) const
    {
        return rect.right() >= scene_.labelWidth - 1 && rect.left() <= scene_.width
            && rect.bottom() >= TimelineScene::rulerHeight && rect.top() <= scene_.height;
    }

    void drawMarks()
    {
        for (const TimeRange& mark : overlays_.marks) {
            const double from = snapped(scene_.xOf(mark.from), scene_.ratio);
            const double to = snapped(scene_.xOf(mark.to), scene_.ratio);
            QColor tint = theme_.note;
            tint.setAlpha(22);
            painter_.fillRect(QRectF(from, 0, to - from, scene_.height), tint);
            painter_.fillRect(QRectF(from, 0, 1, scene_.height), theme_.note);
            painter_.fillRect(QRectF(to - 1, 0, 1, scene_.height), theme_.note);
            painter_.fillRect(QRectF(from, 0, to - from, 2), theme_.note);
        }
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

    void drawEndBefore()
    {
        if (!overlays_.endBefore)
            return;
        const double x = snapped(scene_.xOf(*overlays_.endBefore), scene_.ratio);
        for (double y = 2; y < scene_.height; y += 9)
            painter_.fillRect(QRectF(x, y, 1, 5), theme_.muted);
    }

    void drawCriticalPath()
    {
        std::optional<QPointF> before;
        for (const PathStep& step : overlays_.criticalPath) {
            const RowBands bands = scene_.bandsAt(step.isTransfer ? step.to.value : step.device.value);
            const double left = snapped(std::clamp(scene_.xOf(step.start), -16.0, scene_.width + 16), scene_.ratio);
            const double right = snapped(std::clamp(scene_.xOf(step.end), -16.0, scene_.width + 16), scene_.ratio);
            QRectF rect(left, bands.passTop, std::max(right - left, 1.0), bands.passHeight);
            if (step.isTransfer)
                rect = QRectF(left, bands.laneTop, rect.width(), std::max(bands.laneHeight, 2.0));
            if (before && std::abs(before->y() - rect.center().y()) > 1)
                joinPath(*before, QPointF(rect.left(), rect.center().y()));
            before = QPointF(rect.right(), rect.center().y());
            if (!isSeen(rect))
                continue;
            if (rect.width() > 5 && rect.height() > 5)
                outline(rect, theme_.critical, 2);
            else
                painter_.fillRect(QRectF(rect.left(), rect.bottom() - std::min(3.0, rect.height()), rect.width(),
                                      std::min(3.0, rect.height())),
                    theme_.critical);
        }
    }

    void joinPath(const QPointF& from, const QPointF& to)
    {
        if (std::max(from.x(), to.x()) < scene_.labelWidth || std::min(from.x(), to.x()) > scene_.width)
            return;
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setPen(QPen(theme_.critical, 1.2));
        painter_.drawLine(from, to);
        painter_.setRenderHint(QPainter::Antialiasing, false);
    }

    void drawHits()
    {
        constexpr std::size_t most = 4000; // outlines of more would only cover the picture
        std::size_t drawn = 0;
        for (const PassIndex hit : overlays_.hits) {
            if (drawn >= most)
                break;
            const QRectF rect = scene_.rectOf(hit);
            if (!isSeen(rect))
                continue;
            outline(rect.adjusted(-1, -1, 1, 1), theme_.warning, hit == overlays_.currentHit ? 3 : 1.5);
            ++drawn;
        }
    }

    void drawSelection()
    {
        for (const PassIndex pass : overlays_.selected) {
            if (overlays_.wholeChain)
                drawChain(pass);
            else
                drawNeighbours(pass);
        }
        for (const PassIndex pass : overlays_.selected) {
            const QRectF rect = scene_.rectOf(pass);
            if (!isSeen(rect))
                continue;
            outline(rect.adjusted(-2, -2, 2, 2), theme_.panel, 1);
            outline(rect.adjusted(-1, -1, 1, 1), theme_.accent, 2);
        }
    }

    void drawNeighbours(PassIndex pass)
    {
        for (const PassIndex need : scene_.data->needs(pass))
            arrow(scene_.rectOf(need), scene_.rectOf(pass), theme_.needs, Qt::SolidLine);
        for (const PassIndex feed : scene_.data->feeds(pass))
            arrow(scene_.rectOf(pass), scene_.rectOf(feed), theme_.feeds, Qt::DashLine);
    }

    void drawChain(PassIndex pass)
    {
        const Ticks start = scene_.data->at(pass).start;
        for (const PassIndex other : scene_.data->chain(pass)) {
            const bool before = scene_.data->at(other).end <= start;
            const QColor& colour = before ? theme_.needs : theme_.feeds;
            for (const PassIndex need : scene_.data->needs(other))
                if (before || scene_.data->at(need).start >= start)
                    arrow(scene_.rectOf(need), scene_.rectOf(other), colour, before ? Qt::SolidLine : Qt::DashLine);
            const QRectF rect = scene_.rectOf(other);
            if (isSeen(rect))
                outline(rect.adjusted(-1, -1, 1, 1), colour, 1.5);
        }
        drawNeighbours(pass);
    }

    /// From the end of one pass to the start of another.
    void arrow(const QRectF& maker, const QRectF& user, const QColor& colour, Qt::PenStyle style)
    {
        const bool sameRow = std::abs(maker.center().y() - user.center().y()) < 1;
        const QPointF from(maker.right() - 1, sameRow ? maker.top() : maker.center().y());
        const QPointF to(user.left() + 1, sameRow ? user.top() : user.center().y());
        if (std::max(from.x(), to.x()) < scene_.labelWidth || std::min(from.x(), to.x()) > scene_.width)
            return;
        const double pull = std::clamp(std::abs(to.x() - from.x()) / 2, 14.0, 60.0);
        QPainterPath path(from);
        if (sameRow && to.x() - from.x() > 4)
            path.cubicTo(from + QPointF(0, -10), to + QPointF(0, -10), to);
        else if (sameRow)
            path.lineTo(to);
        else
            path.cubicTo(from + QPointF(pull, 0), to - QPointF(pull, 0), to);
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(theme_.panel, 3.6));
        painter_.drawPath(path);
        QPen pen(colour, 1.8);
        pen.setStyle(style);
        if (style == Qt::DashLine)
            pen.setDashPattern({ 3, 2 });
        painter_.setPen(pen);
        painter_.drawPath(path);
        drawHead(path, to, colour);
        painter_.setRenderHint(QPainter::Antialiasing, false);
    }

    void drawHead(const QPainterPath& path, const QPointF& to, const QColor& colour)
    {
        const QPointF back = path.pointAtPercent(std::max(0.0, 1 - 6 / std::max(path.length(), 7.0)));
        const QPointF along = to - back;
        const double length = std::hypot(along.x(), along.y());
        if (length <= 0)
            return;
        const QPointF unit = along / length;
        const QPointF across(-unit.y(), unit.x());
        const QPointF head[3] { to, to - unit * 6 + across * 3, to - unit * 6 - across * 3 };
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(colour);
        painter_.drawPolygon(head, 3);
        painter_.setBrush(Qt::NoBrush);
    }

    void drawMove()
    {
        if (overlays_.moving < 0 || !overlays_.dropAt)
            return;
        const QRectF rect = scene_.rectOf(overlays_.moving);
        const QColor& colour = overlays_.dropIsRefused ? theme_.error : theme_.accent;
        outline(rect.adjusted(-1, -1, 1, 1), colour, 2);
        painter_.fillRect(QRectF(*overlays_.dropAt - 1, rect.top() - 4, 2, rect.height() + 8), colour);
    }

    void drawHair()
    {
        if (!overlays_.hair || *overlays_.hair < scene_.labelWidth)
            return;
        const double x = snapped(*overlays_.hair, scene_.ratio);
        QColor line = theme_.text;
        line.setAlpha(110);
        painter_.fillRect(QRectF(x, TimelineScene::rulerHeight - 4, 1 / scene_.ratio, scene_.height), line);
        const auto time = static_cast<qlonglong>(std::floor(scene_.map.timeAt(x - scene_.labelWidth)));
        const QString text = QLocale().toString(time);
        painter_.setFont(uiFont(11));
        const double width = QFontMetricsF(painter_.font()).horizontalAdvance(text) + 10;
        const double left = std::clamp(x - width / 2, scene_.labelWidth, scene_.width - width);
        const QRectF box(left, 2, width, 17);
        painter_.fillRect(box, theme_.text);
        painter_.setPen(theme_.panel);
        painter_.drawText(box, Qt::AlignCenter, text);
    }

    QPainter& painter_;
    const TimelineScene& scene_;
    const Theme& theme_;
    const TimelineOverlays& overlays_;
};

} // namespace

void paintOverlays(QPainter& painter, const TimelineScene& scene, const TimelineOverlays& overlays)
{
    Overlaying(painter, scene, overlays).run();
}

} // namespace pipeloom::designer
