// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All that a picture of plan and actual depends on, and where things are in it. Drawing, overlays and hit test go by it alone.

#include "app/designer/run/run_picture.h"
#include "app/designer/schedule/pass_raster.h"
#include "app/designer/style/theme.h"
#include "app/designer/view/coordinates.h"

#include <QStringList>

#include <vector>

namespace pipeloom::designer {

enum class RunColours : std::uint8_t { Kind, MicroBatch, Stage, Lateness };

/// Where the parts of a device's row stand, in the picture; a height of 0: not there.
struct PlanBands {
    double top = 0;
    double height = 0;
    double planTop = 0;
    double planHeight = 0;
    double passTop = 0;
    double passHeight = 0;
    double memoryTop = 0;
    double memoryHeight = 0;
};

/// What is written beside a device's rows.
struct PlanLabel {
    QString name;    ///< `dev 0`
    QString process; ///< `rank 0 · pid 4711`; may be empty
    QString memory;  ///< `412 of 480 MB`; may be empty
};

/// Device-independent pixels.
struct PlanScene {
    static constexpr double rulerHeight = 24;
    static constexpr double memoryFrom = 72; ///< rows at least this high show memory
    static constexpr double namesFrom = 26;  ///< rows at least this high show the process below the name
    static constexpr double leastRow = 10;
    static constexpr double mostRow = 220;

    const RunPicture* picture = nullptr;
    const std::vector<PlanLabel>* labels = nullptr;
    TimeMap map; ///< from the left edge of the plot
    double rowHeight = 116;
    double labelWidth = 100;
    double width = 0;
    double height = 0;
    double scroll = 0; ///< of the rows, whole pixels
    double ratio = 1;  ///< device pixels for each pixel
    RunColours colours = RunColours::Lateness;
    bool memory = true;
    const Theme* theme = nullptr;

    [[nodiscard]] double plotWidth() const { return width - labelWidth; }
    [[nodiscard]] double xOf(Ticks time) const { return labelWidth + map.xOf(time); }
    [[nodiscard]] PlanBands bandsAt(std::int32_t device) const;
    /// The row at a height of the picture; -1: none.
    [[nodiscard]] std::int32_t rowAt(double y) const;
    /// Rows that are at least partly seen: [first, last).
    [[nodiscard]] std::int32_t firstRow() const;
    [[nodiscard]] std::int32_t endRow() const;
    [[nodiscard]] TimelineRow planned(std::int32_t device) const { return picture->planned(DeviceId { device }); }
    [[nodiscard]] TimelineRow actual(std::int32_t device) const
    {
        return picture->actual(DeviceId { device }, colours == RunColours::Lateness);
    }
    [[nodiscard]] RowPlace plannedPlace(std::int32_t device) const;
    [[nodiscard]] RowPlace actualPlace(std::int32_t device) const;
    [[nodiscard]] QRectF plannedRect(PassPlace pass) const;
    [[nodiscard]] QRectF actualRect(PassPlace pass) const;
};

/// How a row is drawn: as boxes too if its passes are narrow but far apart, as those of a run that mostly waits.
[[nodiscard]] PassDetail rowDetail(const TimelineRow& row, double pixelsPerTick);

/// The height of rows that shows all of them without scrolling where that leaves them readable.
[[nodiscard]] double fittingPlanRow(double available, std::int32_t rows);

} // namespace pipeloom::designer
