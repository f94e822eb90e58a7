// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What every edit ends with: the one place that says what a file cannot hold (FORMAT.md).

#include "app/designer/edit/edited.h"

#include <cstdint>
#include <span>

namespace pipeloom::designer {

/// The edit done, or refused if a file could not hold the design: sizes, starts, the interval, sums over a step.
/// O(passes + stages).
[[nodiscard]] Edited finished(Design design, std::string name);

/// Refused: the design is an explicit schedule and has no block to edit.
[[nodiscard]] Edited refusedWithoutBlock();

/// `7W` of a block's pass, or `5 passes`.
[[nodiscard]] std::string nameOf(const BuildingBlock& block, std::span<const std::int32_t> passes);

/// True if all are indices into block.passes, each once.
[[nodiscard]] bool areThere(const BuildingBlock& block, std::span<const std::int32_t> passes);
/// Refused: no pass is selected, or one that is not there.
[[nodiscard]] Edited refusedWithoutPass();

} // namespace pipeloom::designer
