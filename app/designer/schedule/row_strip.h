// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a row comes to where its passes are too narrow to be told apart: by pixel column the true share of F, B and W, and
// the most memory held. Nothing is rounded up, so idle time stays as visible as it is.

#include "app/designer/schedule/schedule_data.h"
#include "app/designer/view/coordinates.h"

#include <array>
#include <vector>

namespace pipeloom::designer {

/// Shares of one pixel column; they and idle add up to 1. BW counts as B, a pair half as each of its two.
struct ColumnShares {
    std::array<float, 3> of {}; ///< F, B, W

    [[nodiscard]] float busy() const { return of[0] + of[1] + of[2]; }
};

/// Shares of the columns 0..columns-1 of a map. O(visible passes + columns). `shares` is made of that length.
void columnShares(const TimelineRow& row, const TimeMap& map, std::size_t columns, std::vector<ColumnShares>& shares);

/// The same, averaged over stretches of the row's period from 0 on where they are wider than a column, and clipped to the row's
/// first start and last end: what is drawn. The sum over all columns stays what the passes come to.
void averagedShares(const TimelineRow& row, const TimeMap& map, std::size_t columns, std::vector<ColumnShares>& shares);

/// The most memory held in a column.
struct ColumnLevel {
    Bytes most = outside;

    static constexpr Bytes outside = -1; ///< before the device's first start or after its last end
    [[nodiscard]] bool inside() const { return most != outside; }
};

/// The levels of a device's memory, given by their changes, from the first change on until `until`.
void columnLevels(std::span<const LevelChange> changes, Ticks until, const TimeMap& map, std::size_t columns,
    std::vector<ColumnLevel>& levels);

/// The same for a schedule's row.
void columnLevels(const ScheduleData& data, DeviceId device, const TimeMap& map, std::size_t columns,
    std::vector<ColumnLevel>& levels);

} // namespace pipeloom::designer
