// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runner/train.h"

#include "app/cli/commands.h"
#include "app/cli/console/interrupt.h"
#include "app/cli/json/run_json.h"
#include "app/cli/runner/exit_code_of.h"
#include "app/cli/text/findings_text.h"
#include "app/cli/text/run_text.h"
#include "core/formats/design_file.h"
#include "executor/emulation/emulation.h"
#include "executor/processes/children.h"
#include "executor/processes/launch.h"
#include "executor/processes/rank_run.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace pipeloom::cli {

namespace {

/// Tells each step as it ends: in a table, and on a terminal how much is left.
class StepTeller {
public:
    StepTeller(const RunArguments& arguments, const Design& design, bool silent, Console& console)
        : console_(console)
        , steps_(arguments.options.steps)
        , emulated_(arguments.emulate != RunArguments::Emulate::No)
        , tellsSteps_(!silent && !arguments.json && arguments.options.events != "-")
        , tellsProgress_(!silent && isatty(STDERR_FILENO) != 0)
    {
        if (!steps_ && design.training)
            steps_ = design.training->steps;
    }

    void tell(const executor::StepReport& step)
    {
        clearProgress();
        if (tellsSteps_) {
            if (done_ == 0)
                console_.out.write(stepHeading(emulated_));
            console_.out.write(stepText(step, emulated_));
            console_.out.flush();
        }
        ++done_;
        if (tellsProgress_) {
            const std::chrono::duration<double> soFar = std::chrono::steady_clock::now() - began_;
            console_.tell(progressText(done_, steps_, soFar.count()));
        }
    }

