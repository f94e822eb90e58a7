// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json/json_writer.h"
#include "core/finding/finding.h"

namespace pipeloom::cli {

/// {"ok", "findings"} of DESIGN.md 5: what check gives, and every command that got no further than its findings.
void writeFindings(JsonWriter& json, const Findings& findings);

/// The two members alone, into an object that has more.
void writeFindingMembers(JsonWriter& json, bool ok, const Findings& findings);

} // namespace pipeloom::cli
