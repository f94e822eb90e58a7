// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The training keys of a design, with defaults, as far as they are offered.

#include "executor/model.h"

namespace pipeloom::executor {

/// Appends an error for each value that is out of range (training/range) or not offered yet (training/evaluate).
/// `accumulate` is not looked at: its rounds are micro-batches of the pipeline by now.
[[nodiscard]] TrainingSettings trainingSettings(const Design& design, const ModelOptions& options, Findings& findings);

} // namespace pipeloom::executor
