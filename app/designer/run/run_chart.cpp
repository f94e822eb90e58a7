// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_chart.h"

#include "app/designer/style/theme.h"

#include <QApplication>
#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainterPath>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

/// Beyond these, stretches are joined: nobody could see the gaps, and each is an object of the scene.
constexpr std::size_t mostPieces = 40;

QPolygonF triangle(const QPointF& tip, double size, bool down)
{
    const double y = down ? tip.y() - size : tip.y() + size;
    return QPolygonF({ tip, QPointF(tip.x() - size * 0.6, y), QPointF(tip.x() + size * 0.6, y) });
}

/// Told apart by shape as well as by colour.
void drawMark(QPainter& painter, RunMark::Kind kind, const QPointF& at, double size, const Theme& theme)
{
    switch (kind) {
    case RunMark::Kind::Checkpoint: // a diamond
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.good);
        painter.drawPolygon(QPolygonF({ at + QPointF(0, -size * 0.6), at + QPointF(size * 0.6, 0),
            at + QPointF(0, size * 0.6), at + QPointF(-size * 0.6, 0) }));
        break;
    case RunMark::Kind::Rollback: // an arrow back
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.warning);
        painter.drawPolygon(QPolygonF({ at + QPointF(-size * 0.7, 0), at + QPointF(size * 0.5, -size * 0.6),
            at + QPointF(size * 0.5, size * 0.6) }));
        break;
    case RunMark::Kind::Skip: // a ring
        painter.setPen(QPen(theme.warning, size * 0.28));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, size * 0.5, size * 0.5);
        break;
    case RunMark::Kind::NotFinite: // a cross
        painter.setPen(QPen(theme.error, size * 0.28));
        painter.drawLine(at + QPointF(-size * 0.5, -size * 0.5), at + QPointF(size * 0.5, size * 0.5));
        painter.drawLine(at + QPointF(-size * 0.5, size * 0.5), at + QPointF(size * 0.5, -size * 0.5));
        break;
    }
}

QString labelFormat(double step)
{
    const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
    return QString("%.%1f").arg(std::clamp(decimals, 0, 9));
}

} // namespace

RunChart::RunChart(const QString& objectName, const QString& accessibleName, QWidget* parent)
    : QChartView(new QChart, parent)
    , steps_(new QValueAxis)
    , values_(new QValueAxis)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setFrameShape(NoFrame);
    // Tab comes to the view itself, once. In this order: the view is the viewport's focus proxy and takes over what that is given.
    viewport()->setFocusPolicy(Qt::NoFocus);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(FullViewportUpdate); // what lies in front belongs to no item of the scene
    setMinimumSize(120, 80);
    chart()->legend()->hide();
    chart()->setMargins(QMargins(4, 6, 10, 4));
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setBackgroundRoundness(0);
    chart()->addAxis(steps_, Qt::AlignBottom);
    chart()->addAxis(values_, Qt::AlignLeft);
    steps_->setTickType(QValueAxis::TicksDynamic);
    values_->setTickType(QValueAxis::TicksDynamic);
    steps_->setLabelFormat("%.0f");
    dress();
}

int RunChart::scaled(int pixels) const { return pixels * QApplication::font().pixelSize() / 13; }

void RunChart::dress()
{
    const Theme& theme = themeOf(this);
    chart()->setBackgroundBrush(theme.panel);
    chart()->setBackgroundPen(Qt::NoPen);
    setBackgroundBrush(theme.panel);
    for (QValueAxis* axis : { steps_, values_ }) {
        axis->setLabelsFont(uiFont(scaled(11)));
        axis->setLabelsColor(theme.muted);
        axis->setGridLineColor(theme.grid);
        axis->setLinePenColor(theme.border);
    }
    steps_->setGridLineVisible(false);
    values_->setLineVisible(false);
}

void RunChart::setContent(ChartContent content)
{
    content_ = std::move(content);
    setAxes();
    const Theme& theme = themeOf(this);
    showPieces(other_, content_.other, theme.muted, 1.2);
    showPieces(curve_, content_.curve, content_.colour, 1.6);
    viewport()->update();
}

void RunChart::setAxes()
{
    const double last = std::max(content_.lastStep, content_.firstStep + 1);
    const double first = content_.firstStep;
    // Setting a range lays the chart out anew, so only where it is another one.
    if (steps_->min() != first || steps_->max() != last)
        steps_->setRange(first, last);
    const double across = std::max(tickStep(first, last, std::max(width() / scaled(90), 2)), 1.0);
    if (steps_->tickInterval() != across)
        steps_->setTickInterval(across);
    const double top = content_.most > content_.least ? content_.most : content_.least + 1;
    const double up = tickStep(content_.least, top, std::max(height() / scaled(52), 2));
    const double low = std::floor(content_.least / up + 1e-9) * up;
    const double high = std::ceil(top / up - 1e-9) * up;
    if (values_->tickInterval() != up) {
        values_->setTickInterval(up);
        values_->setLabelFormat(labelFormat(up));
    }
    if (values_->min() != low || values_->max() != high)
        values_->setRange(low, high);
}

void RunChart::showPieces(std::vector<QLineSeries*>& series, const StepCurve& curve, const QColor& colour, double width)
{
    std::vector<QList<QPointF>> lines;
    for (const std::vector<QPointF>& piece : curve.pieces) {
        if (lines.size() < mostPieces)
            lines.emplace_back();
        lines.back() += QList<QPointF>(piece.begin(), piece.end());
        if (piece.size() == 1 && lines.back().size() == 1)
            lines.back() += piece.front() + QPointF(0.3, 0); // a line of one point would not be seen
    }
    while (series.size() > lines.size()) {
        chart()->removeSeries(series.back());
        delete series.back();
        series.pop_back();
    }
    for (std::size_t at = 0; at < lines.size(); ++at) {
        if (at == series.size()) {
            series.push_back(new QLineSeries);
            chart()->addSeries(series.back());
            series.back()->attachAxis(steps_);
            series.back()->attachAxis(values_);
        }
        series[at]->setPen(QPen(colour, width));
        series[at]->replace(lines[at]);
    }
}

