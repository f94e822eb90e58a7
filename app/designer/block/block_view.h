// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The block editor: draws the block of the document and lets it be changed by mouse and keys.

#include "app/designer/block/block_layout.h"
#include "app/designer/block/block_scene.h"
#include "app/designer/block/gesture.h"
#include "app/designer/figures/live_figures.h"
#include "app/designer/view/accessible_rows.h"
#include "app/designer/view/time_axis.h"

#include <QAbstractScrollArea>
#include <QRubberBand>

#include <functional>
#include <memory>
#include <optional>
#include <set>

namespace pipeloom::designer {

enum class BlockTool { Select, PlaceF, PlaceB, PlaceW, Interval };

class BlockView : public QAbstractScrollArea, public AccessibleRows {
    Q_OBJECT
public:
    BlockView(Document& document, LiveFigures& figures, QWidget* parent = nullptr);
    ~BlockView() override;

    [[nodiscard]] BlockTool tool() const { return tool_; }
    void setTool(BlockTool tool);
    /// Indices into the shown block's passes.
    [[nodiscard]] const std::set<std::int32_t>& selected() const { return selected_; }
    void select(std::set<std::int32_t> passes);
    /// By name and device, as findings have it; scrolls there. False if it is not in the block.
    bool selectByName(const QString& name, std::optional<DeviceId> device);
    /// All passes of its row.
    void selectDevice(DeviceId device);
    void setGhosts(bool shown);
    [[nodiscard]] TimeAxis& axis() { return axis_; }
    /// Shows the whole block and its next repeats, no more.
    void fit();
    [[nodiscard]] bool isInGesture() const { return gesture_ != nullptr; }
    void cancelGesture();

    /// Where a pass, the handle of T, or an offset handle is drawn: for tests and for screen readers. Viewport coordinates.
    [[nodiscard]] QRectF rectOf(std::int32_t pass) const;
    [[nodiscard]] QPointF pointOf(DeviceId device, double ticks) const;
    [[nodiscard]] QPointF intervalHandle() const;
    [[nodiscard]] const std::vector<OffsetHandle>& handles() const { return handles_; }
    /// The pass at a point of the viewport.
    [[nodiscard]] std::optional<std::int32_t> passAt(QPointF at) const;
    [[nodiscard]] const GestureMarks& marks() const { return marks_; }

    // A table for screen readers: devices and their passes by start.
    [[nodiscard]] int accessibleRowCount() const override;
    [[nodiscard]] int accessibleCellCount(int row) const override;
    [[nodiscard]] QString accessibleRowName(int row) const override;
    [[nodiscard]] QString accessibleCellName(AccessiblePlace place) const override;
    [[nodiscard]] QRect accessibleCellRect(AccessiblePlace place) const override;
    [[nodiscard]] AccessiblePlace accessibleCellAt(QPoint at) const override;
    [[nodiscard]] bool isAccessibleCellSelected(AccessiblePlace place) const override;
    [[nodiscard]] AccessiblePlace accessibleCurrent() const override;
    void selectAccessibleCell(AccessiblePlace place) override;

    // What the actions do; with nothing selected they say so in the status line.
    void nudge(Ticks by);
    void deleteSelected();
    void copySelected();
    void paste();
    void mirrorSelected();
    void pairSelected();
    void selectStage();
    void selectChunk();
    void selectKind();
    void selectAllMembers();
    void selectNext(int step);
    void selectRow(int step);

Q_SIGNALS:
    void toolChanged(BlockTool tool);
    void selectionChanged();
    void statusText(const QString& text);
    void contextMenuWanted(const QPoint& globalPosition);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void followDesign();
    void followRoute();
    void layOut();
    [[nodiscard]] BlockScene scene() const;
    [[nodiscard]] const BuildingBlock* block() const { return document_.shown()->block(); }
    [[nodiscard]] double scroll() const;
    [[nodiscard]] Pointer pointerAt(QPointF at, Qt::KeyboardModifiers modifiers) const;
    [[nodiscard]] BlockHover hoverAt(QPointF at) const;
    void setHover(BlockHover hover);
    void begin(Gesture gesture);
    void follow(QPointF at, Qt::KeyboardModifiers modifiers);
    void commit();
    void endGesture();
    void startBox(QPointF at, bool adds);
    void moveCaret(int rows, Ticks ticks);
    void placeAtCaret();
    bool pressOnPass(std::int32_t pass, QMouseEvent* event);
    void apply(Edited edited, const QString& mergeKey = {});
    [[nodiscard]] std::vector<std::int32_t> selectedList() const { return { selected_.begin(), selected_.end() }; }
    bool needSelection();
    void widenSelection(const std::function<std::vector<std::int32_t>(std::int32_t)>& more);
    [[nodiscard]] std::optional<std::int32_t> passOf(AccessiblePlace place) const;
    void rememberKeys();
    void recallKeys();

    Document& document_;
    LiveFigures& figures_;
    TimeAxis axis_;
    BlockTool tool_ = BlockTool::Select;
    std::unique_ptr<BlockTables> tables_;
    BlockLayout layout_;
    double rowScale_ = 1;
    bool ghosts_ = true;
    bool fresh_ = true; ///< another document: nothing that is shown need stay
    std::set<std::int32_t> selected_;
    std::vector<Pass> selectedKeys_; ///< what is selected, whatever its index becomes
    BlockHover hover_;
    std::vector<Ticks> legal_;
    RouteId route_;
    std::vector<Leg> legs_;
    std::vector<Turn> turns_;
    std::vector<OffsetHandle> handles_;
    std::optional<std::pair<DeviceId, Ticks>> caret_;

    std::unique_ptr<Gesture> gesture_;
    Gesture::State state_;
    GestureMarks marks_;
    QPointF pressedAt_;
    QPointF lastAt_;
    std::int32_t pressedPass_ = -1; ///< taken hold of, not yet moved
    bool panning_ = false;
    bool spaceHeld_ = false;
    std::unique_ptr<QRubberBand> band_;
    std::set<std::int32_t> bandBase_;
};

} // namespace pipeloom::designer
