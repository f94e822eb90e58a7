// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Devices, stages, micro-batches, and where each stage lives.

#include "core/finding/finding.h"
#include "core/pipeline/pass.h"

#include <string>
#include <vector>

namespace pipeloom {

/// How a placement was stated; it is written back the same way.
enum class PlacementKind : std::uint8_t { Linear, Interleaved, V, List };

/// Stage -> device, for one route.
using Placement = std::vector<DeviceId>;

/// How micro-batches were told to take routes; written back the same way.
enum class RouteRule : std::uint8_t { Single, List, Halves, Alternate };

/// What is scheduled: sizes and places. Plain data; `check` says whether it makes sense.
struct Pipeline {
    std::int32_t devices = 1;
    std::int32_t stages = 1;
    std::int32_t microBatches = 1;
    PlacementKind kind = PlacementKind::Linear; ///< with several routes: List
    std::vector<Placement> routes;              ///< one stage -> device list per route, each of `stages` entries
    RouteRule rule = RouteRule::Single;
    std::vector<RouteId> routeOfMicroBatch; ///< rule List only, `microBatches` entries

    [[nodiscard]] std::int32_t routeCount() const { return static_cast<std::int32_t>(routes.size()); }
    /// The route of a micro-batch: the list's entry; Halves: the first half of the micro-batches takes route 0 and so on;
    /// Alternate: micro-batch mod routes.
    [[nodiscard]] RouteId routeOf(MicroBatch microBatch) const;
    [[nodiscard]] DeviceId deviceOf(StageId stage, RouteId route) const { return routes[route.index()][stage.index()]; }
    [[nodiscard]] DeviceId deviceOf(const Pass& pass) const { return deviceOf(pass.stage, routeOf(pass.microBatch)); }
    /// Stages that live on the device by any route, ascending, each once.
    [[nodiscard]] std::vector<StageId> stagesOn(DeviceId device) const;
    /// Devices that hold the stage, ascending, each once; several with routes.
    [[nodiscard]] std::vector<DeviceId> devicesOf(StageId stage) const;

    friend bool operator==(const Pipeline&, const Pipeline&) = default;
};

/// The list that a named placement stands for. Linear: stage s on device s (needs stages = devices, else the rest is
/// missing); interleaved: s mod devices; v: a snake 0..p-1, p-1..0, ... List: empty, the list is the design's own.
[[nodiscard]] Placement placement(PlacementKind kind, std::int32_t devices, std::int32_t stages);

/// A pipeline of one route with a named placement. `stages` is the whole model's number of stages.
[[nodiscard]] Pipeline pipeline(
    PlacementKind kind, std::int32_t devices, std::int32_t stages, std::int32_t microBatches);

/// `linear`, `interleaved`, `v`, `list`.
[[nodiscard]] const char* text(PlacementKind kind);

/// Errors: sizes below 1 or beyond the limits (pipeline/size), a placement that names a device that is not there or is
/// of the wrong length (pipeline/placement), a device without a stage (pipeline/empty-device), routes that do not fit
/// (pipeline/routes). Warning: fewer micro-batches than devices (pipeline/few-micro-batches), with the bubble of 1F1B.
[[nodiscard]] Findings check(const Pipeline& pipeline);

} // namespace pipeloom
