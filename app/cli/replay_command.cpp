// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console/interrupt.h"
#include "app/cli/drawing/step_drawing.h"
#include "app/cli/json/replay_json.h"
#include "app/cli/replay.h"
#include "app/cli/text/findings_text.h"
#include "app/cli/text/paint.h"
#include "app/cli/text/replay_text.h"
#include "app/cli/text/wrap.h"
#include "core/formats/design_file.h"
#include "core/measured/run_costs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

namespace pipeloom::cli {

namespace {

struct ReplayOptions {
    std::string path;
    std::optional<std::int64_t> step;
    double speed = 0; ///< 0: all at once
    std::string diff;
    std::string output; ///< the design with the measured costs; empty: not wanted
    bool json = false;
};

/// Waits until an event is due, as long as nobody asks to stop.
class Pace {
public:
    Pace(double speed, std::stop_token stop)
        : speed_(speed)
        , stop_(std::move(stop))
    {
    }
    void waitFor(const RunEvent& event)
    {
        const auto at = timeOf(event);
        if (!at)
            return;
        const auto due = began_ + std::chrono::nanoseconds(static_cast<Nanos>(static_cast<double>(*at) / speed_));
        constexpr auto often = std::chrono::milliseconds(50);
        while (!stop_.stop_requested() && std::chrono::steady_clock::now() < due)
            std::this_thread::sleep_until(std::min(due, std::chrono::steady_clock::now() + often));
    }

private:
    double speed_;
    std::stop_token stop_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

double speedOf(const std::string& text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr double most = 1000;
    if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > most)
        refuse(fmt::format("--speed is \"{}\", but must be a number above 0, up to {:.0f}.", text, most));
    return value;
}

/// How much of a large file was read, on a terminal.
std::function<void(std::int64_t, std::int64_t)> progressOn(Console& console)
{
    constexpr std::int64_t large = 20'000'000;
    if (isatty(STDERR_FILENO) == 0)
        return {};
    return [&console, told = -1](std::int64_t done, std::int64_t all) mutable {
        const int percent = all > large ? static_cast<int>(100 * done / all) : -1;
        if (percent != told)
            console.tell(percent >= 100 ? "\r\x1b[K" : fmt::format("\r{} %", percent));
        told = percent;
    };
}

ExitCode tellDiff(const ReplayOptions& options, const Replayed& run, Console& console)
{
    const Replayed other = readRun({ .path = options.diff,
        .step = {},
        .onProgress = progressOn(console),
        .onEvent = {},
        .onNotice = {},
        .isStopped = {} });
    if (hasErrors(other.findings) && !other.log->began()) {
        reportFindings(other.findings, options.json, console);
        return ExitCode::WrongUse;
    }
    if (options.json) {
        JsonWriter writer(console.out);
        writeDiff(writer, run, other);
    } else {
        console.out.write(diffText(run, other, console.outTerminal));
    }
    return ExitCode::Fine;
}

ExitCode tellStep(const ReplayOptions& options, const Replayed& run, Console& console)
{
    const RunPlanPtr plan = run.plan();
    if (!run.step || !plan) {
        const Finding missing { "events/no-step", Severity::Error, {}, "",
            run.step ? std::string("The run's plan is not known.")
                     : fmt::format("The run has no step {}.", *options.step),
            "Without --step all of its steps are listed." };
        reportFindings({ missing }, options.json, console);
        return ExitCode::WrongUse;
    }
    if (options.json) {
        JsonWriter writer(console.out);
        writeStep(writer, *run.step, *plan);
    } else {
        drawStep(*run.step, *plan, console.outTerminal, console.out);
        console.out.write('\n' + stepText(*run.step, *plan, console.outTerminal));
    }
    return ExitCode::Fine;
}

/// Writes the run's design with the costs that were measured, and says how well they foretell the steps.
ExitCode writeCosts(const ReplayOptions& options, const Replayed& run, Console& console)
{
    const auto refuseWith = [&](const Findings& findings) {
        reportFindings(findings, options.json, console);
        return ExitCode::DesignWrong;
    };
    if (!run.log->plan())
        return refuseWith(run.findings);
    const RunCosts measured = runCosts(run.lastWhole(), *run.log->plan());
    const auto& planned = run.log->planned();
    const DesignWithCosts made
        = withMeasuredCosts(*run.log->began()->design, measured.costs, planned ? &*planned : nullptr);
    if (!made.design)
        return refuseWith(made.findings);
    if (Findings findings = saveText(options.output, writeDesign(*made.design)); hasErrors(findings)) {
        reportFindings(findings, options.json, console);
        return ExitCode::Failed;
    }
    if (options.output == "-")
        return ExitCode::Fine;
    const auto tell = [&](const std::string& sentence) {
        for (const std::string& line : wrap(sentence, console.outTerminal.width))
            console.out.write(line + '\n');
    };
    if (measured.explained)
        tell(text(*measured.explained));
    for (const std::string& note : made.notes)
        tell(note);
    console.out.write("Wrote " + printable(options.output) + ".\n");
    console.tell(findingsText(made.findings, console.errorTerminal, fewOfARule));
    return ExitCode::Fine;
}

ExitCode replayRun(const ReplayOptions& options, Console& console)
{
    StopOnInterrupt interrupt;
    Pace pace(options.speed, interrupt.token());
    ReplayRequest request;
    request.path = options.path;
    request.step = options.step;
    request.isStopped = [token = interrupt.token()] { return token.stop_requested(); };
    const bool paced = options.speed > 0;
    if (paced) {
        request.onEvent = [&pace](const RunEvent& event) { pace.waitFor(event); };
        request.onNotice = [&](const RunNotice& notice) {
            console.out.write(noticeText(notice, console.outTerminal));
            console.out.flush();
        };
    } else {
        request.onProgress = progressOn(console);
    }
    const Replayed run = readRun(request);
    if (interrupt.token().stop_requested())
        return ExitCode::Interrupted;
    if (!run.log->began()) {
        reportFindings(run.findings, options.json, console);
        return ExitCode::WrongUse;
    }
    ExitCode code = ExitCode::Fine;
    if (!options.output.empty())
        code = writeCosts(options, run, console);
    else if (!options.diff.empty())
        code = tellDiff(options, run, console);
    else if (options.step)
        code = tellStep(options, run, console);
    else if (options.json) {
        JsonWriter writer(console.out);
        writeReplay(writer, run);
    } else if (!paced) {
        console.out.write(replayText(run, console.outTerminal));
    }
    console.out.flush();
    if (!options.json)
        console.tell(findingsText(run.findings, console.errorTerminal, fewOfARule));
    return code;
}

constexpr const char* example = R"(Example:
  pipeloom replay events.jsonl
  pipeloom replay events.jsonl --step 12
  pipeloom replay events.jsonl --speed 10
  pipeloom replay before.jsonl --diff after.jsonl
  pipeloom replay events.jsonl -o measured.pipeloom.json)";

} // namespace

