// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A figure as a file or on the clipboard: PNG, SVG with text as text, PDF of the chosen paper width.

#include "app/designer/export/figure.h"
#include "core/finding/finding.h"

#include <QImage>

namespace pipeloom::designer {

enum class FigureFormat { Pdf, Svg, Png };

/// `.pdf`, ...
[[nodiscard]] QString suffixOf(FigureFormat format);

/// Writes the figure whole or not at all. `scale`: pixels of a PNG per 1/96 inch. Errors: export/write, with what the system
/// said; export/size, a PNG beyond 16384 pixels. Fit to run on a worker thread.
[[nodiscard]] Findings exportFigure(
    const Figures& figures, const FigureOptions& options, const QString& path, FigureFormat format, double scale = 2);

/// The figure as pixels; its device pixel ratio is `scale`.
[[nodiscard]] QImage figureImage(const Figures& figures, const FigureOptions& options, double scale = 2);
/// The figure as the text of an SVG file.
[[nodiscard]] QByteArray figureSvg(const Figures& figures, const FigureOptions& options);

} // namespace pipeloom::designer
