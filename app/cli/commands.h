// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The commands, one file each. Each is added to the command line with its arguments, and runs after these were read.

#include "app/cli/console/console.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/runners.h"
#include "core/finding/finding.h"

#include <functional>

namespace CLI {
class App;
}

namespace pipeloom::cli {

struct Command {
    CLI::App* arguments = nullptr; ///< owned by the application
    std::function<ExitCode(Console&)> run;
};

[[nodiscard]] Command addNew(CLI::App& app);
[[nodiscard]] Command addList(CLI::App& app);
[[nodiscard]] Command addShow(CLI::App& app);
[[nodiscard]] Command addCheck(CLI::App& app);
[[nodiscard]] Command addSimulate(CLI::App& app);
[[nodiscard]] Command addRun(CLI::App& app, std::function<ExitCode(const RunArguments&, Console&)> runner);
[[nodiscard]] Command addReplay(CLI::App& app);
[[nodiscard]] Command addProfile(CLI::App& app, std::function<ExitCode(const ProfileArguments&, Console&)> runner);

/// Findings of a command that gives nothing else: a JSON document on standard output, or text on standard error.
void reportFindings(const Findings& findings, bool json, Console& console);

} // namespace pipeloom::cli
