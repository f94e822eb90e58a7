// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The block editor under the mouse: from events to gestures.
#include "app/designer/block/block_links.h"
#include "app/designer/block/block_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

std::optional<PassKind> kindOf(BlockTool tool)
{
    switch (tool) {
    case BlockTool::PlaceF:
        return PassKind::F;
    case BlockTool::PlaceB:
        return PassKind::B;
    case BlockTool::PlaceW:
        return PassKind::W;
    default:
        return std::nullopt;
    }
}

} // namespace

void BlockView::begin(Gesture gesture)
{
    gesture_ = std::make_unique<Gesture>(std::move(gesture));
    document_.breakMerge();
    axis_.hold(true);
}

void BlockView::follow(QPointF at, Qt::KeyboardModifiers modifiers)
{
    state_ = gesture_->at(pointerAt(at, modifiers));
    marks_ = state_.marks;
    marks_.reasonAt = at;
    if (state_.edited.ok() && state_.shown)
        document_.preview(*state_.edited.design);
    else
        document_.cancelPreview();
    if (!state_.status.empty())
        Q_EMIT statusText(QString::fromStdString(state_.status));
    viewport()->update();
}

void BlockView::endGesture()
{
    gesture_.reset();
    marks_ = {};
    pressedPass_ = -1;
    axis_.hold(false);
    followDesign();
    viewport()->update();
}

void BlockView::commit()
{
    const std::size_t before = document_.committed()->block()->passes.size();
    const bool hadChange = state_.edited.ok();
    Edited edited = std::move(state_.edited);
    gesture_.reset();
    document_.apply(std::move(edited));
    endGesture();
    if (hadChange && block() && block()->passes.size() > before)
        select({ static_cast<std::int32_t>(block()->passes.size()) - 1 });
    else if (selected_.size() == 1)
        Q_EMIT statusText(sentenceOf(*block(), document_.shown()->pipeline, *selected_.begin()));
}

void BlockView::cancelGesture()
{
    if (band_) {
        band_.reset();
        select(bandBase_);
    }
    if (!gesture_)
        return;
    document_.cancelPreview();
    endGesture();
    Q_EMIT statusText(tr("Put back"));
}

void BlockView::startBox(QPointF at, bool adds)
{
    bandBase_ = adds ? selected_ : std::set<std::int32_t> {};
    if (!adds)
        select({});
    band_ = std::make_unique<QRubberBand>(QRubberBand::Rectangle, viewport());
    band_->setGeometry(QRect(at.toPoint(), QSize()));
}

bool BlockView::pressOnPass(std::int32_t pass, QMouseEvent* event)
{
    if (event->modifiers() & Qt::ControlModifier) {
        std::set<std::int32_t> toggled = selected_;
        if (!toggled.erase(pass))
            toggled.insert(pass);
        select(std::move(toggled));
        return true;
    }
    if (!selected_.contains(pass))
        select({ pass });
    pressedPass_ = pass;
    return true;
}

void BlockView::mousePressEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    pressedAt_ = lastAt_ = at;
    caret_.reset();
    if (!block() || gesture_ || band_)
        return;
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && spaceHeld_)) {
        panning_ = true;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    const BlockHover hit = hoverAt(at);
    const Pointer pointer = pointerAt(at, event->modifiers());
    switch (hit.part) {
    case BlockHover::Part::Leg:
        begin(Gesture::leg(document_.committed(), route_, hit.index, pointer));
        return;
    case BlockHover::Part::Turn:
        begin(Gesture::turn(document_.committed(), route_, hit.index, pointer));
        return;
    case BlockHover::Part::Interval:
        begin(Gesture::interval(document_.committed()));
        return;
    case BlockHover::Part::Label:
        selectDevice(DeviceId { hit.index });
        return;
    case BlockHover::Part::Pass:
        if (tool_ != BlockTool::Interval && pressOnPass(hit.index, event))
            return;
        break;
    default:
        break;
    }
    if (tool_ == BlockTool::Interval && (hit.part != BlockHover::Part::Nothing || at.y() < BlockLayout::rulerHeight)) {
        begin(Gesture::interval(document_.committed()));
        follow(at, event->modifiers());
    } else if (hit.part == BlockHover::Part::Empty && kindOf(tool_)) {
        begin(Gesture::place(document_.committed(), *kindOf(tool_)));
        follow(at, event->modifiers());
    } else if (hit.part == BlockHover::Part::Empty) {
        startBox(at, event->modifiers() & Qt::ControlModifier);
    }
}

