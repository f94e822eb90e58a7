// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// `pipeloom-run`: what `pipeloom run` becomes.

#include "app/cli/command_line.h"
#include "app/cli/runner/train.h"

int main(int argc, char** argv) { return pipeloom::cli::runCommandLine(argc, argv, pipeloom::cli::train); }
