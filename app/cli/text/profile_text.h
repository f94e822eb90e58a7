// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/terminal.h"
#include "executor/profile/profile.h"

#include <string>

namespace pipeloom::cli {

/// What was measured, in tables, and how well steps are replayed and foretold with it.
[[nodiscard]] std::string profileText(const executor::ProfileResult& result, const Terminal& terminal);

} // namespace pipeloom::cli
