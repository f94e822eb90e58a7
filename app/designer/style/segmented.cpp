// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/style/segmented.h"

#include "app/designer/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace pipeloom::designer {

namespace {

constexpr int padding = 14;

int heightFor(const QFont& font) { return QFontMetrics(font).height() + 12; }

constexpr const char* buttonTextProperty = "buttonText";

} // namespace

void setButtonText(QAction* action, const QString& text) { action->setProperty(buttonTextProperty, text); }

QString buttonText(const QAction* action)
{
    const QVariant shorter = action->property(buttonTextProperty);
    return shorter.isValid() ? shorter.toString() : action->text().remove(QLatin1Char('&'));
}

Segmented::Segmented(const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent)
    , actions_(actions)
{
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (QAction* action : actions_)
        connect(action, &QAction::changed, this, qOverload<>(&QWidget::update));
}

QSize Segmented::sizeHint() const
{
    int width = 4;
    for (QAction* action : actions_)
        width += fontMetrics().horizontalAdvance(buttonText(action)) + 2 * padding;
    return { width, heightFor(font()) };
}

QRect Segmented::rectOf(int index) const
{
    int x = 2;
    for (int i = 0; i < index; ++i)
        x += fontMetrics().horizontalAdvance(buttonText(actions_[i])) + 2 * padding;
    const int width = fontMetrics().horizontalAdvance(buttonText(actions_[index])) + 2 * padding;
    return { x, 2, width, height() - 4 };
}

int Segmented::indexAt(QPoint at) const
{
    for (int i = 0; i < actions_.size(); ++i)
        if (rectOf(i).contains(at))
            return i;
    return -1;
}

void Segmented::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? theme.accent : theme.border, 1));
    painter.setBrush(theme.window);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    for (int i = 0; i < actions_.size(); ++i) {
        const QRectF box = QRectF(rectOf(i));
        const bool on = actions_[i]->isChecked();
        if (on) {
            painter.setPen(QPen(theme.accent, 1));
            painter.setBrush(theme.panel);
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        }
        QFont face = font();
        face.setWeight(on ? QFont::Medium : QFont::Normal);
        painter.setFont(face);
        const bool enabled = actions_[i]->isEnabled();
        painter.setPen(on ? theme.accent : i == hovered_ && enabled ? theme.text : enabled ? theme.text : theme.muted);
        painter.drawText(box, Qt::AlignCenter, buttonText(actions_[i]));
    }
}

void Segmented::mousePressEvent(QMouseEvent* event)
{
    const int at = indexAt(event->pos());
    if (at >= 0 && event->button() == Qt::LeftButton && actions_[at]->isEnabled())
        actions_[at]->trigger();
}

void Segmented::mouseMoveEvent(QMouseEvent* event)
{
    hovered_ = indexAt(event->pos());
    update();
}

void Segmented::leaveEvent(QEvent*)
{
    hovered_ = -1;
    update();
}

void Segmented::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    for (int i = 0; i < actions_.size(); ++i)
        if (actions_[i]->isChecked() && i + step >= 0 && i + step < actions_.size()) {
            actions_[i + step]->trigger();
            return;
        }
}

bool Segmented::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const int at = indexAt(help->pos()); at >= 0)
            QToolTip::showText(help->globalPos(), actions_[at]->toolTip(), this);
        return true;
    }
    return QWidget::event(event);
}

KeyButton::KeyButton(QAction* action, Look look, QWidget* parent)
    : QAbstractButton(parent)
    , action_(action)
    , look_(look)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setObjectName(QStringLiteral("button.") + action->objectName());
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    connect(this, &QAbstractButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, this, &KeyButton::follow);
    follow();
}

void KeyButton::follow()
{
    setText(buttonText(action_));
    key_ = action_->shortcut()
               .toString(QKeySequence::NativeText)
               .replace(QLatin1String("Ctrl+Shift+"), QStringLiteral("^⇧"))
               .replace(QLatin1String("Ctrl+"), QStringLiteral("^"));
    setAccessibleName(text());
    setToolTip(action_->statusTip().isEmpty() ? action_->toolTip() : action_->statusTip());
    setEnabled(action_->isEnabled());
    updateGeometry();
    update();
}

QSize KeyButton::sizeHint() const
{
    const int key = key_.isEmpty() ? 0 : 12 + QFontMetrics(uiFont(11)).horizontalAdvance(key_);
    return { fontMetrics().horizontalAdvance(text()) + key + 2 * 11, heightFor(font()) };
}

void KeyButton::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool on = action_->isChecked() || isDown();
    const bool main = look_ == Look::Main && isEnabled();
    const bool hot = underMouse() && isEnabled();
    const QColor fill = main ? (on    ? theme.accent.darker(112)
                                : hot ? theme.accent.lighter(106)
                                      : theme.accent)
        : on                 ? theme.accentSoft
        : hot                ? theme.header
                             : theme.panel;
    painter.setPen(QPen(main ? fill : on || hasFocus() ? theme.accent : theme.border, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    QColor ink = main ? theme.onAccent : on ? theme.accent : theme.text;
    QColor faint = main ? theme.onAccent : theme.muted;
    if (!isEnabled()) {
        ink = theme.muted;
        ink.setAlphaF(0.65F);
        faint = ink;
    }
    painter.setFont(font());
    painter.setPen(ink);
    if (key_.isEmpty()) {
        painter.drawText(rect(), Qt::AlignCenter, text());
        return;
    }
    painter.drawText(rect().adjusted(11, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.setFont(uiFont(11));
    painter.setPen(faint);
    painter.drawText(rect().adjusted(0, 0, -11, 0), Qt::AlignRight | Qt::AlignVCenter, key_);
}

} // namespace pipeloom::designer
