// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The parts that a figure is put together from. Each says how high it is, and paints itself at a height.

#include "app/designer/export/figure.h"
#include "app/designer/view/coordinates.h"
#include "app/designer/view/pass_look.h"

#include <QFontMetricsF>

namespace pipeloom::designer {

/// What all parts share: theme, fonts, measures. Lengths in pixels of 1/96 inch.
struct Sheet {
    Sheet(const Figures& of, const FigureOptions& asked);

    const Figures& figures;
    const FigureOptions& options;
    Theme theme;
    QFont font;
    QFont bold;
    QFont small;
    double text;       ///< height of text
    double line;       ///< from line to line
    double margin;     ///< around everything
    double labelWidth; ///< left of the rows
    double rowHeight;  ///< of the passes of a device
    [[nodiscard]] double left() const { return margin + labelWidth; }
    [[nodiscard]] double areaWidth() const { return options.width - left() - margin; }
    [[nodiscard]] bool named(double height) const { return height >= 0.9 * text; } ///< a row has its device's name
};

[[nodiscard]] double blockHeight(const Sheet& sheet);
void paintBlock(QPainter& painter, const Sheet& sheet, double top);
[[nodiscard]] double scheduleHeight(const Sheet& sheet);
void paintSchedule(QPainter& painter, const Sheet& sheet, double top);

/// Ticks with numbers above the rows, at multiples of `unit`, and lines of the grid down to `bottom`.
void paintRuler(
    QPainter& painter, const Sheet& sheet, const TimeMap& time, Ticks last, Ticks unit, double top, double bottom);
void paintDeviceName(QPainter& painter, const Sheet& sheet, int device, double top, double height);

/// Lines of text that fit the figure's width, broken at the dots between its parts.
[[nodiscard]] QStringList wrapped(const Sheet& sheet, const QString& text);

} // namespace pipeloom::designer