QPointF RunChart::place(double step, double value) const
{
    const QRectF plot = chart()->plotArea();
    const double x = (step - steps_->min()) / (steps_->max() - steps_->min());
    const double y = (value - values_->min()) / (values_->max() - values_->min());
    return { plot.left() + x * plot.width(), plot.bottom() - y * plot.height() };
}

std::optional<std::int64_t> RunChart::stepAt(const QPointF& position) const
{
    const QRectF plot = chart()->plotArea();
    if (!plot.adjusted(-6, -6, 6, 20).contains(position) || plot.width() < 1)
        return std::nullopt;
    const double share = std::clamp((position.x() - plot.left()) / plot.width(), 0.0, 1.0);
    return std::llround(steps_->min() + share * (steps_->max() - steps_->min()));
}

void RunChart::drawForeground(QPainter* painter, const QRectF&)
{
    const QRectF plot = chart()->plotArea();
    if (plot.width() < 4 || plot.height() < 4)
        return;
    const Theme& theme = themeOf(this);
    painter->save();
    drawLevels(*painter, plot);
    if (content_.shownStep && *content_.shownStep >= steps_->min() && *content_.shownStep <= steps_->max()) {
        const double x = place(*content_.shownStep, 0).x();
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->fillRect(QRectF(std::floor(x), plot.top(), 1, plot.height()), theme.accent);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.accent);
        painter->drawPolygon(triangle(QPointF(std::floor(x) + 0.5, plot.top() + scaled(5)), scaled(5), true));
    }
    drawMarks(*painter, plot);
    if (hasFocus()) {
        painter->setPen(theme.accent);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(viewport()->rect()).adjusted(1.5, 1.5, -1.5, -1.5));
    }
    painter->restore();
}

void RunChart::drawLevels(QPainter& painter, const QRectF& plot) const
{
    const Theme& theme = themeOf(this);
    painter.setFont(uiFont(scaled(10)));
    double lastLabel = -1000;
    for (const ChartLevel& level : content_.levels) {
        const double share = (level.value - values_->min()) / (values_->max() - values_->min());
        if (share < 0 || share > 1)
            continue;
        const double y = std::round(plot.bottom() - share * plot.height()) + 0.5;
        painter.setPen(QPen(theme.muted, 1, Qt::DashLine));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        if (std::abs(y - lastLabel) < scaled(13))
            continue; // it would lie on the name of the line before
        lastLabel = y;
        const QRectF room(plot.left() + 4, y - scaled(15), plot.width() - 8, scaled(14));
        painter.setPen(theme.muted);
        painter.drawText(room.top() > plot.top() ? room : room.translated(0, scaled(16)),
            Qt::AlignRight | Qt::AlignBottom, level.name);
    }
}

void RunChart::drawMarks(QPainter& painter, const QRectF& plot) const
{
    const Theme& theme = themeOf(this);
    const double size = scaled(9);
    const auto xOf = [&](double step) {
        return plot.left() + (step - steps_->min()) / (steps_->max() - steps_->min()) * plot.width();
    };
    double last = -1000;
    for (const RunMark& mark : content_.marks) {
        const double x = xOf(static_cast<double>(mark.step));
        if (x < plot.left() - 1 || x > plot.right() + 1)
            continue;
        if (mark.kind == RunMark::Kind::Checkpoint) {
            if (x - last < 3)
                continue; // they are as good as one
            last = x;
        }
        drawMark(painter, mark.kind, QPointF(x, plot.bottom() - size * 0.7), size, theme);
    }
    for (const double step : content_.curve.gaps)
        drawMark(painter, RunMark::Kind::NotFinite, QPointF(xOf(step), plot.top() + size * 1.6), size, theme);
    painter.setPen(Qt::NoPen);
    painter.setBrush(content_.colour);
    for (const std::vector<QPointF>& piece : content_.curve.pieces)
        for (const QPointF& point : piece)
            if (point.y() > values_->max())
                painter.drawPolygon(triangle(QPointF(xOf(point.x()), plot.top() - scaled(1)), scaled(6), false));
}

void RunChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        if (const std::optional<std::int64_t> step = stepAt(event->position()))
            Q_EMIT stepChosen(*step);
    event->accept();
}

void RunChart::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<std::int64_t> step = stepAt(event->position());
    const QString said = step && content_.tip ? content_.tip(static_cast<double>(*step)) : QString();
    viewport()->setCursor(step ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (said.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(), said, this);
}

void RunChart::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        Q_EMIT stepMoved(-1);
        break;
    case Qt::Key_Right:
        Q_EMIT stepMoved(1);
        break;
    case Qt::Key_PageUp:
        Q_EMIT stepMoved(-10);
        break;
    case Qt::Key_PageDown:
        Q_EMIT stepMoved(10);
        break;
    case Qt::Key_Home:
        Q_EMIT stepChosen(std::llround(content_.firstStep));
        break;
    default:
        event->ignore(); // End is the window's: it follows the run again
        return;
    }
    event->accept();
}

void RunChart::wheelEvent(QWheelEvent* event) { event->ignore(); }

void RunChart::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    setAxes();
}

void RunChart::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    const bool isFont = event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange;
    if (event->type() == QEvent::PaletteChange || isFont) {
        dress();
        setContent(content_);
    }
}

bool RunChart::event(QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        viewport()->update();
    return QChartView::event(event);
}

} // namespace pipeloom::designer
