// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run_arguments.h"

namespace pipeloom::cli {

/// Trains the design's model in this process, and tells each step and what came of it.
ExitCode train(const RunArguments& arguments, Console& console);

} // namespace pipeloom::cli
