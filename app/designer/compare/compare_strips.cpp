// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/compare/compare_strips.h"

#include "app/designer/compare/compare_model.h"
#include "app/designer/compare/compare_table.h"
#include "app/designer/schedule/pass_raster.h"
#include "app/designer/style/theme.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

constexpr int labelWidth = 64;
constexpr int gap = 14;

int scaled(int pixels) { return pixels * QApplication::font().pixelSize() / 13; }
int rulerHeight() { return scaled(24); }
int titleHeight() { return scaled(22); }

} // namespace

CompareStrips::CompareStrips(CompareList& list, TimeAxis& axis, QWidget* parent)
    : QAbstractScrollArea(parent)
    , list_(list)
    , axis_(axis)
{
    setObjectName("compareStrips");
    setAccessibleName(tr("Timelines side by side"));
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(&list_, &CompareList::structureChanged, this, &CompareStrips::take);
    connect(&list_, &CompareList::figuresChanged, this, &CompareStrips::take);
    connect(&axis_, &TimeAxis::changed, viewport(), qOverload<>(&QWidget::update));
    take();
}

void CompareStrips::take()
{
    Ticks last = 1;
    for (const ComparedDesign& each : list_.designs())
        if (each.figures && each.figures->plan.simulated()) {
            const double factor = each.design->costs.tickUs / list_.designs().front().design->costs.tickUs;
            const auto end = static_cast<double>(each.figures->plan.metrics.lastEnd) * factor;
            last = std::max(last, static_cast<Ticks>(std::ceil(end - 1e-9)));
        }
    axis_.setBounds(0, last);
    placeScrollBar();
    viewport()->update();
}

int CompareStrips::rowHeight(int design) const
{
    const int devices = list_.designs()[static_cast<std::size_t>(design)].design->pipeline.devices;
    return scaled(devices <= 4 ? 14 : devices <= 8 ? 12 : devices <= 16 ? 8 : 4);
}

int CompareStrips::heightOf(int design) const
{
    const ComparedDesign& each = list_.designs()[static_cast<std::size_t>(design)];
    return titleHeight() + each.design->pipeline.devices * rowHeight(design) + gap;
}

QRect CompareStrips::rowsRect(int design) const
{
    int y = rulerHeight() - verticalScrollBar()->value();
    for (int above = 0; above < design; ++above)
        y += heightOf(above);
    const int devices = list_.designs()[static_cast<std::size_t>(design)].design->pipeline.devices;
    return { labelWidth, y + titleHeight(), std::max(viewport()->width() - labelWidth, 1),
        devices * rowHeight(design) };
}

TimeMap CompareStrips::mapOf(int design) const
{
    const double factor = list_.designs()[static_cast<std::size_t>(design)].design->costs.tickUs
        / list_.designs().front().design->costs.tickUs;
    return { axis_.map().begin / factor, axis_.map().pixelsPerTick * factor };
}

double CompareStrips::xOf(int design, Ticks time) const { return labelWidth + mapOf(design).xOf(time); }

void CompareStrips::placeScrollBar()
{
    int height = rulerHeight();
    for (int design = 0; design < list_.size(); ++design)
        height += heightOf(design);
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(scaled(20));
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
}

