// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where stages live, to be seen and to be dragged: devices are rows, stages columns in the order that a micro-batch takes
// them. A stage is dragged up or down to another device.

#include "core/pipeline/pipeline.h"

#include <QWidget>

#include <optional>

namespace pipeloom::designer {

class PlacementBoard : public QWidget {
    Q_OBJECT
public:
    explicit PlacementBoard(QWidget* parent = nullptr);

    void setPlacement(const Placement& placement, std::int32_t devices);
    /// Where the chip of a stage is.
    [[nodiscard]] QRect chipRect(StageId stage) const;
    [[nodiscard]] std::optional<StageId> chosen() const { return chosen_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// A stage was dropped on another device, or sent there by Ctrl+Up and Ctrl+Down.
    void stageMoved(pipeloom::StageId stage, pipeloom::DeviceId device);
    void chosenChanged(const QRect& where); ///< for scrolling there

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int columnWidth() const;
    [[nodiscard]] QRect cell(std::int32_t stage, std::int32_t device) const;
    [[nodiscard]] std::int32_t deviceAt(int y) const;
    void choose(std::int32_t stage);

    Placement placement_;
    std::int32_t devices_ = 0;
    std::optional<StageId> chosen_;
    std::optional<DeviceId> target_; ///< while dragging: where it would drop
    bool dragging_ = false;
};

} // namespace pipeloom::designer
