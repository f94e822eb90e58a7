// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The whole step as a strip: each device a line, its passes where they can be told apart, else how busy it is; a window around what the timeline shows, ticks where a search
// has hits. Drag an edge of the window, drag inside to move it, drag outside for a new one, click to jump.

#include "app/designer/schedule/schedule_view.h"

namespace pipeloom::designer {

class ScheduleMinimap : public QWidget {
    Q_OBJECT
public:
    explicit ScheduleMinimap(TimeAxis& axis, QWidget* parent = nullptr);

    void setData(ScheduleDataPtr schedule);
    void setHits(const std::vector<PassIndex>& hits, PassIndex current);
    void setFade(double fade);
    /// Where the plot lies, so that times stand below those of the timeline.
    void setPlot(double left, double width);

    /// The window around what is shown, in pixels.
    [[nodiscard]] QRectF window() const;
    [[nodiscard]] double xOf(double time) const;
    [[nodiscard]] double timeAt(double x) const;

    QSize sizeHint() const override { return { 600, 40 }; }
    QSize minimumSizeHint() const override { return { 120, 40 }; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Gesture : std::uint8_t { None, LeftEdge, RightEdge, Inside, Outside };

    void paintPicture();
    void paintHeat(DeviceId device, const TimeMap& map, int top, int height);
    void slideTo(double from, double to);
    [[nodiscard]] Gesture gestureAt(double x) const;
    [[nodiscard]] TimeMap wholeMap() const;

    TimeAxis& axis_;
    ScheduleDataPtr data_;
    QImage picture_;
    bool pictureIsStale_ = true;
    double fade_ = 0;
    double left_ = 0;
    double width_ = 1;
    std::vector<PassIndex> hits_;
    PassIndex currentHit_ = -1;
    Gesture gesture_ = Gesture::None;
    double pressedX_ = 0;
    bool moved_ = false;
    double fromBefore_ = 0; ///< of the window, when the button went down
    double toBefore_ = 0;
};

} // namespace pipeloom::designer