/// All rows go into one image, whose bits are written.
void CompareStrips::paintRows(const QRect& clip)
{
    const double ratio = devicePixelRatioF();
    const auto pixels = [ratio](double at) { return static_cast<int>(std::lround(at * ratio)); };
    const QSize size(pixels(viewport()->width()), pixels(viewport()->height()));
    if (image_.size() != size)
        image_ = QImage(size, QImage::Format_RGB32);
    const Theme& theme = themeOf(this);
    image_.fill(theme.panel);
    const PassTones tones(theme, ColourMode::Kind);
    PassRaster raster(image_, ratio);
    for (int design = 0; design < list_.size(); ++design) {
        const ComparedDesign& each = list_.designs()[static_cast<std::size_t>(design)];
        const QRect rows = rowsRect(design);
        if (!each.data || each.data->isEmpty() || !rows.intersects(clip))
            continue;
        const TimeMap shown = mapOf(design);
        const TimeMap map { shown.begin, shown.pixelsPerTick * ratio };
        for (std::int32_t d = 0; d < each.data->devices(); ++d) {
            const double top = rows.top() + d * rowHeight(design);
            const int from = pixels(top);
            const int space = rowHeight(design) >= 8 ? pixels(1) : 0;
            const PixelRect area { pixels(rows.left()), from, pixels(rows.width()),
                std::max(pixels(top + rowHeight(design)) - from - space, 1) };
            const DeviceMetrics& device = each.data->metrics().devices[static_cast<std::size_t>(d)];
            const double begin = std::max(map.xOf(device.firstStart), 0.0);
            const double end = std::min(map.xOf(device.lastEnd), static_cast<double>(area.width));
            if (end > begin)
                fillPixels(image_,
                    { area.x + static_cast<int>(begin), area.y, static_cast<int>(end - begin), area.height },
                    theme.idle.rgb());
            const PassDetail detail = passDetail(each.data->meanTicks(DeviceId { d }) * shown.pixelsPerTick);
            if (detail == PassDetail::Strip)
                raster.drawStrip(each.data->row(DeviceId { d }), map, area, tones.shares());
            else
                raster.drawPasses(each.data->row(DeviceId { d }), map, area, tones, PassDetail::Plain);
        }
    }
    image_.setDevicePixelRatio(ratio);
}

void CompareStrips::paintTitles(QPainter& painter, const QRect& clip) const
{
    const Theme& theme = themeOf(this);
    const double tickUs = list_.designs().empty() ? 1 : list_.designs().front().design->costs.tickUs;
    for (int design = 0; design < list_.size(); ++design) {
        const ComparedDesign& each = list_.designs()[static_cast<std::size_t>(design)];
        const QRect rows = rowsRect(design);
        const QRect title(12, rows.top() - titleHeight(), viewport()->width() - 20, titleHeight());
        if (!title.united(rows).intersects(clip))
            continue;
        painter.fillRect(QRect(0, rows.top(), labelWidth, rows.height()), theme.panel);
        painter.fillRect(QRect(title.left(), title.center().y() - 4, 9, 9), compareColour(design));
        painter.setPen(theme.text);
        painter.setFont(uiFont(scaled(12), QFont::DemiBold));
        const int left = title.left() + 16;
        painter.drawText(title.adjusted(16, 0, 0, 0), Qt::AlignVCenter, each.name);
        const int wide = painter.fontMetrics().horizontalAdvance(each.name);
        QString more = tr("being made…");
        if (each.compared)
            more = tr("%1 ticks").arg(comparedNumber(each.compared->stepUs / tickUs));
        else if (each.figures)
            more = each.problem;
        painter.setFont(uiFont(scaled(12)));
        painter.setPen(each.figures && !each.compared ? theme.error : theme.muted);
        const QRect rest(left + wide + 12, title.top(), title.right() - left - wide - 12, title.height());
        painter.drawText(rest, Qt::AlignVCenter, painter.fontMetrics().elidedText(more, Qt::ElideRight, rest.width()));
        painter.setPen(theme.muted);
        painter.setFont(uiFont(scaled(10)));
        if (rowHeight(design) >= scaled(12))
            for (int d = 0; d < each.design->pipeline.devices; ++d)
                painter.drawText(QRect(12, rows.top() + d * rowHeight(design), labelWidth - 20, rowHeight(design)),
                    Qt::AlignVCenter | Qt::AlignLeft, tr("dev %1").arg(d));
    }
    if (list_.size() > 1 && list_.designs().front().compared) {
        const double x = xOf(0, list_.designs().front().figures->plan.metrics.lastEnd);
        if (x > labelWidth) {
            painter.setPen(QPen(theme.muted, 1, Qt::DashLine));
            painter.drawLine(QPointF(x, rulerHeight()), QPointF(x, viewport()->height()));
        }
    }
}

