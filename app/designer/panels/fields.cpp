// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/fields.h"

#include "app/designer/style/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyleOptionSlider>
#include <QStyleOptionSpinBox>
#include <QWheelEvent>

#include <algorithm>
#include <limits>

namespace pipeloom::designer {

TextField::TextField(const QString& name, QWidget* parent)
    : QLineEdit(parent)
{
    setObjectName(name);
    connect(this, &QLineEdit::editingFinished, this, [this] {
        if (text() != value_)
            Q_EMIT settled(text());
    });
}

void TextField::setValue(const QString& value)
{
    if (value == value_)
        return;
    value_ = value;
    setText(value);
    setCursorPosition(0); // of a long text the beginning is seen
    Q_EMIT dropped();
}

void TextField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && text() != value_) {
        setText(value_);
        selectAll();
        Q_EMIT dropped();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

NumberField::NumberField(const QString& name, QWidget* parent)
    : QSpinBox(parent)
{
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    setKeyboardTracking(false);
    setRange(0, std::numeric_limits<int>::max());
    connect(this, &QSpinBox::valueChanged, this, [this](int value) {
        if (value != known_)
            Q_EMIT settled(value, stepping_);
    });
}

void NumberField::setKnown(int value)
{
    const bool other = value != known_;
    known_ = value;
    if (value != this->value()) {
        const QSignalBlocker quiet(this);
        setValue(value);
    }
    if (other)
        Q_EMIT dropped();
}

/// As a line of text looks, with two small arrows: Fusion's spin boxes are drawn darker than its lines of text.
void NumberField::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(this);
    QStyleOptionSpinBox option;
    initStyleOption(&option);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? theme.accent : theme.border);
    painter.setBrush(isEnabled() ? theme.panel : theme.window);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    for (const bool up : { true, false }) {
        const QStyle::SubControl part = up ? QStyle::SC_SpinBoxUp : QStyle::SC_SpinBoxDown;
        const QRect button = style()->subControlRect(QStyle::CC_SpinBox, &option, part, this);
        const bool can = isEnabled() && (option.stepEnabled & (up ? StepUpEnabled : StepDownEnabled));
        const bool pressed = option.activeSubControls == part && (option.state & QStyle::State_Sunken);
        QColor colour = pressed ? theme.accent : theme.muted;
        colour.setAlphaF(can ? 1 : 0.4F);
        painter.setPen(QPen(colour, 1.4));
        const QPointF middle = QRectF(button).center();
        const double by = up ? 1.7 : -1.7;
        painter.drawPolyline(QPolygonF { { middle.x() - 3.2, middle.y() + by }, { middle.x(), middle.y() - by },
            { middle.x() + 3.2, middle.y() + by } });
    }
}

void NumberField::stepBy(int steps)
{
    stepping_ = true;
    QSpinBox::stepBy(steps);
    stepping_ = false;
}

void NumberField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && (cleanText() != QString::number(known_) || value() != known_)) {
        {
            const QSignalBlocker quiet(this);
            lineEdit()->setText(QString::number(known_));
            setValue(known_);
        }
        selectAll();
        Q_EMIT dropped();
        return;
    }
    QSpinBox::keyPressEvent(event);
}

void NumberField::keyReleaseEvent(QKeyEvent* event)
{
    QSpinBox::keyReleaseEvent(event);
    if (!event->isAutoRepeat())
        Q_EMIT released();
}

void NumberField::mouseReleaseEvent(QMouseEvent* event)
{
    QSpinBox::mouseReleaseEvent(event);
    Q_EMIT released();
}

void NumberField::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QSpinBox::wheelEvent(event);
    else
        event->ignore();
}

ChoiceField::ChoiceField(const QString& name, QWidget* parent)
    : QComboBox(parent)
{
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
}

void ChoiceField::setKnown(int index)
{
    const QSignalBlocker quiet(this);
    setCurrentIndex(index);
}

SliderField::SliderField(const QString& name, QWidget* parent)
    : QSlider(Qt::Horizontal, parent)
{
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
}

void SliderField::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(this);
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRectF handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    const double middle = height() / 2.0;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.gridStrong);
    painter.drawRoundedRect(QRectF(4, middle - 2, width() - 8, 4), 2, 2);
    const QColor colour = isEnabled() ? theme.accent : theme.muted;
    painter.setBrush(colour);
    painter.drawRoundedRect(QRectF(4, middle - 2, std::max(handle.center().x() - 4, 0.0), 4), 2, 2);
    const double radius = 6.5;
    painter.setPen(QPen(colour, 2));
    painter.setBrush(isSliderDown() ? theme.accentSoft : theme.panel);
    painter.drawEllipse(
        QPointF(std::clamp(handle.center().x(), radius + 1.5, width() - radius - 1.5), middle), radius, radius);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void SliderField::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QSlider::wheelEvent(event);
    else
        event->ignore();
}

void ChoiceField::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace pipeloom::designer
