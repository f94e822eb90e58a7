// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/style/key_button.h"

#include "app/designer/style/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPointer>

namespace pipeloom::designer {

namespace {

int heightFor(const QFont& font) { return QFontMetrics(font).height() + 12; }

constexpr const char* buttonTextProperty = "buttonText";

} // namespace

void setButtonText(QAction* action, const QString& text) { action->setProperty(buttonTextProperty, text); }

QString buttonText(const QAction* action)
{
    const QVariant shorter = action->property(buttonTextProperty);
    return shorter.isValid() ? shorter.toString() : action->text().remove(QLatin1Char('&'));
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

void KeyButton::showKeyOnlyIn(QWidget* widget)
{
    const auto look = [this, owner = QPointer<QWidget>(widget)](QWidget* focus) {
        keyWorks_ = focus && owner && (focus == owner || owner->isAncestorOf(focus));
        update();
    };
    connect(qApp, &QApplication::focusChanged, this, [look](QWidget*, QWidget* now) { look(now); });
    look(QApplication::focusWidget());
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
    if (keyWorks_)
        painter.drawText(rect().adjusted(0, 0, -11, 0), Qt::AlignRight | Qt::AlignVCenter, key_);
}

} // namespace pipeloom::designer
