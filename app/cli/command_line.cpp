// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"

#include "app/cli/commands.h"
#include "app/cli/console/interrupt.h"
#include "app/cli/json/findings_json.h"
#include "app/cli/text/findings_text.h"
#include "app/cli/text/nearest.h"
#include "app/cli/text/paint.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pipeloom::cli {

namespace {

#ifdef PIPELOOM_WITH_EXECUTOR
constexpr std::string_view versionText = "pipeloom " PIPELOOM_VERSION "\n";
#else
constexpr std::string_view versionText = "pipeloom " PIPELOOM_VERSION " (built without the executor)\n";
#endif

constexpr const char* example = R"(Example:
  pipeloom new v-half --devices 4 --micro-batches 8 -o v-half.pipeloom.json
  pipeloom show v-half.pipeloom.json
  pipeloom simulate v-half.pipeloom.json

Exit codes: 0 fine (warnings too); 1 the design has errors, deadlocks, or cannot
meet its limits; 2 wrong use or unreadable file; 3 a run failed, did not verify,
or a file could not be written; 130 interrupted.)";

/// The command that was asked for, as far as the arguments were understood.
const CLI::App& askedFor(const CLI::App& app)
{
    const std::vector<CLI::App*> commands = app.get_subcommands();
    return commands.empty() ? app : *commands.front();
}

std::vector<std::string> optionNames(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

std::vector<std::string> commandNames(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({}))
        names.push_back(command->get_name());
    return names;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& names)
{
    const std::string meant = nearest(word, names);
    return meant.empty() ? "." : fmt::format("; did you mean {}?", meant);
}

/// What is wrong with the arguments, in a sentence. Words that nobody takes come first: a misspelt option would else be
/// reported as missing.
std::string sentence(const CLI::App& app, const CLI::ParseError& error)
{
    const CLI::App& command = askedFor(app);
    const std::vector<std::string> left = app.remaining(true);
    if (!left.empty()) {
        const std::string& word = left.front();
        if (word.size() > 1 && word.front() == '-')
            return fmt::format("There is no option {}{}", word, didYouMean(word, optionNames(command)));
        if (&command == &app)
            return fmt::format("There is no command {}{}", word, didYouMean(word, commandNames(app)));
        return fmt::format("\"{}\" is one argument too many.", word);
    }
    if (&command == &app)
        return fmt::format("A command is missing: {}.", fmt::join(commandNames(app), ", "));
    const std::string text = error.what();
    // CLI11's own words for a value too few or too many are hard to read.
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return text.substr(0, text.find(':'))
            + (text.ends_with("missing") ? " needs a value." : " may be given only once.");
    return text.ends_with('.') || text.ends_with('?') ? text : text + '.';
}

ExitCode reportWrongUse(const CLI::App& app, const CLI::ParseError& error, bool json, Console& console)
{
    const CLI::App& command = askedFor(app);
    const std::string name = &command == &app ? app.get_name() : app.get_name() + ' ' + command.get_name();
    const Finding finding {
        .rule = "cli/usage",
        .severity = Severity::Error,
        .where = {},
        .queue = {},
        .message = sentence(app, error),
        .remedy = fmt::format("{} --help says how it is used.", name),
    };
    if (json)
        reportFindings({ finding }, json, console);
    else
        console.tell(printable(fmt::format("{}: {}", name, finding.message)) + '\n' + finding.remedy + '\n');
    return ExitCode::WrongUse;
}

ExitCode readAndRun(std::span<const char* const> arguments, const Runners& runners, Console& console)
{
    CLI::App app("Designs, checks, simulates and runs pipeline-parallel training schedules", "pipeloom");
    app.set_version_flag("--version", std::string(versionText), "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.footer(example);
    app.require_subcommand(1);
    const std::vector<Command> commands { addNew(app), addList(app), addShow(app), addCheck(app), addSimulate(app),
        addRun(app, runners.run), addProfile(app, runners.profile), addReplay(app) };

    const bool json = std::ranges::any_of(arguments, [](std::string_view argument) { return argument == "--json"; });
    try {
        app.parse(static_cast<int>(arguments.size()), arguments.data());
    } catch (const CLI::CallForHelp&) {
        console.out.write(app.help());
        return ExitCode::Fine;
    } catch (const CLI::CallForVersion&) {
        console.out.write(versionText);
        return ExitCode::Fine;
    } catch (const CLI::ParseError& error) {
        return reportWrongUse(app, error, json, console);
    }
    const auto asked
        = std::ranges::find_if(commands, [](const Command& command) { return command.arguments->parsed(); });
    return asked->run(console);
}

/// Last words: what was still to be written, and whether it could be.
ExitCode finish(ExitCode code, Console& console)
{
    console.out.flush();
    if (console.out.error() == 0)
        return code;
    console.tell(
        fmt::format("pipeloom: standard output could not be written: {}.\n", std::strerror(console.out.error())));
    return ExitCode::Failed;
}

} // namespace

void reportFindings(const Findings& findings, bool json, Console& console)
{
    if (!json) {
        console.tell(findingsText(findings, console.errorTerminal, fewOfARule));
        return;
    }
    JsonWriter writer(console.out);
    writeFindings(writer, findings);
}

int runCommandLine(int argc, const char* const* argv, const Runners& runners)
{
    installSignals();
    Console console;
    ExitCode code = ExitCode::Failed;
    try {
        code = readAndRun({ argv, static_cast<std::size_t>(argc) }, runners, console);
    } catch (const std::bad_alloc&) {
        console.tell("pipeloom: there is not enough memory for this design.\n");
    } catch (const std::exception& fault) {
        console.tell(fmt::format("pipeloom: a fault of ours: {}. Please report it, with the design.\n", fault.what()));
    }
    code = finish(code, console);
    // A run that failed may have left a thread behind that cannot be ended; it must not meet destructors.
    if (code == ExitCode::Failed || code == ExitCode::Interrupted)
        std::_Exit(static_cast<int>(code));
    return static_cast<int>(code);
}

} // namespace pipeloom::cli
