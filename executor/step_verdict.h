// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What follows from the sums of a step: whether its gradients may be applied, and by which factor. Pure functions of what all
// devices said, so all come to the same.

#include "executor/device_work.h"

#include <optional>
#include <vector>

namespace pipeloom::executor {

struct StepVerdict {
    double scale = 1;                   ///< of all gradients
    std::optional<StageSums> notFinite; ///< the first stage whose loss or gradients are not: nothing is to be applied

    /// The gradients are right as they are.
    [[nodiscard]] bool asIs() const { return !notFinite && scale == 1; }
};

[[nodiscard]] bool isFinite(const StageSums& sums);

/// `sums` by stage, ascending. `clip` as for clipScale.
[[nodiscard]] StepVerdict stepVerdict(const std::vector<StageSums>& sums, double clip);

} // namespace pipeloom::executor
