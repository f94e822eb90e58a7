// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run_arguments.h"

namespace pipeloom::cli {

/// The `pipeloom` command: reads the arguments, runs the command, gives the exit code of DESIGN.md 5. `runner` does `run`.
int runCommandLine(int argc, const char* const* argv, const Runner& runner);

} // namespace pipeloom::cli
