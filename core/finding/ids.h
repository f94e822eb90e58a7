// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The number and id types that everything else counts with. Ids are types of their own, because a device
// given where a stage is meant would compile and be wrong.

#include <compare>
#include <cstddef>
#include <cstdint>

namespace pipeloom {

using Ticks = std::int64_t; ///< time; a design says how long a tick is
using Bytes = std::int64_t; ///< memory: bytes, or activations in a design without a model

/// A dense number from 0, told apart by what it numbers.
template <class Tag> struct Id {
    std::int32_t value = 0;

    constexpr Id() = default;
    constexpr explicit Id(std::int32_t number)
        : value(number)
    {
    }
    constexpr explicit Id(std::size_t number)
        : value(static_cast<std::int32_t>(number))
    {
    }
    [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
    friend constexpr auto operator<=>(Id, Id) = default;
};

using DeviceId = Id<struct DeviceTag>;       ///< a pipeline rank, 0..p-1
using StageId = Id<struct StageTag>;         ///< a contiguous part of the model, 0..S-1
using MicroBatch = Id<struct MicroBatchTag>; ///< 0..m-1
using RouteId = Id<struct RouteTag>;         ///< a way of micro-batches through the devices

/// What a design may be at most; beyond it is refused with a finding before memory is taken (DESIGN.md 4, FORMAT.md).
inline constexpr std::int64_t maxDevices = 4096;
inline constexpr std::int64_t maxPasses = 16'000'000;
inline constexpr Ticks maxTicks = Ticks { 1 } << 40;
inline constexpr Bytes maxBytes = Bytes { 1 } << 60;
inline constexpr Ticks maxStepTicks = Ticks { 1 } << 60;

} // namespace pipeloom
