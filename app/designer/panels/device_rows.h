// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the table of the numbers panel shows: one row a device, the worst first, or one row a stage for lifespans. Pure
// functions of the figures; the widget only draws them.

#include "app/designer/figures/figures.h"

#include <vector>

namespace pipeloom::designer {

enum class NumbersView { Time, Memory, Lifespans };

/// Figures of one device. Times in ticks, memory in the design's unit.
struct DeviceRow {
    std::int32_t device = 0;
    Ticks busy = 0;
    Ticks idle = 0;  ///< of the step
    Ticks span = 0;  ///< first start to last end of its own
    Ticks begin = 0; ///< first start, from the start of the step
    double idleShare = 0;
    double ownSpanBubble = 0;
    Bytes peak = 0;
    std::optional<Bytes> bound;
    std::optional<Bytes> limit;
};

/// Worst first. Time: the least busy, as it waits most. Memory: the least room below its limit, then those without a limit by peak.
/// Equal devices by number. Empty without a timeline.
[[nodiscard]] std::vector<DeviceRow> deviceRows(const Figures& figures, NumbersView view);

/// How long a stage holds the activations of a micro-batch.
struct LifespanRow {
    std::int32_t stage = 0;
    std::int32_t member = 0; ///< of the group
    std::int32_t device = 0;
    std::optional<Ticks> inBlock;      ///< as drawn; none: passes are missing
    std::optional<std::int64_t> holds; ///< ⌈l / T⌉
    std::optional<Ticks> longest;      ///< of all its micro-batches in the timeline, with the real costs
};

/// By device, then stage, then member. Without a block only `longest` is known.
[[nodiscard]] std::vector<LifespanRow> lifespanRows(const Figures& figures);

/// The step time if nothing were ever idle: the work of all devices shared out evenly. 0: no timeline.
[[nodiscard]] double idealTicks(const Metrics& metrics);

} // namespace pipeloom::designer
