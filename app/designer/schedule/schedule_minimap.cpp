// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/schedule_minimap.h"

#include "app/designer/schedule/pass_raster.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {
constexpr double margin = 4; // above and below the lines
constexpr double grip = 7;   // an edge is taken from so far away
} // namespace

ScheduleMinimap::ScheduleMinimap(TimeAxis& axis, QWidget* parent)
    : QWidget(parent)
    , axis_(axis)
{
    setObjectName("schedule.minimap");
    setAccessibleName(tr("Overview of the schedule"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(tr("Drag an edge or the window, drag outside for a new one, click to jump"));
    connect(&axis_, &TimeAxis::changed, this, qOverload<>(&QWidget::update));
}

void ScheduleMinimap::setData(ScheduleDataPtr schedule)
{
    data_ = schedule && !schedule->isEmpty() ? std::move(schedule) : nullptr;
    hits_.clear();
    currentHit_ = -1;
    pictureIsStale_ = true;
    update();
}

void ScheduleMinimap::setHits(const std::vector<PassIndex>& hits, PassIndex current)
{
    hits_ = hits;
    currentHit_ = current;
    update();
}

void ScheduleMinimap::setFade(double fade)
{
    fade_ = fade;
    pictureIsStale_ = true;
    update();
}

void ScheduleMinimap::setPlot(double left, double width)
{
    if (left == left_ && width == width_)
        return;
    left_ = left;
    width_ = std::max(width, 1.0);
    pictureIsStale_ = true;
    update();
}

TimeMap ScheduleMinimap::wholeMap() const
{
    const auto first = static_cast<double>(axis_.first());
    const auto length = static_cast<double>(std::max<Ticks>(axis_.last() - axis_.first(), 1));
    return { first, width_ / (length * 1.012) }; // the axis's own margin at the end
}

double ScheduleMinimap::xOf(double time) const { return left_ + wholeMap().xOf(time); }

double ScheduleMinimap::timeAt(double x) const { return wholeMap().timeAt(x - left_); }

QRectF ScheduleMinimap::window() const
{
    const double end = axis_.map().timeAt(width_);
    const double from = std::max(xOf(axis_.map().begin), left_);
    const double to = std::min({ xOf(end), left_ + width_, width() - 2.0 });
    return { from, 1, std::max(to - from, 3.0), height() - 2.0 };
}

void ScheduleMinimap::paintPicture()
{
    const double ratio = devicePixelRatioF();
    const QSize size(
        static_cast<int>(std::ceil(width_ * ratio)), static_cast<int>(std::lround((height() - 2 * margin) * ratio)));
    if (picture_.size() != size)
        picture_ = QImage(size.expandedTo({ 1, 1 }), QImage::Format_RGB32);
    picture_.setDevicePixelRatio(ratio);
    const Theme& theme = themeOf(this);
    picture_.fill(theme.panel);
    pictureIsStale_ = false;
    const PassTones tones(theme, ColourMode::Kind, fade_);
    PassRaster raster(picture_, ratio);
    const TimeMap map { wholeMap().begin, wholeMap().pixelsPerTick * ratio };
    const std::int32_t rows = data_->devices();
    const int height = picture_.height();
    // With more devices than pixel lines only as many are drawn, evenly chosen.
    const int lines = std::min(rows, height);
    for (int line = 0; line < lines; ++line) {
        const DeviceId device { static_cast<std::int32_t>(std::int64_t { line } * rows / lines) };
        const int top = static_cast<int>(std::int64_t { line } * height / lines);
        const int bottom = static_cast<int>(std::int64_t { line + 1 } * height / lines);
        const int gap = bottom - top >= 5 ? 1 : 0;
        const PixelRect area { 0, top, picture_.width(), bottom - top - gap };
        if (passDetail(data_->meanTicks(device) * wholeMap().pixelsPerTick) == PassDetail::Strip)
            paintHeat(device, map, area.y, area.height);
        else
            raster.drawPasses(data_->row(device), map, area, tones, PassDetail::Plain);
    }
}

void ScheduleMinimap::paintHeat(DeviceId device, const TimeMap& map, int top, int height)
{
    const Theme& theme = themeOf(this);
    const QColor full = mixed(theme.forward.fill, theme.panel, 0.25 + fade_ / 2);
    std::vector<ColumnShares> shares;
    averagedShares(data_->row(device), map, static_cast<std::size_t>(picture_.width()), shares);
    std::vector<QRgb> line(shares.size());
    for (std::size_t x = 0; x < line.size(); ++x)
        line[x] = mixed(theme.panel, full, std::min(1.0F, shares[x].busy())).rgb();
    for (int y = top; y < top + height; ++y)
        std::copy(line.begin(), line.end(), reinterpret_cast<QRgb*>(picture_.scanLine(y)));
}

void ScheduleMinimap::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    if (!data_)
        return;
    if (pictureIsStale_ || picture_.devicePixelRatio() != devicePixelRatioF())
        paintPicture();
    painter.drawImage(QPointF(left_, margin), picture_);
    const QRectF shown = window();
    QColor shade = theme.window;
    shade.setAlpha(170);
    painter.fillRect(QRectF(left_, 0, shown.left() - left_, height()), shade);
    painter.fillRect(QRectF(shown.right(), 0, left_ + width_ - shown.right(), height()), shade);
    for (const PassIndex hit : hits_) {
        const auto& pass = data_->at(hit);
        const double x = xOf(static_cast<double>(pass.start + pass.end) / 2);
        const bool current = hit == currentHit_;
        painter.fillRect(QRectF(x - (current ? 1 : 0), 0, current ? 3 : 1, height()), theme.warning);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, hasFocus() ? 2.4 : 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(shown.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    for (const double x : { shown.left(), shown.right() })
        painter.drawRoundedRect(QRectF(x - 2, height() / 2.0 - 7, 4, 14), 2, 2);
}

void ScheduleMinimap::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    pictureIsStale_ = true;
}

void ScheduleMinimap::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        pictureIsStale_ = true;
    QWidget::changeEvent(event);
}

ScheduleMinimap::Gesture ScheduleMinimap::gestureAt(double x) const
{
    const QRectF shown = window();
    const double left = std::abs(x - shown.left());
    const double right = std::abs(x - shown.right());
    // A narrow window must still be there to be moved.
    const double reach = std::min(grip, shown.width() / 3);
    if (std::min(left, right) <= std::max(reach, 2.0) || (x < shown.left() && left <= grip)
        || (x > shown.right() && right <= grip))
        return left < right ? Gesture::LeftEdge : Gesture::RightEdge;
    return shown.left() < x && x < shown.right() ? Gesture::Inside : Gesture::Outside;
}

/// Shows [from, to] without a step in the history of what was shown: a drag comes here at every move.
void ScheduleMinimap::slideTo(double from, double to)
{
    axis_.zoomAt(0, (axis_.map().timeAt(width_) - axis_.map().begin) / std::max(to - from, 1e-9));
    axis_.panBy(axis_.map().xOf(from));
}

void ScheduleMinimap::mousePressEvent(QMouseEvent* event)
{
    if (!data_ || event->button() != Qt::LeftButton)
        return;
    pressedX_ = event->position().x();
    moved_ = false;
    gesture_ = gestureAt(pressedX_);
    fromBefore_ = axis_.map().begin;
    toBefore_ = axis_.map().timeAt(width_);
    axis_.show(fromBefore_, toBefore_); // the same as now: the way back leads here
}

void ScheduleMinimap::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (gesture_ == Gesture::None) {
        const Gesture at = data_ ? gestureAt(x) : Gesture::None;
        setCursor(at == Gesture::LeftEdge || at == Gesture::RightEdge ? Qt::SizeHorCursor
                : at == Gesture::Inside                               ? Qt::OpenHandCursor
                                                                      : Qt::CrossCursor);
        return;
    }
    if (std::abs(x - pressedX_) < 3 && !moved_)
        return;
    moved_ = true;
    const double by = timeAt(x) - timeAt(pressedX_);
    switch (gesture_) {
    case Gesture::LeftEdge:
        slideTo(std::min(fromBefore_ + by, toBefore_ - 1e-6), toBefore_);
        break;
    case Gesture::RightEdge:
        slideTo(fromBefore_, std::max(toBefore_ + by, fromBefore_ + 1e-6));
        break;
    case Gesture::Inside:
        slideTo(fromBefore_ + by, toBefore_ + by);
        break;
    default:
        slideTo(std::min(timeAt(x), timeAt(pressedX_)), std::max(timeAt(x), timeAt(pressedX_)));
        break;
    }
}

