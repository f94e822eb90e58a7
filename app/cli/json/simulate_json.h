// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json/json_writer.h"
#include "core/formats/design.h"
#include "core/plan/plan.h"
#include "core/simulate/critical_path.h"

#include <vector>

namespace pipeloom::cli {

/// What simulate gives (DESIGN.md 5); figures are null where errors kept the design from being simulated.
void writeSimulation(JsonWriter& json, const Design& design, const Plan& plan, const Findings& findings,
    const std::vector<PathStep>& path);

} // namespace pipeloom::cli
