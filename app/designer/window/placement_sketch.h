// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A small picture of where stages live: devices as rows, stages as columns in the order that a micro-batch takes them.

#include "core/pipeline/pipeline.h"

#include <QWidget>

namespace pipeloom::designer {

class PlacementSketch : public QWidget {
    Q_OBJECT
public:
    explicit PlacementSketch(QWidget* parent = nullptr);

    void show(const Pipeline& pipeline);
    using QWidget::show;
    [[nodiscard]] QSize sizeHint() const override { return { 320, 150 }; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Pipeline pipeline_;
};

} // namespace pipeloom::designer
