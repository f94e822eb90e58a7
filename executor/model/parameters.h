// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parameters of the transformer: their names, shapes and first values.

#include "executor/model.h"

namespace pipeloom::executor {

/// In the order in which the model uses them, stages ascending; per layer: first norm, qkv, projection, second norm,
/// mlp in, mlp out.
[[nodiscard]] std::vector<ParameterPlan> parameterPlans(
    const Model& model, const std::vector<std::int32_t>& layersPerStage);

inline constexpr std::size_t parametersPerLayer = 6;

/// Whether passes multiply by a copy of the parameter that is rounded to bf16. Norms and embeddings are used in fp32.
[[nodiscard]] bool hasRoundedCopy(const ParameterPlan& plan, Precision precision);

/// First values of a parameter: ones for norms, else normal, narrower where a layer adds to the residual stream.
/// They follow from seed and name.
void fillFirstValues(std::span<float> values, const ParameterPlan& plan, const ModelSetup& setup);

} // namespace pipeloom::executor
