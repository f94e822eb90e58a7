// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All that the block editor draws in one frame, gathered; the painters only read it.

#include "app/designer/block/block_layout.h"
#include "app/designer/figures/figures.h"
#include "app/designer/style/theme.h"
#include "core/block/legs.h"

#include <QPainter>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pipeloom::designer {

/// What a gesture adds to the picture while it lasts.
struct GestureMarks {
    std::vector<std::int32_t> moved; ///< passes under way
    std::optional<DeviceId> tint;    ///< the row whose taken ticks are tinted
    std::optional<DeviceId> target;  ///< the row that a stage would move to
    StageId targetStage;             ///< that stage
    std::int32_t swapWith = -1;      ///< the pass that would change places
    bool interval = false;           ///< the interval is dragged: dots of legal ones are shown larger
    std::string reason;              ///< in words, at the pointer
    QPointF reasonAt;
};

/// What the mouse or the keys are over.
struct BlockHover {
    enum class Part { Nothing, Pass, Interval, Leg, Turn, Label, Empty };
    Part part = Part::Nothing;
    std::int32_t index = -1; ///< of the pass, the leg, the turn
    friend bool operator==(const BlockHover&, const BlockHover&) = default;
};

/// A handle of the strip below the rows.
struct OffsetHandle {
    BlockHover::Part part = BlockHover::Part::Leg;
    std::int32_t index = 0;
    QRectF rect; ///< viewport coordinates
    QString text;
};

struct BlockScene {
    const Design* design = nullptr;
    const Figures* figures = nullptr;
    const BlockTables* tables = nullptr;
    const BlockLayout* layout = nullptr;
    const Theme* theme = nullptr;
    TimeMap map;
    double scroll = 0;
    double devicePixelRatio = 1;
    bool ghosts = true;
    const std::set<std::int32_t>* selected = nullptr;
    BlockHover hover;
    const GestureMarks* marks = nullptr;       ///< none: no gesture
    const std::vector<Ticks>* legal = nullptr; ///< legal intervals, for the dots
    const std::vector<Leg>* legs = nullptr;
    const std::vector<OffsetHandle>* handles = nullptr;
    std::optional<std::pair<DeviceId, Ticks>> caret; ///< where a tool places by key

    [[nodiscard]] const BuildingBlock& block() const { return *design->block(); }
    [[nodiscard]] const BlockRow& row(DeviceId device) const { return layout->rows[device.index()]; }
    [[nodiscard]] QRectF boxOf(std::int32_t pass) const;
};

} // namespace pipeloom::designer
