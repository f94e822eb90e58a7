// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The timeline itself: one widget that paints all rows, looks after what part is seen, what is selected, measured and
// hovered. It changes nothing of the design; moves of passes are asked for by signals.

#include "app/designer/schedule/timeline_hit.h"
#include "app/designer/schedule/timeline_overlays.h"
#include "app/designer/schedule/timeline_painter.h"
#include "app/designer/view/accessible_rows.h"
#include "app/designer/view/time_axis.h"

#include <QBasicTimer>
#include <QWidget>

#include <memory>

class QScrollBar;

namespace pipeloom::designer {

using ScheduleDataPtr = std::shared_ptr<const ScheduleData>;

class ScheduleView : public QWidget, public AccessibleRows {
    Q_OBJECT
public:
    /// The axis is shared with the minimap and must live longer.
    explicit ScheduleView(TimeAxis& axis, QWidget* parent = nullptr);
    ~ScheduleView() override;

    /// Null or empty: the empty text is shown. Selection and range stay where their passes and times still are.
    void setData(ScheduleDataPtr schedule);
    [[nodiscard]] const ScheduleDataPtr& schedule() const { return data_; }
    /// What is shown while there is no timeline: what is missing, and what to do about it.
    void setEmptyText(const QString& title, const QString& hint);
    /// 0..1: paler, for figures that do not hold yet.
    void setFade(double fade);
    /// The end of the step before a gesture; a dashed line.
    void setEndBefore(std::optional<Ticks> end);

    void setColourMode(ColourMode mode);
    [[nodiscard]] ColourMode colourMode() const { return colours_; }
    void setMemoryShown(bool shown);
    [[nodiscard]] bool isMemoryShown() const { return memory_; }
    void setCriticalPathShown(bool shown);
    [[nodiscard]] bool isCriticalPathShown() const { return critical_; }
    /// None: as high as fits.
    void setRowHeight(std::optional<double> pixels);
    /// One step higher (1) or lower (-1).
    void stepRowHeight(int steps);
    /// Left-drag on a pass moves it along its row.
    void setOrderEditable(bool editable) { orderEditable_ = editable; }
    [[nodiscard]] bool isOrderEditable() const { return orderEditable_; }
    /// Whether the place under a moved pass is refused.
    void setDropRefused(bool refused);

    [[nodiscard]] const std::vector<Pass>& selection() const { return selection_; }
    void select(std::vector<Pass> passes);
    /// Makes sure that a pass is seen, moving as little as need be.
    void reveal(PassIndex pass);
    [[nodiscard]] const std::optional<TimeRange>& range() const { return range_; }
    void setRange(std::optional<TimeRange> range);
    [[nodiscard]] const std::optional<RangeFigures>& rangeFigures() const { return overlays_.range; }
    [[nodiscard]] const std::vector<TimeRange>& marks() const { return overlays_.marks; }
    /// Hits of a search, outlined; `current` more so.
    void setHits(std::vector<PassIndex> hits, PassIndex current);

    // What the actions do.
    void fit();
    void focusSelection();        ///< brings it into the middle; if it is there, zooms to it
    void zoomBy(double factor);   ///< about the mouse, else the middle
    void selectNeighbour(int by); ///< next (1) or previous (-1) of the same row
    void selectAlong(int by);     ///< what it feeds (1) or needs (-1)
    void cycleAlong(int by);      ///< another one of those
    void selectMicroBatch();      ///< all passes of the micro-batch
    void selectRow();             ///< all passes of its device; then everything
    void rangeFromSelection();
    void keepMark();
    void deleteMarks(); ///< the range, else the newest mark
    void zoomToRange();

    /// What is drawn now, for hit tests and pictures.
    [[nodiscard]] TimelineScene scene() const;
    [[nodiscard]] const TimelineOverlays& overlays() const { return overlays_; }

    [[nodiscard]] int accessibleRowCount() const override;
    [[nodiscard]] int accessibleCellCount(int row) const override;
    [[nodiscard]] QString accessibleRowName(int row) const override;
    [[nodiscard]] QString accessibleCellName(AccessiblePlace place) const override;
    [[nodiscard]] QRect accessibleCellRect(AccessiblePlace place) const override;
    [[nodiscard]] AccessiblePlace accessibleCellAt(QPoint at) const override;
    [[nodiscard]] bool isAccessibleCellSelected(AccessiblePlace place) const override;
    [[nodiscard]] AccessiblePlace accessibleCurrent() const override;
    void selectAccessibleCell(AccessiblePlace place) override;

    QSize minimumSizeHint() const override { return { 240, 96 }; }
    QSize sizeHint() const override { return { 900, 360 }; }

Q_SIGNALS:
    void statusText(const QString& sentence); ///< on what is hovered, selected or measured
    void selectionChanged();
    void rangeChanged();
    void viewportChanged();       ///< width or place of the plot
    void hovered(int microBatch); ///< -1: none
    void moveBegun();
    void moveTo(int device, int from, int to); ///< slots of the order at the start of the drag
    void moveEnded(bool keep);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Gesture : std::uint8_t { None, Press, Range, RangeEdge, Pan, ZoomBox, Move };

    void invalidate(); ///< the picture is made anew
    void layOut();
    void followSelection();
    void findCriticalPath();
    void hover(QPointF at);
    void tell(const TimelineHit& hit);
    void showTip(const QPoint& at, const QPoint& global);
    void paintEmpty(QPainter& painter) const;
    [[nodiscard]] PassIndex passAt(AccessiblePlace place) const;
    [[nodiscard]] PassIndex primary() const; ///< the pass selected last; -1: none
    [[nodiscard]] bool isOnRangeEdge(QPointF at, Ticks& other) const;
    void clickAt(QPointF at, Qt::KeyboardModifiers modifiers);
    void startGesture(QPointF at, Qt::KeyboardModifiers modifiers);
    void startMove(const TimelineHit& hit);
    void dragTo(QPointF at);
    void dragMove(QPointF at);
    void dragRange(QPointF at);
    void endGesture(bool keep);
    bool zoomKey(const QKeyEvent& event);
    bool nativePinch(QEvent* event);

    TimeAxis& axis_;
    QScrollBar* scrollBar_;
    ScheduleDataPtr data_;
    TimelinePainter painter_;
    QImage picture_;
    bool pictureIsStale_ = true;
    TimelineOverlays overlays_;

    ColourMode colours_ = ColourMode::Kind;
    bool memory_ = true;
    bool critical_ = false;
    bool orderEditable_ = false;
    double fade_ = 0;
    double labelWidth_ = 70;
    std::optional<double> rowHeight_;
    RowLayout layout_;
    QString emptyTitle_;
    QString emptyHint_;

    std::vector<Pass> selection_;
    std::size_t along_ = 0; ///< which of several neighbours was taken last
    std::optional<TimeRange> range_;
    std::int32_t hoveredMicroBatch_ = -1;
    std::optional<QPointF> mouse_;

    Gesture gesture_ = Gesture::None;
    QPointF pressedAt_;
    QPointF draggedTo_;
    Qt::KeyboardModifiers pressedWith_;
    Qt::MouseButton pressedButton_ = Qt::NoButton;
    TimelineHit pressedOn_;
    std::optional<TimeRange> rangeBefore_;
    Ticks rangeAnchor_ = 0;
    bool spaceHeld_ = false;
    std::int32_t moveDevice_ = 0;
    std::int32_t moveFrom_ = 0;
    std::int32_t moveTarget_ = 0;
    std::optional<Pass> movedPass_;
    std::vector<double> slotMiddles_; ///< of the row, when the drag began
};

} // namespace pipeloom::designer
