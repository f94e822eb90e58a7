// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mouse and wheel in the schedule's view.

#include "app/designer/schedule/pass_text.h"
#include "app/designer/schedule/schedule_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

using What = TimelineHit::What;

bool ScheduleView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        showTip(help->pos(), help->globalPos());
        return true;
    }
    if (event->type() == QEvent::NativeGesture && nativePinch(event))
        return true;
    return QWidget::event(event);
}

bool ScheduleView::nativePinch(QEvent* event)
{
    const auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() != Qt::ZoomNativeGesture)
        return false;
    axis_.zoomAt(gesture->position().x() - labelWidth_, std::max(0.1, 1 + gesture->value()));
    return true;
}

void ScheduleView::showTip(const QPoint& at, const QPoint& global)
{
    const QStringList lines = data_ ? tipLines(*data_, hitTest(scene(), at)) : QStringList();
    if (lines.isEmpty() || gesture_ != Gesture::None) {
        QToolTip::hideText();
        return;
    }
    QStringList escaped;
    for (const QString& line : lines)
        escaped << line.toHtmlEscaped();
    // Rich text, so that a long sentence is broken into lines.
    QToolTip::showText(
        global, QStringLiteral("<p style='white-space:pre-wrap'>") + escaped.join("<br>") + "</p>", this);
}

void ScheduleView::tell(const TimelineHit& hit)
{
    if (const QString sentence = hitSentence(*data_, hit); !sentence.isEmpty())
        Q_EMIT statusText(sentence);
    else if (overlays_.range)
        Q_EMIT statusText(rangeSentence(*data_, *overlays_.range));
    else if (primary() >= 0)
        Q_EMIT statusText(passSentence(*data_, primary()));
    else
        Q_EMIT statusText({});
}

void ScheduleView::hover(QPointF at)
{
    mouse_ = at;
    if (!data_)
        return;
    const TimelineHit hit = hitTest(scene(), at);
    overlays_.hair = at.x();
    const std::int32_t microBatch = hit.what == What::Pass ? data_->at(hit.pass).pass.microBatch.value : -1;
    if (microBatch != hoveredMicroBatch_) {
        hoveredMicroBatch_ = microBatch;
        invalidate();
        Q_EMIT hovered(microBatch);
    }
    Ticks other = 0;
    setCursor(isOnRangeEdge(at, other)                 ? Qt::SizeHorCursor
            : spaceHeld_                               ? Qt::OpenHandCursor
            : orderEditable_ && hit.what == What::Pass ? Qt::SizeHorCursor
                                                       : Qt::ArrowCursor);
    tell(hit);
    update();
}

void ScheduleView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    mouse_.reset();
    overlays_.hair.reset();
    if (hoveredMicroBatch_ >= 0) {
        hoveredMicroBatch_ = -1;
        invalidate();
        Q_EMIT hovered(-1);
    }
    if (data_)
        tell({});
    update();
}

bool ScheduleView::isOnRangeEdge(QPointF at, Ticks& other) const
{
    constexpr double reach = 5;
    if (!range_ || at.x() < labelWidth_)
        return false;
    const TimelineScene now = scene();
    const double from = std::abs(at.x() - now.xOf(range_->from));
    const double to = std::abs(at.x() - now.xOf(range_->to));
    other = from < to ? range_->to : range_->from;
    return std::min(from, to) <= reach;
}

void ScheduleView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    if (event->button() == Qt::BackButton)
        axis_.back();
    else if (event->button() == Qt::ForwardButton)
        axis_.forward();
    if (!data_ || gesture_ != Gesture::None
        || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton))
        return;
    QToolTip::hideText();
    pressedAt_ = draggedTo_ = event->position();
    pressedWith_ = event->modifiers();
    pressedButton_ = event->button();
    pressedOn_ = hitTest(scene(), pressedAt_);
    gesture_ = Gesture::Press;
    if (pressedButton_ == Qt::MiddleButton || spaceHeld_) {
        gesture_ = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (pressedWith_ == Qt::NoModifier && isOnRangeEdge(pressedAt_, rangeAnchor_)) {
        rangeBefore_ = range_;
        gesture_ = Gesture::RangeEdge;
    }
}