void BlockView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (panning_) {
        axis_.panBy(lastAt_.x() - at.x());
        verticalScrollBar()->setValue(static_cast<int>(std::lround(scroll() + lastAt_.y() - at.y())));
        lastAt_ = at;
        return;
    }
    if (pressedPass_ >= 0 && !gesture_ && (at - pressedAt_).manhattanLength() >= QApplication::startDragDistance())
        begin(Gesture::move(document_.committed(), selectedList(), pressedPass_, pointerAt(pressedAt_, {})));
    if (gesture_) {
        follow(at, event->modifiers());
    } else if (band_) {
        const QRectF box = QRectF(pressedAt_, at).normalized();
        band_->setGeometry(box.toRect());
        band_->show();
        std::set<std::int32_t> inside = bandBase_;
        const BlockScene drawn = scene();
        for (std::size_t i = 0; i < block()->passes.size(); ++i)
            if (drawn.boxOf(static_cast<std::int32_t>(i)).intersects(box))
                inside.insert(static_cast<std::int32_t>(i));
        select(std::move(inside));
    } else {
        setHover(hoverAt(at));
    }
    lastAt_ = at;
}

void BlockView::mouseReleaseEvent(QMouseEvent* event)
{
    if (panning_) {
        panning_ = false;
        viewport()->unsetCursor();
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (gesture_) {
        if ((event->position() - pressedAt_).manhattanLength() > 0 || !state_.edited.name.empty())
            follow(event->position(), event->modifiers());
        if (state_.edited.ok() || !state_.edited.refusal.empty())
            commit();
        else
            endGesture();
        state_ = {};
    }
    band_.reset();
    pressedPass_ = -1;
}

void BlockView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto pass = passAt(event->position()); pass && event->button() == Qt::LeftButton) {
        select({ *pass });
        selectStage();
        return;
    }
    mousePressEvent(event);
}

void BlockView::wheelEvent(QWheelEvent* event)
{
    const QPointF at = event->position();
    const QPoint turn = event->pixelDelta().isNull() ? event->angleDelta() : event->pixelDelta() * 3;
    constexpr double notch = 120;
    const double steps = (turn.y() != 0 ? turn.y() : turn.x()) / notch;
    const bool control = event->modifiers() & Qt::ControlModifier;
    if (event->modifiers() & Qt::AltModifier) {
        rowScale_ = std::clamp(rowScale_ * std::pow(1.15, steps), 0.3, 4.0);
        layOut();
    } else if (control || (at.y() < BlockLayout::rulerHeight && !(event->modifiers() & Qt::ShiftModifier))) {
        const double base = event->modifiers() & Qt::ShiftModifier ? 1.6 : 1.2;
        axis_.zoomAt(at.x() - layout_.time.left(), std::pow(base, steps));
    } else if ((event->modifiers() & Qt::ShiftModifier) || event->angleDelta().x() != 0) {
        axis_.panBy(-steps * 60);
    } else {
        verticalScrollBar()->setValue(static_cast<int>(std::lround(scroll() - steps * 48)));
    }
    event->accept();
}

void BlockView::setHover(BlockHover hover)
{
    if (hover == hover_)
        return;
    hover_ = hover;
    const auto part = hover.part;
    const bool sideways = part == BlockHover::Part::Interval || part == BlockHover::Part::Leg
        || part == BlockHover::Part::Turn || tool_ == BlockTool::Interval;
    viewport()->setCursor(sideways ? Qt::SizeHorCursor : kindOf(tool_) ? Qt::CrossCursor : Qt::ArrowCursor);
    if (part == BlockHover::Part::Pass)
        Q_EMIT statusText(sentenceOf(*block(), document_.shown()->pipeline, hover.index));
    else if (part == BlockHover::Part::Label)
        Q_EMIT statusText(
            tr("What device %1 holds at most while the block repeats; reordered it may hold more, never more than "
               "its limit")
                .arg(hover.index));
    else if (part == BlockHover::Part::Interval)
        Q_EMIT statusText(tr("T, the interval after which the block repeats: drag it · dots are legal intervals"));
    else if (part == BlockHover::Part::Leg || part == BlockHover::Part::Turn)
        Q_EMIT statusText(tr("Drag sideways to shift every boundary of this leg and all that follows"));
    viewport()->update();
}

void BlockView::leaveEvent(QEvent*) { setHover({}); }

void BlockView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Mouse)
        if (const auto pass = passAt(event->pos()); pass && !selected_.contains(*pass))
            select({ *pass });
    Q_EMIT contextMenuWanted(event->globalPos());
}

bool BlockView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && block()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto pass = gesture_ ? std::nullopt : passAt(help->pos());
        if (!pass) {
            QToolTip::hideText();
            return true;
        }
        const QStringList parts = sentenceOf(*block(), document_.shown()->pipeline, *pass).split(QStringLiteral(" · "));
        QString words = parts.join(QLatin1Char('\n'));
        if (const std::string trouble = troubleOf(*document_.shown(), *pass); !trouble.empty())
            words += QLatin1Char('\n') + QString::fromStdString(trouble);
        QToolTip::showText(help->globalPos(), words, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace pipeloom::designer
