// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// `pipeloom-run`: what `pipeloom run` and `pipeloom profile` become.

#include "app/cli/command_line.h"
#include "app/cli/runner/measure.h"
#include "app/cli/runner/train.h"

#include <span>

int main(int argc, char** argv)
{
    using namespace pipeloom::cli;
    const std::span<const char* const> commandLine(argv, static_cast<std::size_t>(argc));
    return runCommandLine(argc, argv,
        { .run
            = [&](const RunArguments& arguments, Console& console) { return train(arguments, console, commandLine); },
            .profile = measure });
}
