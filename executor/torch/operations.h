// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operations that have weights. With `gradients` the weight takes no part in LibTorch's graph: going backward gives
// the gradient of the input, and what the weight's gradient needs goes to `gradients`. Without, LibTorch does it all,
// which is what the unpipelined reference is made of.

#include "executor/torch/weight_gradients.h"

namespace pipeloom::executor {

/// x weightᵀ over the last dimension.
[[nodiscard]] at::Tensor linear(const at::Tensor& x, Parameter& weight, WeightGradients* gradients);

/// Layer normalisation over the last dimension, times `gain`, in fp32 whatever x is; y is as x. The gradient of the gain, one row, is made on the way
/// backward, since it falls off the input's; it is added when the others are.
[[nodiscard]] at::Tensor norm(const at::Tensor& x, Parameter& gain, WeightGradients* gradients);

} // namespace pipeloom::executor
