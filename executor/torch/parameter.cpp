// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/parameter.h"

#include <ATen/ATen.h>

namespace pipeloom::executor {

void Parameter::valueChanged()
{
    const at::NoGradGuard noGraph;
    if (working.defined() && !working.is_same(value))
        working.copy_(value);
}

at::ScalarType activationType(const ModelSetup& setup)
{
    return setup.training.precision == Precision::Bf16 ? at::kBFloat16 : at::kFloat;
}

} // namespace pipeloom::executor
