// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/fields.h"

#include <QKeyEvent>
#include <QSignalBlocker>
#include <QWheelEvent>

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

void ChoiceField::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace pipeloom::designer
