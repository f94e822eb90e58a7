// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How one pass looks when it is wide enough to be seen alone: fill, edge by two nested fills, underlines that tell the chunk,
// a label. The same in the block editor, the schedule and exported figures.

#include "app/designer/style/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>
#include <QString>

namespace pipeloom::designer {

/// What is drawn of a pass.
struct PassLook {
    PassColours colours;
    PassKind kind = PassKind::F; ///< a BW carries a band of W
    std::int32_t chunk = 0;      ///< 0: no underline; 1..3: as many; more: its stage in the label tells
    QString label;               ///< empty: none fits
};

/// The first of the labels, longest first, that fits the width; none: empty. Labels of as many letters fit alike.
[[nodiscard]] QString fittingLabel(
    const std::initializer_list<QString>& labels, double width, const QFontMetricsF& metrics);

/// Draws it into the rectangle, whose edges are snapped already. The painter's font is used; antialiasing should be off.
void drawPass(QPainter& painter, const QRectF& rect, const PassLook& look, const Theme& theme);

} // namespace pipeloom::designer
