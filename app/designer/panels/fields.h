// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Fields of the inspector: they look like one another, tell when a person has settled on a value, put the old one back at Esc, and leave the wheel
// to the panel unless they have the focus.

#include <QComboBox>
#include <QLineEdit>
#include <QSlider>
#include <QSpinBox>

namespace pipeloom::designer {

/// A line of text, settled by Enter or by leaving the field.
class TextField : public QLineEdit {
    Q_OBJECT
public:
    explicit TextField(const QString& name, QWidget* parent = nullptr);

    /// The value of the design. What is being typed stays as long as this stays the same.
    void setValue(const QString& value);
    /// Drops what was typed.
    void reset() { setText(value_); }

Q_SIGNALS:
    void settled(const QString& text); ///< differs from the value
    void dropped();                    ///< what was typed is gone: Esc, or the design has another value now

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString value_;
};

/// A whole number.
class NumberField : public QSpinBox {
    Q_OBJECT
public:
    explicit NumberField(const QString& name, QWidget* parent = nullptr);

    /// The value of the design.
    void setKnown(int value);

Q_SIGNALS:
    /// `stepped`: by arrow, key or wheel, so that a held one can be one undo step.
    void settled(int value, bool stepped);
    void released(); ///< the arrow or key was let go
    void dropped();

protected:
    void paintEvent(QPaintEvent* event) override;
    void stepBy(int steps) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    int known_ = 0;
    bool stepping_ = false;
};

/// One of a few.
class ChoiceField : public QComboBox {
    Q_OBJECT
public:
    explicit ChoiceField(const QString& name, QWidget* parent = nullptr);

    /// The value of the design, by index; no signal.
    void setKnown(int index);

protected:
    void wheelEvent(QWheelEvent* event) override;
};

/// A level between two ends: a line with a ring on it.
class SliderField : public QSlider {
    Q_OBJECT
public:
    explicit SliderField(const QString& name, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
};

} // namespace pipeloom::designer
