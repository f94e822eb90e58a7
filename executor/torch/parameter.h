// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executor/model.h"

#include <ATen/core/Tensor.h>

namespace pipeloom::executor {

/// A weight with all that belongs to it, in fp32 but for `working`. The gradient is there all the time, zero at the start of
/// a step, so that memory does not depend on when the first W comes.
struct Parameter {
    ParameterPlan plan;
    at::Tensor value;
    at::Tensor gradient;
    at::Tensor firstMoment; ///< of AdamW
    at::Tensor secondMoment;
    struct {
        at::Tensor value;
        at::Tensor firstMoment;
        at::Tensor secondMoment;
    } before;           ///< a step that may be undone; undefined where none is
    at::Tensor working; ///< what passes multiply by: in bf16 a matrix's rounded copy, else `value` itself

    /// Rounds `working` anew. To be called by whoever has changed `value`.
    void valueChanged();
};

/// The type of what passes compute and send.
[[nodiscard]] at::ScalarType activationType(const ModelSetup& setup);

} // namespace pipeloom::executor
