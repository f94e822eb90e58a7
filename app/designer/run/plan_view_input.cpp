// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mouse, wheel and keys in the timeline of plan and actual.

#include "app/designer/run/plan_text.h"
#include "app/designer/run/plan_view.h"
#include "app/designer/run/run_session.h"

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

using What = PlanHit::What;

bool PlanView::event(QEvent* event)
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

bool PlanView::nativePinch(QEvent* event)
{
    const auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() != Qt::ZoomNativeGesture)
        return false;
    axis_.zoomAt(gesture->position().x() - labelWidth_, std::max(0.1, 1 + gesture->value()));
    return true;
}

void PlanView::showTip(const QPoint& at, const QPoint& global)
{
    const QStringList lines = picture().isEmpty() ? QStringList() : tipLines(picture(), hitTest(scene(), at));
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

void PlanView::tell(const PlanHit& hit)
{
    const RunPicture& shown = picture();
    if (const QString sentence = hitSentence(shown, hit); !sentence.isEmpty())
        Q_EMIT statusText(sentence);
    else if (overlays_.range)
        Q_EMIT statusText(rangeSentence(*overlays_.range));
    else if (overlays_.selected)
        Q_EMIT statusText(passSentence(shown, *overlays_.selected));
    else
        Q_EMIT statusText(standingText());
}

void PlanView::hover(QPointF at)
{
    mouse_ = at;
    if (picture().isEmpty())
        return;
    overlays_.hair = at.x();
    Ticks other = 0;
    setCursor(isOnRangeEdge(at, other) ? Qt::SizeHorCursor : Qt::ArrowCursor);
    tell(hitTest(scene(), at));
    update();
}

void PlanView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    mouse_.reset();
    overlays_.hair.reset();
    tell({});
    update();
}

bool PlanView::isOnRangeEdge(QPointF at, Ticks& other) const
{
    constexpr double reach = 5;
    const std::optional<TimeRange> measured = range();
    if (!measured || at.x() < labelWidth_)
        return false;
    const PlanScene now = scene();
    const double from = std::abs(at.x() - now.xOf(measured->from));
    const double to = std::abs(at.x() - now.xOf(measured->to));
    other = from < to ? measured->to : measured->from;
    return std::min(from, to) <= reach;
}

void PlanView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    if (event->button() == Qt::BackButton)
        axis_.back();
    else if (event->button() == Qt::ForwardButton)
        axis_.forward();
    if (picture().isEmpty() || gesture_ != Gesture::None
        || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton))
        return;
    QToolTip::hideText();
    pressedAt_ = draggedTo_ = event->position();
    pressedWith_ = event->modifiers();
    pressedButton_ = event->button();
    gesture_ = Gesture::Press;
    if (pressedButton_ == Qt::MiddleButton) {
        gesture_ = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (pressedWith_ == Qt::NoModifier && isOnRangeEdge(pressedAt_, rangeAnchor_)) {
        rangeBefore_ = range();
        gesture_ = Gesture::RangeEdge;
    }
}

void PlanView::mouseMoveEvent(QMouseEvent* event)
{
    if (gesture_ == Gesture::None) {
        hover(event->position());
        return;
    }
    mouse_ = event->position();
    overlays_.hair = event->position().x();
    const double moved = (event->position() - pressedAt_).manhattanLength();
    if (gesture_ == Gesture::Press && moved >= QApplication::startDragDistance())
        startGesture();
    dragTo(event->position());
    update();
}

void PlanView::startGesture()
{
    if (pressedWith_ & Qt::ControlModifier) {
        gesture_ = Gesture::ZoomBox;
    } else if (pressedWith_ & Qt::ShiftModifier) {
        gesture_ = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (pressedAt_.x() >= labelWidth_) {
        leaveLive(); // a range is of one step
        rangeBefore_ = range();
        rangeAnchor_ = static_cast<Ticks>(std::llround(axis_.map().timeAt(pressedAt_.x() - labelWidth_)));
        gesture_ = Gesture::Range;
    }
}

void PlanView::dragTo(QPointF at)
{
    switch (gesture_) {
    case Gesture::Pan: {
        const QPointF by = draggedTo_ - at;
        if (by.x() != 0)
            leaveLive();
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
    default:
        break;
    }
    draggedTo_ = at;
}

void PlanView::dragRange(QPointF at)
{
    const double time = axis_.map().timeAt(at.x() - labelWidth_);
    const auto tick = std::clamp(static_cast<Ticks>(std::llround(time)), axis_.first(), axis_.last());
    setRange(TimeRange { std::min(rangeAnchor_, tick), std::max(rangeAnchor_, tick) });
}

void PlanView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != pressedButton_ || gesture_ == Gesture::None)
        return;
    if (gesture_ == Gesture::Press)
        clickAt(event->position());
    endGesture(true);
    hover(event->position());
}

