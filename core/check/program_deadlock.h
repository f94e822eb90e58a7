// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What waits on what in a program that cannot run to its end under a queue model (DESIGN.md 3.6).

#include "core/finding/finding.h"
#include "core/pipeline/pipeline.h"
#include "core/program/program.h"

#include <optional>

namespace pipeloom {

/// The circle of instructions and queues that stops the program, as program/deadlock, its places in order; none if it runs to
/// its end. All sends and receives must be matched. O(instructions).
[[nodiscard]] std::optional<Finding> findDeadlock(const Program& program, const Pipeline& pipeline, QueueModel queue);

} // namespace pipeloom
