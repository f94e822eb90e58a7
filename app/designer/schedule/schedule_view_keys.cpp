// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keys of the schedule's view.

#include "app/designer/schedule/schedule_view.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

bool ScheduleView::zoomKey(const QKeyEvent& event)
{
    const bool fast = event.modifiers() & Qt::ShiftModifier;
    if (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
        return false;
    const double page = scene().plotWidth();
    const double step = page * (fast ? 0.3 : 0.1);
    const double factor = fast ? 2.0 : 1.25;
    const int rows = static_cast<int>(height() - TimelineScene::rulerHeight);
    switch (event.key()) {
    case Qt::Key_W:
        zoomBy(factor);
        return true;
    case Qt::Key_S:
        zoomBy(1 / factor);
        return true;
    case Qt::Key_A:
    case Qt::Key_Left:
        axis_.panBy(-step);
        return true;
    case Qt::Key_D:
    case Qt::Key_Right:
        axis_.panBy(step);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        scrollBar_->setValue(
            scrollBar_->value() + (event.key() == Qt::Key_Up ? -1 : 1) * static_cast<int>(layout_.rowHeight));
        return true;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        scrollBar_->setValue(scrollBar_->value() + (event.key() == Qt::Key_PageUp ? -rows : rows));
        return true;
    case Qt::Key_Home:
        axis_.panBy(axis_.map().xOf(axis_.first()));
        return true;
    case Qt::Key_End:
        axis_.panBy(axis_.map().xOf(axis_.last()) - page * 0.95);
        return true;
    default:
        return false;
    }
}

void ScheduleView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        if (gesture_ != Gesture::None)
            endGesture(false);
        else if (range_)
            setRange(std::nullopt);
        else if (!selection_.empty())
            select({});
        else
            QWidget::keyPressEvent(event);
        return;
    }
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        spaceHeld_ = true;
        setCursor(Qt::OpenHandCursor);
        return;
    }
    if (event->key() == Qt::Key_Shift) {
        overlays_.wholeChain = true;
        update();
    }
    if (!data_ || !zoomKey(*event))
        QWidget::keyPressEvent(event);
}

void ScheduleView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        spaceHeld_ = false;
        if (gesture_ == Gesture::None)
            unsetCursor();
        return;
    }
    if (event->key() == Qt::Key_Shift) {
        overlays_.wholeChain = false;
        update();
    }
    QWidget::keyReleaseEvent(event);
}

void ScheduleView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void ScheduleView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    overlays_.wholeChain = false;
    spaceHeld_ = false;
    update();
}

} // namespace pipeloom::designer
