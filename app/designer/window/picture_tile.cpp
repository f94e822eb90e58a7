// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/picture_tile.h"

#include "app/designer/style/theme.h"
#include "app/designer/window/form.h"

#include <QPainter>

namespace pipeloom::designer {

namespace {

constexpr int margin = 12;

} // namespace

PictureTile::PictureTile(const QString& title, const QString& sentence, QWidget* parent)
    : QAbstractButton(parent)
    , sentence_(sentence)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

int PictureTile::textHeight() const { return 3 * fontMetrics().lineSpacing() + 8; }

QSize PictureTile::sizeHint() const { return { scaled(*this, 270), scaled(*this, 130) + textHeight() + 2 * margin }; }

QSize PictureTile::pictureSize() const
{
    const QSize hint = sizeHint();
    return { hint.width() - 2 * margin, hint.height() - textHeight() - 2 * margin - 4 };
}

void PictureTile::setPicture(const QImage& picture)
{
    picture_ = picture;
    update();
}

void PictureTile::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool marked = isEnabled() && (hasFocus() || hovered_);
    painter.setBrush(isDown() ? theme.accentSoft : theme.panel);
    painter.setPen(QPen(marked ? theme.accent : theme.border, hasFocus() ? 2 : 1));
    const double inset = hasFocus() ? 1 : 0.5;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 6, 6);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setOpacity(isEnabled() ? 1 : 0.5);
    if (hasPicture())
        painter.drawImage(QPoint(margin, margin), picture_);
    const QRect text(margin, height() - margin - textHeight() + 4, width() - 2 * margin, textHeight() - 4);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme.text);
    const int line = fontMetrics().lineSpacing();
    painter.drawText(QRect(text.left(), text.top(), text.width(), line), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(this->text(), Qt::ElideMiddle, text.width()));
    painter.setFont(font());
    painter.setPen(theme.muted);
    painter.drawText(text.adjusted(0, line + 3, 0, 0), Qt::TextWordWrap, sentence_);
}

void PictureTile::enterEvent(QEnterEvent* event)
{
    hovered_ = true;
    update();
    QAbstractButton::enterEvent(event);
}

void PictureTile::leaveEvent(QEvent* event)
{
    hovered_ = false;
    update();
    QAbstractButton::leaveEvent(event);
}

} // namespace pipeloom::designer
