// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where things are in the block editor: rows, bands, lifespan bars, the boxes of passes. Pure geometry; painting and hitting
// read the same numbers, so what is drawn can be hit.

#include "app/designer/view/coordinates.h"
#include "core/formats/design.h"

#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace pipeloom::designer {

/// A stage's lifespan on a device: its longest member and how many members there are.
struct LifespanBar {
    StageId stage;
    std::int32_t chunk = 0; ///< which stage of the device it is, from 0
    Ticks begin = 0;        ///< start of F
    Ticks end = 0;          ///< end of the pass that releases
    std::int32_t members = 1;
    Ticks holds = 0; ///< ceil(l / T), summed over the members
};

/// What is looked up for each frame: built once per design.
class BlockTables {
public:
    BlockTables(const BuildingBlock& block, const Pipeline& pipeline);

    /// Indices into block.passes of the device's passes, by start.
    [[nodiscard]] const std::vector<std::int32_t>& row(DeviceId device) const { return rows_[device.index()]; }
    /// Which stage of its device a pass belongs to: 0 for the lowest.
    [[nodiscard]] std::int32_t chunkOf(std::int32_t pass) const { return chunks_[static_cast<std::size_t>(pass)]; }
    [[nodiscard]] const std::vector<StageId>& stagesOn(DeviceId device) const { return stages_[device.index()]; }
    /// Passes that collide with another when the block repeats, with the lane they are drawn in.
    enum class Lane : std::uint8_t { Whole, Upper, Lower };
    [[nodiscard]] Lane laneOf(std::int32_t pass) const { return lanes_[static_cast<std::size_t>(pass)]; }
    /// Ticks at which the last pass ends.
    [[nodiscard]] Ticks end() const { return end_; }

private:
    std::vector<std::vector<std::int32_t>> rows_;
    std::vector<std::int32_t> chunks_;
    std::vector<std::vector<StageId>> stages_;
    std::vector<Lane> lanes_;
    Ticks end_ = 0;
};

/// The bars of a device, by stage. Stages whose lifespan is not known yet have none.
[[nodiscard]] std::vector<LifespanBar> lifespanBars(
    const BuildingBlock& block, const BlockTables& tables, DeviceId device);

/// One device's row, in content coordinates: y from the top of the first row.
struct BlockRow {
    double top = 0;
    double height = 0;
    double bandTop = 0; ///< of the passes
    double bandHeight = 0;
    double barTop = 0;  ///< of the first lifespan bar
    double barStep = 0; ///< from bar to bar; 0: bars are not shown
    bool barText = false;
};

struct BlockLayout {
    static constexpr double labelWidth = 92;
    static constexpr double rulerHeight = 30;
    static constexpr double residueWidth = 108;
    static constexpr double offsetsHeight = 32; ///< the strip of offset handles below the rows

    std::vector<BlockRow> rows;
    double contentHeight = 0;
    QSizeF viewport;
    QRectF time; ///< where time is drawn, viewport coordinates, between ruler and offsets

    [[nodiscard]] double viewY(double contentY, double scroll) const { return contentY - scroll + time.top(); }
    /// The device whose row is at y of the viewport; none above or below all.
    [[nodiscard]] std::optional<DeviceId> deviceAt(double y, double scroll) const;
};

/// Rows as tall as the viewport allows between what they need at most and at least, times `rowScale` (1: as it comes).
[[nodiscard]] BlockLayout layOutBlock(
    const Design& design, const BlockTables& tables, QSizeF viewport, double rowScale);

/// The rectangle of a pass in viewport coordinates, snapped to device pixels, at least 1 px wide. `lane` halves its height.
[[nodiscard]] QRectF passBox(const BlockRow& row, const BlockLayout& layout, const TimeMap& map, Ticks start,
    Ticks ticks, BlockTables::Lane lane, double scroll, double devicePixelRatio);

} // namespace pipeloom::designer
