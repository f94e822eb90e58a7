// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a model makes sense and can be cut into a design's stages: told by `check` before anything is trained, and asked
// by the executor.

#include "core/finding/finding.h"
#include "core/formats/design.h"

#include <vector>

namespace pipeloom {

/// Errors: model/range (a size below 1 or beyond what any machine holds), model/heads (heads that do not divide hidden),
/// model/layers (fewer layers than stages), training/layers-per-stage (a list of the wrong length, an empty stage, or another
/// sum than the model's layers). `layersPerStage` empty: cut by cost. Each with its JSON pointer.
[[nodiscard]] Findings check(const Model& model, const std::vector<std::int32_t>& layersPerStage, std::int32_t stages);

} // namespace pipeloom
