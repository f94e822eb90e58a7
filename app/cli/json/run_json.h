// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json/json_writer.h"
#include "executor/run.h"

namespace pipeloom::cli {

/// What run gives (DESIGN.md 5), and beside it what was run, and planned beside measured figures of a step. A run that did
/// not get so far has no steps, no devices, and null for the rest.
void writeRun(JsonWriter& json, const executor::RunResult& result, const Findings& findings);

} // namespace pipeloom::cli
