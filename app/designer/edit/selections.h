// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which passes of a block belong together: indices into block.passes, ascending. All are empty without a block.

#include "core/formats/design.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pipeloom::designer {

/// Which chunk of its device a stage is on the route, from 0 (DESIGN.md 1: the c-th stage that the device holds).
[[nodiscard]] std::int32_t chunkOf(const Pipeline& pipeline, StageId stage, RouteId route = RouteId { 0 });

/// All passes whose stage is that chunk of its device: of V the way down, or the way back.
[[nodiscard]] std::vector<std::int32_t> selectChunk(const Design& design, std::int32_t chunk);
/// All passes of a kind; a pair if one of its two is.
[[nodiscard]] std::vector<std::int32_t> selectKind(const Design& design, PassKind kind);
/// All passes of a stage.
[[nodiscard]] std::vector<std::int32_t> selectStage(const Design& design, StageId stage);
/// All passes of a device.
[[nodiscard]] std::vector<std::int32_t> selectDevice(const Design& design, DeviceId device);
/// The passes given, and those of the same stage and kind of all other members of the group.
[[nodiscard]] std::vector<std::int32_t> sameOfAllMembers(const Design& design, std::span<const std::int32_t> passes);

} // namespace pipeloom::designer
