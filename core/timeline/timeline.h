// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Passes and transfers with start and end: drawn, simulated or measured, the same type, so that every view, metric and
// export works on plan and run alike.

#include "core/pipeline/pass.h"

#include <span>
#include <vector>

namespace pipeloom {

struct TimedPass {
    Ticks start = 0;
    Ticks end = 0;
    Pass pass;
    bool joined = false; ///< second half of an overlapped pair: runs with the entry before it, same times

    friend bool operator==(const TimedPass&, const TimedPass&) = default;
};

/// A message on its way. `pass` is the pass that sent it: F for activations, B or BW for gradients.
struct TimedTransfer {
    Ticks start = 0; ///< of the transfer itself, after any waiting
    Ticks end = 0;
    Pass pass;
    DeviceId from;
    DeviceId to;

    friend bool operator==(const TimedTransfer&, const TimedTransfer&) = default;
};

/// Flat: the passes of device 0 by start, then those of device 1, ...
struct Timeline {
    std::vector<TimedPass> passes;
    std::vector<std::int32_t> deviceBegin { 0 }; ///< devices + 1 entries
    std::vector<TimedTransfer> transfers;        ///< any order

    [[nodiscard]] std::int32_t devices() const { return static_cast<std::int32_t>(deviceBegin.size()) - 1; }
    [[nodiscard]] std::span<const TimedPass> row(DeviceId device) const
    {
        const auto first = static_cast<std::size_t>(deviceBegin[device.index()]);
        const auto last = static_cast<std::size_t>(deviceBegin[device.index() + 1]);
        return { passes.data() + first, last - first };
    }
    friend bool operator==(const Timeline&, const Timeline&) = default;
};

} // namespace pipeloom