    void clearProgress()
    {
        if (tellsProgress_)
            console_.tell("\r\x1b[K");
    }

private:
    Console& console_;
    std::optional<std::int64_t> steps_;
    bool emulated_;
    bool tellsSteps_;
    bool tellsProgress_;
    std::int64_t done_ = 0;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// Lines that ranks write: events to standard output, if that is where they go; else to standard error, with the rank's number.
void passOn(int rank, std::string_view line, bool eventsToOutput, std::mutex& mutex)
{
    const bool isEvent = eventsToOutput && line.starts_with("{\"event\":");
    const std::string text = (isEvent ? std::string() : executor::linePrefix(rank)) + std::string(line) + '\n';
    const std::lock_guard held(mutex);
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t written = ::write(isEvent ? STDOUT_FILENO : STDERR_FILENO, rest.data(), rest.size());
        if (written < 0)
            return;
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
}

executor::RunResult onProcesses(const RunArguments& arguments, const Design& design,
    const executor::RunOptions& options, std::span<const char* const> commandLine)
{
    executor::LaunchPlan plan;
    for (const char* argument : commandLine.subspan(1))
        plan.arguments.emplace_back(argument);
    const auto mutex = std::make_shared<std::mutex>();
    const bool eventsToOutput = arguments.options.events == "-";
    plan.onLine
        = [mutex, eventsToOutput](int rank, std::string_view line) { passOn(rank, line, eventsToOutput, *mutex); };
    return executor::launch(design, options, plan);
}

executor::RunResult runAsAsked(const RunArguments& arguments, const Design& design, const executor::RunOptions& options,
    const std::optional<executor::RankPlace>& place, std::span<const char* const> commandLine)
{
    using Emulate = RunArguments::Emulate;
    if (arguments.emulate != Emulate::No)
        return executor::emulate(design, options,
            arguments.emulate == Emulate::Virtual ? executor::EmulatedTime::Virtual : executor::EmulatedTime::Real);
    if (options.transport == executor::TransportKind::Local)
        return executor::run(design, options);
    return place ? executor::runRank(design, options, *place) : onProcesses(arguments, design, options, commandLine);
}

/// Local, unless ranks were asked for or this process is one of several.
executor::TransportKind transportOf(const RunArguments& arguments, const std::optional<executor::RankPlace>& place)
{
    const bool isRank = (place && place->world > 1) || arguments.options.ranks;
    return arguments.transport.value_or(isRank ? executor::TransportKind::Gloo : executor::TransportKind::Local);
}

Findings contradictions(const RunArguments& arguments, const std::optional<executor::RankPlace>& place)
{
    const auto refused = [](std::string message, std::string remedy) {
        return Findings { { "run/options", Severity::Error, {}, "", std::move(message), std::move(remedy) } };
    };
    if (place && place->world > 1 && (arguments.transport == executor::TransportKind::Local))
        return refused("This process is one of several ranks, and --transport local runs all devices in one.",
            "Start it without torchrun, srun or mpirun, or say --transport gloo.");
    if (place && place->world > 1 && arguments.emulate != RunArguments::Emulate::No)
        return refused("A rehearsal runs all devices in one process, and this is one of several ranks.",
            "Start it without torchrun, srun or mpirun.");
    if (place && place->world > 1 && !place->watchFd && arguments.options.ranks)
        return refused("This process is one of several ranks already, and --ranks starts processes of its own.",
            "Leave --ranks out, or start it without torchrun, srun or mpirun (unset RANK).");
    if (place && place->world > 1 && !place->localRank && arguments.options.processor == executor::Processor::Cuda)
        return refused(
            "Which GPU of its host this rank takes is not told: the environment variable LOCAL_RANK is missing.",
            "Set LOCAL_RANK for every rank, from 0 on each host, or leave it to torchrun.");
    if (arguments.options.ranks && arguments.transport == executor::TransportKind::Local)
        return refused(
            "--ranks starts processes, and --transport local runs all devices in one.", "Leave one of them out.");
    if (arguments.emulate != RunArguments::Emulate::No
        && transportOf(arguments, place) != executor::TransportKind::Local)
        return refused("A rehearsal runs all devices in one process.", "Leave --ranks and --transport out.");
    return {};
}

/// What only the launcher or rank 0 says.
bool isSilent(const std::optional<executor::RankPlace>& place) { return place && (place->watchFd || place->rank != 0); }

} // namespace

ExitCode train(const RunArguments& arguments, Console& console, std::span<const char* const> commandLine)
{
    outliveTerminal();
    const executor::RankPlaceRead where = executor::readRankPlace(executor::processEnvironment());
    Findings wrong = where.findings;
    append(wrong, contradictions(arguments, where.place));
    executor::ReadFireDrill drill;
    if (!arguments.drill.empty())
        drill = executor::readFireDrill(arguments.drill);
    append(wrong, std::move(drill.findings));
    using Fault = executor::FireDrill::Fault;
    const bool endsProcess = drill.drill && (drill.drill->fault == Fault::Kill || drill.drill->fault == Fault::Stop);
    if (endsProcess && transportOf(arguments, where.place) == executor::TransportKind::Local)
        wrong.push_back({ "run/options", Severity::Error, {}, "",
            "The drills kill and stop hit a whole process, and all devices of this run are threads of one.",
            "Say --ranks as well, or take throw or hang." });
    if (hasErrors(wrong)) {
        reportFindings(wrong, arguments.json, console);
        return ExitCode::WrongUse;
    }
    const char* ofLauncher = where.place ? std::getenv(executor::designVariable) : nullptr;
    const ReadDesign read = loadDesign(ofLauncher != nullptr ? ofLauncher : arguments.file);
    if (!read.design) {
        reportFindings(read.findings, arguments.json, console);
        return ExitCode::WrongUse;
    }
    const bool silent = isSilent(where.place);
    // A launcher ends its ranks by SIGTERM, and means it.
    StopOnInterrupt interrupt(!(where.place && where.place->watchFd));
    StepTeller teller(arguments, *read.design, silent, console);
    executor::RunOptions options = arguments.options;
    options.transport = transportOf(arguments, where.place);
    options.drill = drill.drill;
    options.stop = interrupt.token();
    options.onStep = [&](const executor::StepReport& step) {
        teller.tell(step);
        if (!console.out.open()) // nobody reads what it says: `pipeloom run ... | head -1`
            interrupt.request();
    };
    const executor::RunResult result = runAsAsked(arguments, *read.design, options, where.place, commandLine);
    teller.clearProgress();

    Findings findings = read.findings;
    append(findings, result.findings);
    if (silent) {
        // A launcher that is there says all that could be told to it.
        const bool told = where.place->watchFd && !findings.empty() && findings.back().rule != "run/lost-store";
        if (!told && result.outcome != executor::Outcome::Finished && !result.findings.empty())
            console.tell(findingsText({ result.findings.back() }, console.errorTerminal, fewOfARule));
        return exitCodeOf(result.outcome);
    }
    if (arguments.json) {
        JsonWriter writer(console.out);
        writeRun(writer, result, findings);
        return exitCodeOf(result.outcome);
    }
    const bool tables = arguments.options.events != "-"; // else the lines of events have the output for themselves
    if (tables && result.outcome != executor::Outcome::Refused && result.outcome != executor::Outcome::Unreadable)
        console.out.write((result.steps.empty() ? "" : "\n") + runText(result, console.outTerminal));
    console.out.flush();
    console.tell(findingsText(findings, console.errorTerminal, fewOfARule));
    return exitCodeOf(result.outcome);
}

} // namespace pipeloom::cli