void ScheduleMinimap::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || gesture_ == Gesture::None)
        return;
    if (!moved_ && (gesture_ == Gesture::Inside || gesture_ == Gesture::Outside)) {
        const double half = (toBefore_ - fromBefore_) / 2;
        const double middle = timeAt(event->position().x());
        slideTo(middle - half, middle + half);
    }
    gesture_ = Gesture::None;
}

void ScheduleMinimap::wheelEvent(QWheelEvent* event)
{
    event->accept();
    const QPoint angle = event->angleDelta();
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    if (event->modifiers() & Qt::ShiftModifier)
        axis_.panBy(-notches * 60);
    else
        axis_.zoomAt(axis_.map().xOf(timeAt(event->position().x())), std::pow(1.2, notches));
}

void ScheduleMinimap::keyPressEvent(QKeyEvent* event)
{
    const double page = width_;
    switch (event->key()) {
    case Qt::Key_Left:
        axis_.panBy(-page * 0.1);
        return;
    case Qt::Key_Right:
        axis_.panBy(page * 0.1);
        return;
    case Qt::Key_PageUp:
        axis_.panBy(-page);
        return;
    case Qt::Key_PageDown:
        axis_.panBy(page);
        return;
    case Qt::Key_Up:
    case Qt::Key_Plus:
        axis_.zoomAt(page / 2, 1.25);
        return;
    case Qt::Key_Down:
    case Qt::Key_Minus:
        axis_.zoomAt(page / 2, 0.8);
        return;
    case Qt::Key_Home:
        axis_.panBy(axis_.map().xOf(axis_.first()));
        return;
    case Qt::Key_End:
        axis_.panBy(axis_.map().xOf(axis_.last()) - page * 0.95);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void ScheduleMinimap::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void ScheduleMinimap::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace pipeloom::designer
