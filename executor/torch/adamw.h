// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executor/torch/parameter.h"

#include <span>

namespace pipeloom::executor {

/// One step of AdamW (Loshchilov, Hutter, arXiv 1711.05101; beta 0.9 and 0.95, epsilon 1e-8) with all gradients
/// multiplied by `scale`, at the learning rate of the step (from 0). Norms do not decay. Clears the gradients.
void adamwStep(std::span<Parameter> parameters, const TrainingSettings& training, std::int64_t step, double scale);

} // namespace pipeloom::executor