void ScheduleView::mouseMoveEvent(QMouseEvent* event)
{
    if (gesture_ == Gesture::None) {
        hover(event->position());
        return;
    }
    mouse_ = event->position();
    overlays_.hair = event->position().x();
    const double moved = (event->position() - pressedAt_).manhattanLength();
    if (gesture_ == Gesture::Press && moved >= QApplication::startDragDistance())
        startGesture(event->position(), pressedWith_);
    dragTo(event->position());
    update();
}

void ScheduleView::startGesture(QPointF at, Qt::KeyboardModifiers modifiers)
{
    Q_UNUSED(at);
    if (pressedOn_.what == What::Label || pressedOn_.what == What::Nothing)
        pressedOn_.what = pressedAt_.x() < labelWidth_ ? What::Label : pressedOn_.what;
    if (modifiers & Qt::ControlModifier) {
        gesture_ = Gesture::ZoomBox;
    } else if (modifiers & Qt::ShiftModifier) {
        gesture_ = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (orderEditable_ && pressedOn_.what == What::Pass) {
        startMove(pressedOn_);
    } else if (pressedAt_.x() >= labelWidth_) {
        rangeBefore_ = range_;
        rangeAnchor_ = static_cast<Ticks>(std::llround(axis_.map().timeAt(pressedAt_.x() - labelWidth_)));
        gesture_ = Gesture::Range;
    }
}

void ScheduleView::dragTo(QPointF at)
{
    switch (gesture_) {
    case Gesture::Pan: {
        const QPointF by = draggedTo_ - at;
        axis_.panBy(by.x());
        scrollBar_->setValue(scrollBar_->value() + static_cast<int>(std::lround(by.y())));
        break;
    }
    case Gesture::Range:
    case Gesture::RangeEdge:
        dragRange(at);
        break;
    case Gesture::ZoomBox: {
        const double x = std::clamp(at.x(), labelWidth_, scene().width);
        const double from = std::max(pressedAt_.x(), labelWidth_);
        overlays_.zoomBox = QRectF(QPointF(std::min(from, x), std::min(pressedAt_.y(), at.y())),
            QPointF(std::max(from, x), std::max(pressedAt_.y(), at.y())));
        break;
    }
    case Gesture::Move:
        dragMove(at);
        break;
    default:
        break;
    }
    draggedTo_ = at;
}

void ScheduleView::dragRange(QPointF at)
{
    const double time = axis_.map().timeAt(at.x() - labelWidth_);
    const auto tick = std::clamp(static_cast<Ticks>(std::llround(time)), axis_.first(), axis_.last());
    setRange(TimeRange { std::min(rangeAnchor_, tick), std::max(rangeAnchor_, tick) });
}

void ScheduleView::startMove(const TimelineHit& hit)
{
    PassIndex pass = hit.pass;
    if (data_->at(pass).joined)
        --pass;
    movedPass_ = data_->at(pass).pass;
    moveDevice_ = hit.device.value;
    slotMiddles_.clear();
    for (PassIndex i = data_->rowBegin(hit.device); i < data_->rowEnd(hit.device); ++i) {
        if (data_->at(i).joined)
            continue;
        if (i == pass)
            moveFrom_ = static_cast<std::int32_t>(slotMiddles_.size());
        slotMiddles_.push_back(static_cast<double>(data_->at(i).start + data_->at(i).end) / 2);
    }
    moveTarget_ = moveFrom_;
    gesture_ = Gesture::Move;
    overlays_.dropIsRefused = false;
    select({ *movedPass_ });
    followSelection();
    Q_EMIT moveBegun();
}

void ScheduleView::dragMove(QPointF at)
{
    overlays_.dropAt = at.x();
    const double time = axis_.map().timeAt(at.x() - labelWidth_);
    std::int32_t target = 0;
    for (std::size_t slot = 0; slot < slotMiddles_.size(); ++slot)
        if (static_cast<std::int32_t>(slot) != moveFrom_ && slotMiddles_[slot] < time)
            ++target;
    if (target == moveTarget_)
        return;
    moveTarget_ = target;
    Q_EMIT moveTo(moveDevice_, moveFrom_, moveTarget_);
}

void ScheduleView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != pressedButton_ || gesture_ == Gesture::None)
        return;
    if (gesture_ == Gesture::Press)
        clickAt(event->position(), pressedWith_);
    endGesture(true);
    hover(event->position());
}

