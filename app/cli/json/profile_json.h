// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json/json_writer.h"
#include "executor/profile/profile.h"

namespace pipeloom::cli {

/// What profile gives: every measured cost with its spread over steps, and how well steps are replayed and foretold. A profile
/// that did not get so far has empty lists.
void writeProfile(JsonWriter& json, const executor::ProfileResult& result, bool ok, const Findings& findings);

} // namespace pipeloom::cli
