// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/hand_over.h"

int main(int argc, char** argv)
{
    using namespace pipeloom::cli;
    const auto toRunner
        = [argv](const auto& arguments, Console& console) { return handOver(argv, arguments.json, console); };
    return runCommandLine(argc, argv, { .run = toRunner, .profile = toRunner });
}
