// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rounds of accumulation: a step that does the pipeline's order several times, each time with other micro-batches, before its
// gradients are used. Round n's micro-batch j becomes n * microBatches + j and takes j's route; every device does the rounds
// behind each other, without waiting for the others in between. To everybody else it is one longer step.

#include "core/finding/finding.h"
#include "core/pipeline/pipeline.h"
#include "core/schedule/schedule.h"

namespace pipeloom {

/// Errors (training/accumulate): fewer than one round, or more passes in all than are handled.
[[nodiscard]] Findings checkRounds(const Pipeline& one, std::int64_t rounds);

/// The pipeline with the micro-batches of all rounds. One round: unchanged. Both arguments must have passed their checks.
[[nodiscard]] Pipeline inRounds(const Pipeline& one, std::int32_t rounds);

/// Each device's list behind itself; `one` is the pipeline of `order`.
[[nodiscard]] Schedule inRounds(const Schedule& order, const Pipeline& one, std::int32_t rounds);

} // namespace pipeloom
