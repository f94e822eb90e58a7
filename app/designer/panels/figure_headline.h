// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The figures of a step in large: step time, idle share, own-span bubble, each with its definition. Below them one line that
// says how the chosen one is defined or, of a design that is not whole, whose figures these are.

#include "app/designer/figures/figures.h"

#include <QString>
#include <QWidget>

#include <array>

namespace pipeloom::designer {

class FigureHeadline : public QWidget {
    Q_OBJECT
public:
    explicit FigureHeadline(QWidget* parent = nullptr);

    void setFigures(FiguresPtr figures);
    /// The line below the figures, as it is shown.
    [[nodiscard]] const QString& line() const { return line_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return { 200, sizeHint().height() }; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Figure {
        QString value;
        QString before; ///< what it was when squeezed, if reordering changed it
        QString caption;
        QString definition;
        QString details; ///< of the tooltip
    };
    [[nodiscard]] QRect column(std::size_t at) const;
    void choose(std::size_t at);
    void updateLine();
    [[nodiscard]] QFont textFont(int pixels, QFont::Weight weight = QFont::Normal) const;

    FiguresPtr figures_;
    std::array<Figure, 3> shown_;
    std::size_t chosen_ = 1; ///< whose definition stands below
    QString line_;
};

} // namespace pipeloom::designer