void CompareStrips::paintRuler(QPainter& painter) const
{
    const Theme& theme = themeOf(this);
    painter.fillRect(QRect(0, 0, viewport()->width(), rulerHeight()), theme.panel);
    painter.fillRect(QRect(0, rulerHeight() - 1, viewport()->width(), 1), theme.border);
    painter.setFont(uiFont(scaled(11)));
    painter.setPen(theme.muted);
    const TimeMap& map = axis_.map();
    const Ticks step = rulerStep(map.pixelsPerTick, 64);
    const auto first = static_cast<Ticks>(std::floor(map.begin / static_cast<double>(step))) * step;
    for (Ticks at = std::max<Ticks>(first, 0);; at += step) {
        const double x = labelWidth + map.xOf(at);
        if (x > viewport()->width())
            break;
        if (x < labelWidth)
            continue;
        painter.fillRect(QRectF(x, rulerHeight() - 6, 1, 5), theme.gridStrong);
        painter.drawText(
            QRectF(x + 3, 0, 80, rulerHeight() - 2), Qt::AlignVCenter | Qt::AlignLeft, QString::number(at));
    }
}

void CompareStrips::paintEvent(QPaintEvent* event)
{
    paintRows(event->rect());
    QPainter painter(viewport());
    painter.drawImage(0, 0, image_);
    paintTitles(painter, event->rect());
    paintRuler(painter);
    if (hasFocus()) {
        painter.setPen(themeOf(this).accent);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void CompareStrips::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    axis_.setWidth(viewport()->width() - labelWidth - 8);
    placeScrollBar();
}

void CompareStrips::scrollContentsBy(int, int) { viewport()->update(); }

void CompareStrips::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier)
        axis_.zoomAt(event->position().x() - labelWidth, std::pow(1.0015, angle.y()));
    else if (event->modifiers() & Qt::ShiftModifier)
        axis_.panBy(-(angle.y() != 0 ? angle.y() : angle.x()));
    else {
        if (angle.x() != 0)
            axis_.panBy(-angle.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - angle.y() / 2);
    }
    event->accept();
}

void CompareStrips::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton)
        panFrom_ = event->position().toPoint().x();
}

void CompareStrips::mouseMoveEvent(QMouseEvent* event)
{
    if (panFrom_ < 0)
        return;
    const int x = event->position().toPoint().x();
    axis_.panBy(panFrom_ - x);
    panFrom_ = x;
}

void CompareStrips::mouseReleaseEvent(QMouseEvent*) { panFrom_ = -1; }

void CompareStrips::keyPressEvent(QKeyEvent* event)
{
    const double middle = (viewport()->width() - labelWidth) / 2.0;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_A:
        axis_.panBy(-60);
        break;
    case Qt::Key_Right:
    case Qt::Key_D:
        axis_.panBy(60);
        break;
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        axis_.zoomAt(middle, 1.25);
        break;
    case Qt::Key_S:
    case Qt::Key_Minus:
        axis_.zoomAt(middle, 0.8);
        break;
    case Qt::Key_0:
        axis_.fit();
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

QString CompareStrips::wordsAt(QPoint at) const
{
    for (int design = 0; design < list_.size(); ++design) {
        const QRect rows = rowsRect(design);
        const ComparedDesign& each = list_.designs()[static_cast<std::size_t>(design)];
        if (!rows.contains(at) || at.y() < rulerHeight() || !each.data || each.data->isEmpty())
            continue;
        const DeviceId device { std::min((at.y() - rows.top()) / rowHeight(design), each.data->devices() - 1) };
        const double time = mapOf(design).timeAt(at.x() - labelWidth);
        const PassIndex pass = each.data->runningAt(device, time);
        if (pass < 0)
            return tr("%1, device %2: idle").arg(each.name).arg(device.value);
        const TimedPass& timed = each.data->at(pass);
        return tr("%1, device %2: %3 from %4 to %5")
            .arg(each.name)
            .arg(device.value)
            .arg(QString::fromStdString(text(timed.pass)))
            .arg(timed.start)
            .arg(timed.end);
    }
    return {};
}

bool CompareStrips::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), wordsAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void CompareStrips::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void CompareStrips::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void CompareStrips::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange)
        placeScrollBar();
    viewport()->update();
}

} // namespace pipeloom::designer
