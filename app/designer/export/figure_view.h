// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A figure on the screen: the preview of an export, the picture of a library schedule. Painted once and kept until the
// figures, the options, the size or the theme change.

#include "app/designer/export/figure.h"

#include <QPixmap>
#include <QWidget>

namespace pipeloom::designer {

class FigureView : public QWidget {
    Q_OBJECT
public:
    explicit FigureView(QWidget* parent = nullptr);

    /// With the options as they are. The figure takes the width of the widget and is cut at its lower edge.
    void show(FiguresPtr figures);
    using QWidget::show;
    /// A figure as exported: of the width of the options, made smaller if the widget is smaller.
    void show(FiguresPtr figures, const FigureOptions& options);
    void clear();
    [[nodiscard]] QSize sizeHint() const override { return { 640, 320 }; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void draw();

    FiguresPtr figures_;
    std::optional<FigureOptions> asked_;
    QPixmap picture_;
};

} // namespace pipeloom::designer
