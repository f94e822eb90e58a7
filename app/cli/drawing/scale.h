// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How time becomes columns of text.

#include "core/finding/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pipeloom::cli {

struct TimeRange {
    Ticks from = 0;
    Ticks to = 0; ///< not in it

    [[nodiscard]] Ticks length() const { return to - from; }
};

/// `columns` columns for every `ticks` ticks; column 0 starts at time 0. Both >= 1; columns below 2^16.
struct Scale {
    std::int64_t columns = 1;
    Ticks ticks = 1;

    /// The column that the time is in. Exact for every time below maxStepTicks.
    [[nodiscard]] std::int64_t columnOf(Ticks time) const;
    /// The tick in which the column begins.
    [[nodiscard]] Ticks timeOf(std::int64_t column) const;
};

/// `a tick is 3 columns`, `a column is 20 ticks`.
[[nodiscard]] std::string text(const Scale& scale);

/// A pass as far as a scale must know it: how long it is, how many columns it needs to be read.
struct Demand {
    Ticks start = 0;
    Ticks duration = 0;
    std::int64_t columns = 1;
};

/// The closest scale at which nine of ten passes are read; a whole column for every tick (or for what all times are a
/// multiple of) where that is wide enough, else whole ticks for every column.
[[nodiscard]] Scale scaleToRead(const std::vector<Demand>& passes);

/// The scale at which the range takes no more than `columns`; `wanted` if it does so already.
[[nodiscard]] Scale scaleToFit(TimeRange range, std::int64_t columns, const Scale& wanted);

/// The largest of 1, 2, 5, 10, 20, ... that is not above `number` (>= 1), and the least that is not below it.
[[nodiscard]] Ticks roundDown(Ticks number);
[[nodiscard]] Ticks roundUp(Ticks number);

} // namespace pipeloom::cli
