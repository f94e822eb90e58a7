// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which passes of a block a pass needs and feeds, and the sentence about one pass that status line, tooltip and screen reader
// share.

#include "core/block/block_index.h"

#include <QString>

#include <vector>

namespace pipeloom::designer {

/// Indices into block.passes of the passes whose results a pass takes; those that are not placed are left out.
[[nodiscard]] std::vector<std::int32_t> neededBy(
    const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, std::int32_t pass);
/// Indices of the passes that take its results.
[[nodiscard]] std::vector<std::int32_t> fedBy(
    const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, std::int32_t pass);

/// `6B on device 1 · 17–18 · needs 7B (dev 0) · feeds 5B (dev 2) and 6W`.
[[nodiscard]] QString sentenceOf(const BuildingBlock& block, const Pipeline& pipeline, std::int32_t pass);

} // namespace pipeloom::designer
