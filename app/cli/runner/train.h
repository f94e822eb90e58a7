// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run_arguments.h"

#include <span>

namespace pipeloom::cli {

/// Trains the design's model in this process, in as many as it has devices, or as one of them; tells each step and what came of
/// it. `commandLine` is that of this program, which starts itself again for ranks.
ExitCode train(const RunArguments& arguments, Console& console, std::span<const char* const> commandLine);

} // namespace pipeloom::cli
