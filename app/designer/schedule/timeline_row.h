// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The passes of one device as pictures need them, be they simulated or measured; and where they stand in a picture. Drawing
// and hit test of every timeline go by these.

#include "app/designer/view/coordinates.h"
#include "core/timeline/timeline.h"

#include <QRectF>

#include <cstdint>
#include <span>

namespace pipeloom::designer {

/// The whole device pixel nearest to a place, for x > -32. Drawing and hit test round in this one way.
[[nodiscard]] inline int nearestPixel(double x) { return static_cast<int>(x + 32.5) - 32; }

/// Looks at tables that must live longer.
struct TimelineRow {
    std::span<const TimedPass> passes; ///< by start
    Ticks longest = 0;                 ///< of its passes
    Ticks firstStart = 0;
    Ticks lastEnd = 0;
    double meanTicks = 0; ///< of its passes; 0 if it has none
    Ticks period = 1;     ///< what strips are averaged over
    std::span<const std::int32_t>
        chunks;                          ///< by stage: 0 for the first that the device holds, then 1, ...; empty: all 0
    std::span<const std::int8_t> grades; ///< by pass: its place on a scale of tones; empty: coloured by what it is

    /// The first pass that may still run at that time or later: all before it end at or before it. passes.size() if none does.
    [[nodiscard]] std::size_t firstAfter(double time) const;
    [[nodiscard]] std::int32_t chunk(StageId stage) const { return chunks.empty() ? 0 : chunks[stage.index()]; }
    /// The next pass is the second of a pair with this one.
    [[nodiscard]] bool opensPair(std::size_t pass) const { return pass + 1 < passes.size() && passes[pass + 1].joined; }
};

/// Where a row is drawn, in device-independent pixels.
struct RowPlace {
    TimeMap map;     ///< from the left edge of the plot
    double left = 0; ///< of the plot
    double width = 0;
    double top = 0;
    double height = 0;
    double ratio = 1; ///< device pixels for each pixel

    /// Where the plot begins in device pixels; passes are snapped from there on.
    [[nodiscard]] double plotPixel() const;
    /// A pass as it is drawn where passes are told apart, edges snapped; half the height for one of a pair.
    [[nodiscard]] QRectF rectOf(const TimelineRow& row, std::size_t pass) const;
};

/// Passes under a pixel: the first, and how many.
struct RowHit {
    std::size_t pass = 0;
    std::int32_t count = 0;
};
/// What runs at any time of [from, to).
[[nodiscard]] RowHit passesBetween(const TimelineRow& row, double from, double to);
/// Where strips are drawn: the passes in a column of device pixels from the plot's left edge, or else those that its tone is
/// the average of; `averaged` then.
struct ColumnHit {
    RowHit hit;
    bool averaged = false;
};
[[nodiscard]] ColumnHit passesInColumn(const TimelineRow& row, const RowPlace& place, double column);
/// Where passes are boxes: the one drawn last in a column of device pixels, of pairs the half above or below.
[[nodiscard]] RowHit passInColumn(const TimelineRow& row, const RowPlace& place, double column, bool below);

} // namespace pipeloom::designer
