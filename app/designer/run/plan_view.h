// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The timeline of plan and actual: one widget that paints the step that a session shows, looks after what part is seen, what
// is selected, measured and hovered. Panning and measuring leave the session's live mode.

#include "app/designer/run/plan_hit.h"
#include "app/designer/run/plan_overlays.h"
#include "app/designer/run/plan_painter.h"
#include "app/designer/view/accessible_rows.h"
#include "app/designer/view/time_axis.h"

#include <QImage>
#include <QWidget>

class QScrollBar;

namespace pipeloom::designer {

class RunSession;

class PlanView : public QWidget, public AccessibleRows {
    Q_OBJECT
public:
    /// The session must live longer.
    explicit PlanView(RunSession& session, QWidget* parent = nullptr);
    ~PlanView() override;

    void setColours(RunColours colours);
    [[nodiscard]] RunColours colours() const { return colours_; }
    /// One step higher (1) or lower (-1).
    void stepRowHeight(int steps);
    /// None: as high as fits.
    void setRowHeight(std::optional<double> pixels);

    /// Highlighted in plan and actual; none clears.
    void select(std::optional<Pass> pass);
    [[nodiscard]] const std::optional<Pass>& selection() const { return overlays_.selected; }
    /// Selects it and brings it into view.
    void showPass(const Pass& pass);
    /// Marks its rows and brings them into view.
    void showDevice(DeviceId device);
    [[nodiscard]] std::optional<TimeRange> range() const;
    void setRange(std::optional<TimeRange> range);

    // What the actions do.
    void fit();
    void focusSelection();        ///< brings it into the middle; if it is there, zooms to it
    void zoomBy(double factor);   ///< about the mouse, else the middle
    void selectNeighbour(int by); ///< next (1) or previous (-1) of the same device
    void selectAlong(int by);     ///< what it feeds (1) or needs (-1)
    void rangeFromSelection();
    void zoomToRange();

    [[nodiscard]] TimeAxis& axis() { return axis_; }
    /// The step as it is shown now.
    [[nodiscard]] const RunPicture& picture() const;
    /// What is drawn now, for hit tests and pictures.
    [[nodiscard]] PlanScene scene() const;
    [[nodiscard]] const PlanOverlays& overlays() const { return overlays_; }
    /// What is said while nothing is hovered or selected.
    [[nodiscard]] QString standingText() const;

    [[nodiscard]] int accessibleRowCount() const override;
    [[nodiscard]] int accessibleCellCount(int row) const override;
    [[nodiscard]] QString accessibleRowName(int row) const override;
    [[nodiscard]] QString accessibleCellName(AccessiblePlace place) const override;
    [[nodiscard]] QRect accessibleCellRect(AccessiblePlace place) const override;
    [[nodiscard]] AccessiblePlace accessibleCellAt(QPoint at) const override;
    [[nodiscard]] bool isAccessibleCellSelected(AccessiblePlace place) const override;
    [[nodiscard]] AccessiblePlace accessibleCurrent() const override;
    void selectAccessibleCell(AccessiblePlace place) override;

    QSize minimumSizeHint() const override { return { 260, 110 }; }
    QSize sizeHint() const override { return { 1000, 480 }; }

Q_SIGNALS:
    void statusText(const QString& sentence); ///< on what is hovered, selected or measured
    void selectionChanged();
    void rangeChanged();
    void pictureChanged(); ///< another step or plan, or more of it

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
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Gesture : std::uint8_t { None, Press, Range, RangeEdge, Pan, ZoomBox };

    void takeSession(); ///< soon: another step, or more of it
    void refresh() const;
    void makeLabels() const;
    void invalidate(); ///< the picture is made anew
    void layOut();
    void setBounds();
    void leaveLive();
    void hover(QPointF at);
    void tell(const PlanHit& hit);
    void showTip(const QPoint& at, const QPoint& global);
    void paintEmpty(QPainter& painter) const;
    [[nodiscard]] bool isOnRangeEdge(QPointF at, Ticks& other) const;
    void clickAt(QPointF at);
    void startGesture();
    void dragTo(QPointF at);
    void dragRange(QPointF at);
    void endGesture(bool keep);
    bool moveKey(const QKeyEvent& event);
    bool nativePinch(QEvent* event);
    void reveal(const Pass& pass);
    [[nodiscard]] std::optional<Pass> passAt(AccessiblePlace place) const;
    /// Cells are the device's passes of the plan, or those that ran where there is no plan.
    [[nodiscard]] TimelineRow cells(std::int32_t device) const;

    RunSession& session_;
    TimeAxis axis_;
    QScrollBar* scrollBar_;
    mutable RunPicture shown_;
    mutable RunPlanPtr taken_; ///< the plan that it was made with
    mutable std::vector<PlanLabel> labels_;
    mutable bool isStale_ = true; ///< shown_ is not what the session shows
    PlanPainter painter_;
    QImage image_;
    bool imageIsStale_ = true;
    PlanOverlays overlays_;

    RunColours colours_ = RunColours::Lateness;
    double rowHeight_ = 116;
    std::optional<double> chosenHeight_;
    double labelWidth_ = 100;
    std::optional<QPointF> mouse_;

    Gesture gesture_ = Gesture::None;
    QPointF pressedAt_;
    QPointF draggedTo_;
    Qt::KeyboardModifiers pressedWith_;
    Qt::MouseButton pressedButton_ = Qt::NoButton;
    std::optional<TimeRange> rangeBefore_;
    Ticks rangeAnchor_ = 0;
};

} // namespace pipeloom::designer
