// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executor/torch/parameter.h"

#include <span>

namespace pipeloom::executor {

/// One step of AdamW (Loshchilov, Hutter, arXiv 1711.05101; beta 0.9 and 0.95, epsilon 1e-8) with all gradients
/// multiplied by `scale`, at the learning rate of the step (from 0). Norms do not decay.
void adamwStep(std::span<Parameter> parameters, const TrainingSettings& training, std::int64_t step, double scale);

void clearGradients(std::span<Parameter> parameters);

/// Copies values and moments to where Parameter::before has room for them. Throws if it has none.
void keepBefore(std::span<Parameter> parameters);
/// Copies them back: every bit is as it was.
void restoreBefore(std::span<Parameter> parameters);

} // namespace pipeloom::executor
