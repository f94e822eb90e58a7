// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The transformer's arithmetic: its ends and its layers. `gradients` as in operations.h.

#include "executor/torch/weight_gradients.h"

#include <span>

namespace pipeloom::executor {

/// Embedding and positions of tokens [batch, sequence]: [batch, sequence, hidden], added in fp32 and rounded to `type`.
[[nodiscard]] at::Tensor embedded(
    const at::Tensor& tokens, const Parameter& embedding, const Parameter& positions, at::ScalarType type);

/// One layer, [batch, sequence, hidden] to the same. `parameters`: its six, in the order of parameterPlans.
[[nodiscard]] at::Tensor layer(
    const at::Tensor& x, std::span<Parameter> parameters, std::int64_t heads, WeightGradients* gradients);

/// Last norm, head and cross entropy, summed over all tokens in fp32.
[[nodiscard]] at::Tensor lossSum(
    const at::Tensor& x, Parameter& lastNorm, Parameter& head, const at::Tensor& targets, WeightGradients* gradients);

} // namespace pipeloom::executor
