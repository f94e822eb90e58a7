// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All steps of a run on one line, with marks where something happened: the step shown can be dragged along it.

#include <QColor>
#include <QPointF>
#include <QWidget>

#include <cstdint>
#include <vector>

namespace pipeloom::designer {

class StepSlider : public QWidget {
    Q_OBJECT
public:
    /// What happened at a step.
    struct Mark {
        enum class Kind : std::uint8_t { Checkpoint, Alarm, Rollback };
        std::int64_t step = 0;
        Kind kind = Kind::Checkpoint;
        QString text;
    };

    explicit StepSlider(QWidget* parent = nullptr);

    /// Steps that can be shown are [first, newest], the run goes on to `last`. first > newest: none.
    void setSteps(std::int64_t first, std::int64_t newest, std::int64_t last);
    void setCurrent(std::int64_t step);
    [[nodiscard]] std::int64_t current() const { return current_; }
    void setMarks(std::vector<Mark> marks);
    [[nodiscard]] const std::vector<Mark>& marks() const { return marks_; }
    /// Where a step stands, in pixels.
    [[nodiscard]] double xOf(std::int64_t step) const;

    [[nodiscard]] QSize sizeHint() const override { return { 260, 26 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 60, 26 }; }

Q_SIGNALS:
    void stepChosen(std::int64_t step);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] bool isEmpty() const { return newest_ < first_; }
    [[nodiscard]] std::int64_t stepAt(double x) const;
    [[nodiscard]] QString textAt(double x) const;
    void choose(std::int64_t step);

    std::int64_t first_ = 0;
    std::int64_t newest_ = -1;
    std::int64_t last_ = -1;
    std::int64_t current_ = -1;
    std::vector<Mark> marks_;
};

} // namespace pipeloom::designer
