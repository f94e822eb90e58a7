// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is read off a timeline: bubbles by both definitions, spans, memory over time (DESIGN.md 3.3, 3.4).

#include "core/pipeline/costs.h"
#include "core/timeline/timeline.h"

#include <optional>
#include <vector>

namespace pipeloom {

/// Figures of one device. Times in ticks, memory in the model's unit.
struct DeviceMetrics {
    Ticks busy = 0;
    Ticks firstStart = 0;
    Ticks lastEnd = 0;
    Bytes peak = 0; ///< static + communication + highest of running sum plus transient plus receive buffers

    [[nodiscard]] Ticks span() const { return lastEnd - firstStart; }
    friend bool operator==(const DeviceMetrics&, const DeviceMetrics&) = default;
};

/// Figures of a step. Shares are given as fractions of whole ticks and divided only when shown.
struct Metrics {
    std::vector<DeviceMetrics> devices;
    Ticks firstStart = 0; ///< over all devices
    Ticks lastEnd = 0;
    Ticks busy = 0;    ///< sum over devices
    Ticks ownSpan = 0; ///< the longest span of a device

    [[nodiscard]] Ticks makespan() const { return lastEnd - firstStart; }
    /// 1 - busy / (devices * makespan); 0 for an empty timeline.
    [[nodiscard]] double idleShare() const;
    /// 1 - max busy of a device / max span of a device; 0 for an empty timeline.
    [[nodiscard]] double ownSpanBubble() const;
    /// 1 - busy / makespan of one device.
    [[nodiscard]] double idleShare(DeviceId device) const;
    friend bool operator==(const Metrics&, const Metrics&) = default;
};

/// Memory of a device changes to `level` at `time`.
struct LevelChange {
    Ticks time = 0;
    Bytes level = 0;

    friend bool operator==(const LevelChange&, const LevelChange&) = default;
};

/// Busy times, spans and peaks. Peaks count changes and transients of passes, not receive buffers.
[[nodiscard]] Metrics metrics(const Timeline& timeline, const MemoryModel& memory);

/// The memory of one device over time, static and communication included: one entry per time at which it changes, the
/// last of an instant (ends come before starts). Transients count while their pass runs. Starts with the static level at
/// the device's first start.
[[nodiscard]] std::vector<LevelChange> memoryOverTime(
    const Timeline& timeline, const MemoryModel& memory, DeviceId device);

} // namespace pipeloom
