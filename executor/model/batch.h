// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a micro-batch reads.

#include "core/finding/ids.h"

#include <cstdint>
#include <vector>

namespace pipeloom::executor {

struct ModelSetup;

/// Pieces of the text, row after row of `sequence` tokens each; micro_batch_size rows.
struct Batch {
    std::vector<std::int64_t> tokens;
    std::vector<std::int64_t> targets; ///< of each token the one that follows it in the text
};

/// Follows from the text, seed, step and micro-batch alone, so that every schedule and cut trains on the same.
[[nodiscard]] Batch batch(const ModelSetup& setup, std::int64_t step, MicroBatch microBatch);

} // namespace pipeloom::executor
