// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/runners.h"

namespace pipeloom::cli {

/// The `pipeloom` command: reads the arguments, runs the command, gives the exit code of DESIGN.md 5.
int runCommandLine(int argc, const char* const* argv, const Runners& runners);

} // namespace pipeloom::cli
