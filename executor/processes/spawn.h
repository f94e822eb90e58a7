// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Starts one program as a child that knows nothing of this process but what it is given, and that ends with it.

#include "executor/device_status.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace pipeloom::executor {

struct SpawnPlan {
    std::string program;                  ///< a path; no search in PATH
    std::vector<std::string> arguments;   ///< past the program's own name
    std::vector<std::string> environment; ///< all of it, `NAME=value`
    int input = -1;                       ///< becomes its standard input; as the next two, above 2
    int output = -1;
    int error = -1;
    int keep = -1; ///< stays open in it under this number; -1: nothing does
};

struct Spawned {
    pid_t pid = -1;      ///< running the program; -1: it is not, and no process is left
    std::string problem; ///< then why, without a full stop
};

/// Gives when the program runs in the new process, or cannot. The process has a group of its own, whose leader it is; all
/// signals as a program finds them at its start; no files but standard input, output, error and `keep`. It is killed when
/// the thread that called this ends, whatever ends it: so that thread must live as long as the child should. Waits for the
/// system to load the program, at most `limit`. By any thread.
[[nodiscard]] Spawned spawn(const SpawnPlan& plan, Nanoseconds limit);

} // namespace pipeloom::executor
