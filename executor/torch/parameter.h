// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executor/model.h"

#include <ATen/core/Tensor.h>

namespace pipeloom::executor {

/// A weight with all that belongs to it. The gradient is there all the time, zero at the start of a step, so that
/// memory does not depend on when the first W comes.
struct Parameter {
    ParameterPlan plan;
    at::Tensor value;
    at::Tensor gradient;
    at::Tensor firstMoment; ///< of AdamW
    at::Tensor secondMoment;
};

} // namespace pipeloom::executor
