// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/profile_arguments.h"
#include "app/cli/run_arguments.h"

namespace pipeloom::cli {

/// How a program does what needs LibTorch, which takes a second to load: so `pipeloom` itself is not linked with it, and hands
/// over to the program `pipeloom-run`, which is.
struct Runners {
    std::function<ExitCode(const RunArguments&, Console&)> run;
    std::function<ExitCode(const ProfileArguments&, Console&)> profile;
};

} // namespace pipeloom::cli
