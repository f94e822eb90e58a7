// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One device's share of a drawing: its passes, and its memory below them.

#include "app/cli/console/terminal.h"
#include "app/cli/drawing/labels.h"
#include "app/cli/drawing/line.h"
#include "app/cli/drawing/scale.h"
#include "core/timeline/metrics.h"
#include "core/timeline/timeline.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pipeloom::cli {

struct Lane {
    DeviceId device;
    std::span<const TimedPass> passes; ///< by start; the second of a pair after its first
    std::vector<LevelChange> levels;   ///< of memory; empty: no strip is drawn
    std::optional<Bytes> limit;        ///< above it levels are marked
};

/// Columns that a line shows: `count` from `first` on, as the scale counts them; idle time only before `end`.
struct Window {
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::int64_t end = 0;
};

/// Labels: each pass with its label and a clear fill. Shares: a letter for what takes most of each column, where passes
/// are mostly shorter than that.
enum class Detail : unsigned char { Labels, Shares };

struct LaneStyle {
    Scale scale;
    Detail detail = Detail::Labels;
    std::int64_t cell = 1; ///< columns from one dot of idle time to the next
    Colours colours = Colours::None;
    Characters characters = Characters::Ascii;
};

/// The passes. Where two passes of the device overlap, which a legal block has not: `!`.
[[nodiscard]] Line passLine(const Lane& lane, const Labels& labels, const LaneStyle& style, const Window& window);

/// How levels are drawn: as numbers in cells of their own, or as columns that stand on `base` and go up to `full`.
struct StripStyle {
    bool numbers = true;
    std::int64_t cell = 1;
    Bytes base = 0;
    Bytes full = 1;
};

/// The memory: the highest level in the time of each cell, or of each column.
[[nodiscard]] Line stripLine(const Lane& lane, const LaneStyle& style, const StripStyle& strip, const Window& window);

} // namespace pipeloom::cli
