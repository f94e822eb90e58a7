// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/console.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/profile_arguments.h"

namespace pipeloom::cli {

/// Measures the design's costs in this process, tells them, and writes the design that has them.
ExitCode measure(const ProfileArguments& arguments, Console& console);

} // namespace pipeloom::cli
