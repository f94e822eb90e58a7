// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/hand_over.h"

#include "app/cli/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace pipeloom::cli {

namespace {

ExitCode refused(std::string rule, std::string message, std::string remedy, bool json, Console& console)
{
    const Finding finding {
        .rule = std::move(rule),
        .severity = Severity::Error,
        .where = {},
        .queue = {},
        .message = std::move(message),
        .remedy = std::move(remedy),
    };
    reportFindings({ finding }, json, console);
    return ExitCode::Failed;
}

#ifdef PIPELOOM_WITH_EXECUTOR
std::string besideThisProgram(const char* name)
{
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    return (self.parent_path() / name).string();
}
#endif

} // namespace

#ifdef PIPELOOM_WITH_EXECUTOR
ExitCode handOver(const char* const* argv, bool json, Console& console)
{
    const std::string program = besideThisProgram("pipeloom-run");
    std::vector<char*> arguments;
    for (const char* const* argument = argv; *argument != nullptr; ++argument)
        arguments.push_back(const_cast<char*>(*argument)); // execv keeps its promise not to write
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    return refused("run/no-runner",
        fmt::format("`{}`, which trains, cannot be started: {}.", program, std::strerror(errno)),
        "It belongs beside pipeloom: build or install both.", json, console);
}
#else
ExitCode handOver(const char* const* /*argv*/, bool json, Console& console)
{
    return refused("run/no-executor",
        "This pipeloom was built without the executor, so it can check and simulate but not run.",
        "Build it where LibTorch is found (./dev setup fetches it), with -DPIPELOOM_EXECUTOR=ON.", json, console);
}
#endif

} // namespace pipeloom::cli