void ScheduleView::endGesture(bool keep)
{
    const Gesture ended = gesture_;
    gesture_ = Gesture::None;
    pressedButton_ = Qt::NoButton;
    if (ended == Gesture::Range || ended == Gesture::RangeEdge) {
        if (!keep)
            setRange(rangeBefore_);
    } else if (ended == Gesture::ZoomBox && overlays_.zoomBox) {
        const QRectF box = *overlays_.zoomBox;
        if (keep && box.width() > 4)
            axis_.show(axis_.map().timeAt(box.left() - labelWidth_), axis_.map().timeAt(box.right() - labelWidth_));
    } else if (ended == Gesture::Move) {
        movedPass_.reset();
        overlays_.moving = -1;
        overlays_.dropAt.reset();
        Q_EMIT moveEnded(keep);
    }
    overlays_.zoomBox.reset();
    update();
}

void ScheduleView::clickAt(QPointF at, Qt::KeyboardModifiers modifiers)
{
    const TimelineHit hit = hitTest(scene(), at);
    const bool adds = modifiers & (Qt::ControlModifier | Qt::ShiftModifier);
    if (hit.what != What::Pass) {
        if (!adds) {
            select({});
            setRange(std::nullopt);
        }
        return;
    }
    const Pass& pass = data_->at(hit.pass).pass;
    if (!adds) {
        select({ pass });
        return;
    }
    std::vector<Pass> passes = selection_;
    const auto found = std::find(passes.begin(), passes.end(), pass);
    if (found == passes.end())
        passes.push_back(pass);
    else if (modifiers & Qt::ControlModifier)
        passes.erase(found);
    select(std::move(passes));
}

void ScheduleView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!data_ || event->button() != Qt::LeftButton)
        return;
    const TimelineHit hit = hitTest(scene(), event->position());
    if (hit.what == What::Pass) {
        const TimedPass& pass = data_->at(hit.pass);
        const double length = std::max(static_cast<double>(pass.end - pass.start), 1.0);
        const double middle = static_cast<double>(pass.start + pass.end) / 2;
        axis_.show(middle - length * 4, middle + length * 4);
    } else if (hit.what == What::Merged) {
        const double seen = scene().plotWidth() / axis_.map().pixelsPerTick / 16;
        axis_.show(hit.time - seen / 2, hit.time + seen / 2);
    }
}

void ScheduleView::wheelEvent(QWheelEvent* event)
{
    event->accept();
    const QPoint pixels = event->pixelDelta();
    const QPoint angle = event->angleDelta();
    const Qt::KeyboardModifiers modifiers = event->modifiers();
    // Some platforms turn the wheel sideways while Alt or Shift is held.
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    const bool onRuler = event->position().y() < TimelineScene::rulerHeight;
    const bool onLabels = event->position().x() < labelWidth_;
    if ((modifiers & Qt::AltModifier) || ((modifiers & Qt::ControlModifier) && onLabels)) {
        stepRowHeight(notches > 0 ? 1 : -1);
    } else if ((modifiers & Qt::ControlModifier) || (onRuler && !(modifiers & Qt::ShiftModifier))) {
        const double step = modifiers & Qt::ShiftModifier ? 2.0 : 1.2;
        axis_.zoomAt(event->position().x() - labelWidth_, std::pow(step, notches));
    } else if (modifiers & Qt::ShiftModifier) {
        axis_.panBy(-notches * 60);
    } else if (!pixels.isNull()) {
        axis_.panBy(-pixels.x());
        scrollBar_->setValue(scrollBar_->value() - pixels.y());
    } else {
        axis_.panBy(-angle.x() / 2.0);
        scrollBar_->setValue(scrollBar_->value() - angle.y() / 2);
    }
    hover(event->position());
}

} // namespace pipeloom::designer
