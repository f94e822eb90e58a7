// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Devices as rows, time as columns, in as many bands below each other as the width demands.

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/drawing/lane.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace pipeloom::cli {

/// How much of the time is to be drawn, and how.
struct View {
    std::optional<Ticks> from;
    std::optional<Ticks> to;
    bool fit = false; ///< all in one band, at as many ticks per column as that takes
};

/// Bands that are drawn unless the end is asked for; a longer drawing is one to page through.
inline constexpr std::int64_t usualBands = 8;

struct Chart {
    std::vector<Lane> lanes;
    Labels labels;
    Ticks end = 0;               ///< of the last pass
    std::string unit = "ticks";  ///< what the ruler counts
    std::optional<Ticks> period; ///< that the ruler goes by: a block's interval
    bool mayTouch = false;       ///< labels may stand without a blank between them, if that makes one band of two
    StripStyle strip;
};

/// The drawing as it was laid out.
struct Layout {
    LaneStyle style;
    bool labelled = true; ///< some pass has room for its label
    Ticks rulerStep = 1;
    Ticks bandTicks = 1;
    TimeRange drawn; ///< what the bands show
    TimeRange all;   ///< what there is
    std::int64_t gutter = 0;
};

/// Lays the chart out for the width: the scale at which passes can be read, in bands of equal length.
[[nodiscard]] Layout layOut(const Chart& chart, const View& view, const Terminal& terminal);

/// Draws it. Bands of many devices and passes are long: each line is written as it is made.
void draw(const Chart& chart, const Layout& layout, Output& out);

/// What there is beyond what is drawn, and how to see it; empty if all is drawn.
[[nodiscard]] std::string remainderText(const Layout& layout);

} // namespace pipeloom::cli
