// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For each device an ordered list of slots: what is lowered, checked, simulated and run.

#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"

#include <span>
#include <vector>

namespace pipeloom {

/// Orders only, no times. Flat: the slots of device 0, then those of device 1, ...
struct Schedule {
    std::vector<Slot> slots;
    std::vector<std::int32_t> deviceBegin {
        0
    }; ///< devices + 1 entries; slots of d are [deviceBegin[d], deviceBegin[d+1])

    [[nodiscard]] std::int32_t devices() const { return static_cast<std::int32_t>(deviceBegin.size()) - 1; }
    [[nodiscard]] std::span<const Slot> row(DeviceId device) const
    {
        const auto first = static_cast<std::size_t>(deviceBegin[device.index()]);
        const auto last = static_cast<std::size_t>(deviceBegin[device.index() + 1]);
        return { slots.data() + first, last - first };
    }
    friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// A schedule from one list per device.
[[nodiscard]] Schedule schedule(const std::vector<std::vector<Slot>>& rows);

} // namespace pipeloom
