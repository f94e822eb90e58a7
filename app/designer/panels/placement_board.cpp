// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/placement_board.h"

#include "app/designer/style/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>

#include <algorithm>

namespace pipeloom::designer {

namespace {
constexpr int labelWidth = 42;
constexpr int leastColumn = 18;
constexpr int mostColumn = 34;
} // namespace

PlacementBoard::PlacementBoard(QWidget* parent)
    : QWidget(parent)
{
    setObjectName("placementBoard");
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Stages on devices"));
    setToolTip(
        tr("Drag a stage to another device. By key: Left and Right choose a stage, Ctrl+Up and Ctrl+Down move it."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PlacementBoard::setPlacement(const Placement& placement, std::int32_t devices)
{
    if (placement == placement_ && devices == devices_)
        return;
    placement_ = placement;
    devices_ = devices;
    if (chosen_ && chosen_->index() >= placement_.size())
        chosen_.reset();
    dragging_ = false;
    target_.reset();
    QStringList spoken;
    for (std::size_t s = 0; s < std::min<std::size_t>(placement_.size(), 64); ++s)
        spoken += tr("stage %1 on device %2").arg(s).arg(placement_[s].value);
    setAccessibleDescription(spoken.join(", "));
    updateGeometry();
    update();
}

int PlacementBoard::rowHeight() const { return std::max(20 * QApplication::font().pixelSize() / 13, 12); }

int PlacementBoard::columnWidth() const
{
    const int stages = std::max(static_cast<int>(placement_.size()), 1);
    return std::clamp((width() - labelWidth) / stages, leastColumn, mostColumn);
}

QSize PlacementBoard::sizeHint() const
{
    return { labelWidth + leastColumn * static_cast<int>(placement_.size()) + 2,
        rowHeight() * std::max(devices_, 1) + 2 };
}

QRect PlacementBoard::cell(std::int32_t stage, std::int32_t device) const
{
    return { labelWidth + stage * columnWidth(), 1 + device * rowHeight(), columnWidth(), rowHeight() };
}

QRect PlacementBoard::chipRect(StageId stage) const
{
    if (stage.index() >= placement_.size())
        return {};
    return cell(stage.value, placement_[stage.index()].value).adjusted(1, 1, -1, -1);
}

std::int32_t PlacementBoard::deviceAt(int y) const
{
    return std::clamp<std::int32_t>((y - 1) / rowHeight(), 0, std::max(devices_ - 1, 0));
}

void PlacementBoard::choose(std::int32_t stage)
{
    if (placement_.empty())
        return;
    chosen_ = StageId { std::clamp<std::int32_t>(stage, 0, static_cast<std::int32_t>(placement_.size()) - 1) };
    update();
    Q_EMIT chosenChanged(chipRect(*chosen_));
}

void PlacementBoard::paintEvent(QPaintEvent* event)
{
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    const int pixels = 11 * QApplication::font().pixelSize() / 13;
    painter.setFont(uiFont(pixels));
    const int right = labelWidth + columnWidth() * static_cast<int>(placement_.size());
    for (std::int32_t d = 0; d < devices_; ++d) {
        const QRect row(0, 1 + d * rowHeight(), right, rowHeight());
        if (!row.intersects(event->rect()))
            continue;
        if (target_ == DeviceId { d })
            painter.fillRect(row.adjusted(labelWidth, 0, 0, 0), theme.accentSoft);
        else if (d % 2 == 0)
            painter.fillRect(row.adjusted(labelWidth, 0, 0, 0), theme.window);
        painter.setPen(theme.muted);
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, tr("dev %1").arg(d));
    }
    for (std::size_t s = 0; s < placement_.size(); ++s) {
        const StageId stage { s };
        const bool chosen = chosen_ == stage;
        QRect chip = chipRect(stage);
        const auto draw = [&](const QRect& rect, bool ghost) {
            painter.fillRect(rect, ghost ? theme.accent : chosen && hasFocus() ? theme.accent : theme.lifespan);
            painter.fillRect(rect.adjusted(1, 1, -1, -1), theme.accentSoft);
            painter.setPen(theme.text);
            painter.drawText(rect, Qt::AlignCenter, QString::number(s));
        };
        const bool dragged = chosen && target_.has_value();
        painter.setOpacity(dragged ? 0.4 : 1);
        draw(chip, false);
        painter.setOpacity(1);
        if (dragged)
            draw(cell(stage.value, target_->value).adjusted(1, 1, -1, -1), true);
        if (chosen && hasFocus() && !dragged) {
            painter.setPen(theme.accent);
            painter.drawRect(chip.adjusted(1, 1, -2, -2));
        }
    }
}

void PlacementBoard::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    for (std::size_t s = 0; s < placement_.size(); ++s)
        if (chipRect(StageId { s }).contains(event->position().toPoint())) {
            dragging_ = true;
            choose(static_cast<std::int32_t>(s));
            return;
        }
    chosen_.reset();
    update();
}

void PlacementBoard::mouseMoveEvent(QMouseEvent* event)
{
    if (!dragging_ || !chosen_)
        return;
    const DeviceId over { deviceAt(event->position().toPoint().y()) };
    target_ = over == placement_[chosen_->index()] ? std::nullopt : std::optional(over);
    update();
}

void PlacementBoard::mouseReleaseEvent(QMouseEvent*)
{
    const std::optional<DeviceId> target = dragging_ ? target_ : std::nullopt;
    dragging_ = false;
    target_.reset();
    update();
    if (target && chosen_)
        Q_EMIT stageMoved(*chosen_, *target);
}

void PlacementBoard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && dragging_) {
        dragging_ = false;
        target_.reset();
        update();
        return;
    }
    const std::int32_t at = chosen_ ? chosen_->value : -1;
    const bool move = event->modifiers() & Qt::ControlModifier;
    if (event->key() == Qt::Key_Right)
        choose(at + 1);
    else if (event->key() == Qt::Key_Left)
        choose(std::max(at - 1, 0));
    else if (move && chosen_ && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        const std::int32_t to = placement_[chosen_->index()].value + (event->key() == Qt::Key_Down ? 1 : -1);
        if (to >= 0 && to < devices_)
            Q_EMIT stageMoved(*chosen_, DeviceId { to });
    } else
        QWidget::keyPressEvent(event);
}

void PlacementBoard::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    if (!chosen_)
        choose(0);
    update();
}

void PlacementBoard::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void PlacementBoard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    update();
}

} // namespace pipeloom::designer
