// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Data-parallel replicas of a pipeline, made routes of one. Replica r's device d becomes device r * devices + d, its
// micro-batch j becomes r * microBatches + j, and its route k becomes r * routes + k. So every stage lives on a device of each
// replica, lowering places the reductions of its weight gradients, and checks, simulation, memory and the executor need to know
// nothing of replicas.

#include "core/finding/finding.h"
#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"
#include "core/schedule/schedule.h"

namespace pipeloom {

/// Errors (pipeline/replicas): fewer than one replica, or more devices or passes in all than are handled.
[[nodiscard]] Findings checkReplicas(const Pipeline& one, std::int32_t replicas);

/// `replicas` pipelines as one: devices, micro-batches and routes that many times, stages as they are. One replica: unchanged.
/// Both arguments must have passed their checks.
[[nodiscard]] Pipeline replicated(const Pipeline& one, std::int32_t replicas);

/// The order of each replica, which is that of the one, behind each other; `one` is the pipeline of `order`.
[[nodiscard]] Schedule replicated(const Schedule& order, const Pipeline& one, std::int32_t replicas);

/// What is stated by device, stated again for the devices of each replica.
[[nodiscard]] MemoryModel replicated(const MemoryModel& one, std::int32_t replicas);

} // namespace pipeloom
