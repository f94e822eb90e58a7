// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The timelines of all designs one above the other on one time axis: a thin row a device. The end of the first design goes
// through all of them as a dashed line.

#include "app/designer/compare/compare_list.h"
#include "app/designer/view/time_axis.h"

#include <QAbstractScrollArea>
#include <QImage>

namespace pipeloom::designer {

class CompareStrips : public QAbstractScrollArea {
    Q_OBJECT
public:
    CompareStrips(CompareList& list, TimeAxis& axis, QWidget* parent = nullptr);

    /// Where the rows of a design are, in the viewport; its title stands above them.
    [[nodiscard]] QRect rowsRect(int design) const;
    /// The axis counts in ticks of the first design; x of a time of any design, in the viewport.
    [[nodiscard]] double xOf(int design, Ticks time) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void take();
    void placeScrollBar();
    void paintRows(const QRect& clip);
    void paintTitles(QPainter& painter, const QRect& clip) const;
    void paintRuler(QPainter& painter) const;
    [[nodiscard]] int rowHeight(int design) const;
    [[nodiscard]] int heightOf(int design) const;
    [[nodiscard]] TimeMap mapOf(int design) const;
    [[nodiscard]] QString wordsAt(QPoint at) const;

    CompareList& list_;
    TimeAxis& axis_;
    QImage image_;
    int panFrom_ = -1;
};

} // namespace pipeloom::designer
