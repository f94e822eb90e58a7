// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Can a program run under a queue model: do sends and receives agree, does every pass get its input, does nothing wait in a
// circle (DESIGN.md 3.6, 3.7). Never relies on buffering: a transfer ends only when both sides have come to it.

#include "core/finding/finding.h"
#include "core/pipeline/pipeline.h"
#include "core/program/program.h"

namespace pipeloom {

/// Errors, each with the queue model: program/unmatched (a send without a receive or the other way round),
/// program/pairing (the k-th send and the k-th receive of a channel name different data), program/input (a pass whose input
/// is neither received nor made before it on its device), program/reduction (a stage that several devices hold is not reduced on
/// one of them, twice, or before its last W or BW there), program/deadlock (what waits on what, in order, naming devices and
/// instructions). The program's pairing must be that of the queue model. O(instructions).
[[nodiscard]] Findings check(const Program& program, const Pipeline& pipeline, QueueModel queue);

} // namespace pipeloom