Command addReplay(CLI::App& app)
{
    auto options = std::make_shared<ReplayOptions>();
    CLI::App* command = app.add_subcommand("replay", "Tell what the events of a run come to");
    command->footer(example);
    command
        ->add_option("EVENTS", options->path, help("What --events was given: a file or a folder; - for standard input"))
        ->required()
        ->type_name("");
    addNumber(*command, "--step", "N", { .least = 0, .most = 1'000'000'000'000 }, options->step,
        "One step: planned and measured above each other");
    command
        ->add_option_function<std::string>(
            "--speed", [options](const std::string& text) { options->speed = speedOf(text); },
            help("Tell what happened in the pace in which it did, so many times as fast. Default: all at once"))
        ->type_name("X");
    command->add_option("--diff", options->diff, help("The events of another run, to be put beside these"))
        ->type_name("EVENTS");
    command
        ->add_option("-o,--output", options->output,
            help("Write the run's design with the costs that were measured, and say how well they foretell the steps; "
                 "- for "
                 "standard output"))
        ->type_name("FILE");
    addJson(*command, options->json);
    command->final_callback([options] {
        std::error_code ignored;
        if (std::filesystem::equivalent(options->path, options->output, ignored))
            refuse("-o would overwrite the events. Name another file.");
        if (!options->output.empty()
            && (options->step || !options->diff.empty() || options->json || options->speed > 0))
            refuse("-o writes a design and nothing else. Leave --step, --speed, --diff and --json out.");
        if (options->step && !options->diff.empty())
            refuse("--step shows one run, and --diff compares two. Leave one of them out.");
        if (options->json && options->speed > 0)
            refuse("--json prints one document at the end. Leave --speed out.");
    });
    return { command, [options](Console& console) { return replayRun(*options, console); } };
}

} // namespace pipeloom::cli