void PlanView::endGesture(bool keep)
{
    const Gesture ended = gesture_;
    gesture_ = Gesture::None;
    pressedButton_ = Qt::NoButton;
    if ((ended == Gesture::Range || ended == Gesture::RangeEdge) && !keep) {
        setRange(rangeBefore_);
    } else if (ended == Gesture::ZoomBox && overlays_.zoomBox) {
        const QRectF box = *overlays_.zoomBox;
        if (keep && box.width() > 4)
            axis_.show(axis_.map().timeAt(box.left() - labelWidth_), axis_.map().timeAt(box.right() - labelWidth_));
    }
    overlays_.zoomBox.reset();
    update();
}

void PlanView::clickAt(QPointF at)
{
    const PlanHit hit = hitTest(scene(), at);
    if (hit.what == What::Planned)
        select(picture().plannedAt(hit.pass).pass);
    else if (hit.what == What::Actual)
        select(picture().actualAt(hit.pass).pass);
    else {
        select(std::nullopt);
        setRange(std::nullopt);
    }
    overlays_.device = hit.what == What::Label ? std::optional(hit.device.value) : std::nullopt;
    update();
}

void PlanView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (picture().isEmpty() || event->button() != Qt::LeftButton)
        return;
    const PlanHit hit = hitTest(scene(), event->position());
    if (hit.what == What::Planned || hit.what == What::Actual) {
        const TimedPass& pass
            = hit.what == What::Planned ? picture().plannedAt(hit.pass) : picture().actualAt(hit.pass);
        const double length = std::max(static_cast<double>(pass.end - pass.start), 1.0);
        const double middle = static_cast<double>(pass.start + pass.end) / 2;
        axis_.show(middle - length * 4, middle + length * 4);
    } else if (hit.what == What::MergedPlanned || hit.what == What::MergedActual) {
        const double seen = scene().plotWidth() / axis_.map().pixelsPerTick / 16;
        axis_.show(hit.time - seen / 2, hit.time + seen / 2);
    }
}

void PlanView::wheelEvent(QWheelEvent* event)
{
    event->accept();
    const QPoint pixels = event->pixelDelta();
    const QPoint angle = event->angleDelta();
    const Qt::KeyboardModifiers modifiers = event->modifiers();
    // Some platforms turn the wheel sideways while Alt or Shift is held.
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    const bool onRuler = event->position().y() < PlanScene::rulerHeight;
    const bool onLabels = event->position().x() < labelWidth_;
    const auto pan = [this](double by) {
        if (by == 0)
            return;
        leaveLive();
        axis_.panBy(by);
    };
    if ((modifiers & Qt::AltModifier) || ((modifiers & Qt::ControlModifier) && onLabels)) {
        stepRowHeight(notches > 0 ? 1 : -1);
    } else if ((modifiers & Qt::ControlModifier) || (onRuler && !(modifiers & Qt::ShiftModifier))) {
        const double step = modifiers & Qt::ShiftModifier ? 2.0 : 1.2;
        axis_.zoomAt(event->position().x() - labelWidth_, std::pow(step, notches));
    } else if (modifiers & Qt::ShiftModifier) {
        pan(-notches * 60);
    } else if (!pixels.isNull()) {
        pan(-pixels.x());
        scrollBar_->setValue(scrollBar_->value() - pixels.y());
    } else {
        pan(-angle.x() / 2.0);
        scrollBar_->setValue(scrollBar_->value() - angle.y() / 2);
    }
    hover(event->position());
}

bool PlanView::moveKey(const QKeyEvent& event)
{
    const bool fast = event.modifiers() & Qt::ShiftModifier;
    if (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
        return false;
    const double step = scene().plotWidth() * (fast ? 0.3 : 0.1);
    const double factor = fast ? 2.0 : 1.25;
    const auto pan = [this](double by) {
        leaveLive();
        axis_.panBy(by);
    };
    switch (event.key()) {
    case Qt::Key_W:
        zoomBy(factor);
        return true;
    case Qt::Key_S:
        zoomBy(1 / factor);
        return true;
    case Qt::Key_A:
    case Qt::Key_Left:
        pan(-step);
        return true;
    case Qt::Key_D:
    case Qt::Key_Right:
        pan(step);
        return true;
    case Qt::Key_Home:
        pan(axis_.map().xOf(axis_.first()));
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        scrollBar_->setValue(scrollBar_->value() + (event.key() == Qt::Key_Up ? -1 : 1) * static_cast<int>(rowHeight_));
        return true;
    default:
        return false;
    }
}

void PlanView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        if (gesture_ != Gesture::None)
            endGesture(false);
        else if (overlays_.range)
            setRange(std::nullopt);
        else if (overlays_.selected)
            select(std::nullopt);
        else if (overlays_.device)
            overlays_.device.reset();
        else
            QWidget::keyPressEvent(event);
        update();
        return;
    }
    if (picture().isEmpty() || !moveKey(*event))
        QWidget::keyPressEvent(event);
}

void PlanView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void PlanView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace pipeloom::designer
