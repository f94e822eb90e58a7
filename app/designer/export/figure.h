// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Block and schedule as a figure to publish: exact rectangles and vector text on any painter, at a width that is chosen.
// Unlike the views it draws every pass, however small; passCount says how many that are.

#include "app/designer/figures/figures.h"
#include "app/designer/style/theme.h"

#include <QPainter>
#include <QSizeF>
#include <QString>

#include <atomic>

namespace pipeloom::designer {

/// Millimetres as pixels of 1/96 inch.
[[nodiscard]] constexpr double pixelsOfMm(double mm) { return mm / 25.4 * 96; }

struct FigureOptions {
    enum class What { Block, Schedule, Both };
    What what = What::Both;
    double width = pixelsOfMm(174);    ///< pixels of 1/96 inch; two columns of a journal
    double textPixels = 8 * 96.0 / 72; ///< 8 pt
    QString title;                     ///< above; empty: none
    bool greyscale = false;
    bool labels = true; ///< on passes that are wide enough
    bool memory = true; ///< lifespans in the block, curves with the limit in the schedule
    bool legend = true;
    bool caption = true;   ///< a line with sizes and figures below
    bool dark = false;     ///< for previews in a dark window; a paper is light
    bool everyPass = true; ///< false: passes that no pixel of their own is left for are skipped, for previews
    const std::atomic_bool* cancelled = nullptr; ///< once true, the rest is left out
};

inline constexpr std::int64_t manyPasses = 50'000; ///< from here on files get large and slow to open

/// What is drawn is there: the block has passes, the schedule a timeline.
[[nodiscard]] bool hasFigure(const Figures& figures, FigureOptions::What what);
/// How many passes it draws.
[[nodiscard]] std::int64_t passCount(const Figures& figures, FigureOptions::What what);
/// Why it must not be exported, or empty: the block is broken, incomplete or still being worked out.
[[nodiscard]] QString exportProblem(const Figures& figures);

/// Sizes and figures in one line, as the caption and the file's description have it.
[[nodiscard]] QString captionText(const Figures& figures);

/// Width as asked for, and the height that follows.
[[nodiscard]] QSizeF figureSize(const Figures& figures, const FigureOptions& options);
/// Paints it at the painter's origin, background included.
void paintFigure(QPainter& painter, const Figures& figures, const FigureOptions& options);

/// F, B and W and all else in the grey that a printer makes of it.
[[nodiscard]] Theme inGreyscale(Theme theme);

} // namespace pipeloom::designer
