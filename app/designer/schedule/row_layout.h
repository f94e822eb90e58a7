// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the parts of a device's row stand, and how much of it is shown at a height: pure numbers that drawing and hit
// test share.

#include <cstdint>

namespace pipeloom::designer {

/// What a row has room for: the memory curve, a strip of its level, or passes alone.
enum class RowDetail : std::uint8_t { Curve, Level, Line };

/// In pixels from the top of the first row; a height of 0: not there.
struct RowBands {
    double top = 0;
    double height = 0;
    double passTop = 0;
    double passHeight = 0;
    double laneTop = 0; ///< of transfers
    double laneHeight = 0;
    double memoryTop = 0; ///< of the curve or the level strip
    double memoryHeight = 0;
};

struct RowLayout {
    static constexpr double curveFrom = 52;
    static constexpr double levelFrom = 16;
    static constexpr double leastHeight = 3;
    static constexpr double mostHeight = 200;

    std::int32_t rows = 0;
    double rowHeight = 80; ///< whole pixels
    bool memory = true;
    bool transfers = false;

    [[nodiscard]] RowDetail detail() const
    {
        return rowHeight >= curveFrom ? RowDetail::Curve : rowHeight >= levelFrom ? RowDetail::Level : RowDetail::Line;
    }
    [[nodiscard]] double contentHeight() const { return rows * rowHeight; }
    [[nodiscard]] RowBands bands(std::int32_t row) const;
    /// The row at that height, or -1.
    [[nodiscard]] std::int32_t rowAt(double y) const;
};

/// The height of rows that shows all of them without scrolling where that leaves them readable.
[[nodiscard]] double fittingRowHeight(double available, std::int32_t rows);

} // namespace pipeloom::designer
