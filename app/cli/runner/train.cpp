// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runner/train.h"

#include "app/cli/commands.h"
#include "app/cli/console/interrupt.h"
#include "app/cli/json/run_json.h"
#include "app/cli/text/findings_text.h"
#include "app/cli/text/run_text.h"
#include "core/formats/design_file.h"
#include "executor/emulation/emulation.h"

#include <unistd.h>

#include <chrono>

namespace pipeloom::cli {

namespace {

ExitCode exitCode(executor::Outcome outcome)
{
    switch (outcome) {
    case executor::Outcome::Finished:
        return ExitCode::Fine;
    case executor::Outcome::Refused:
        return ExitCode::DesignWrong;
    case executor::Outcome::Unreadable:
        return ExitCode::WrongUse;
    case executor::Outcome::Failed:
        return ExitCode::Failed;
    case executor::Outcome::Interrupted:
        return ExitCode::Interrupted;
    }
    return ExitCode::Failed;
}

/// Tells each step as it ends: in a table, and on a terminal how much is left.
class StepTeller {
public:
    StepTeller(const RunArguments& arguments, const Design& design, Console& console)
        : console_(console)
        , steps_(arguments.options.steps)
        , emulated_(arguments.emulate != RunArguments::Emulate::No)
        , tellsSteps_(!arguments.json && arguments.options.events != "-")
        , tellsProgress_(isatty(STDERR_FILENO) != 0)
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

} // namespace

ExitCode train(const RunArguments& arguments, Console& console)
{
    const ReadDesign read = loadDesign(arguments.file);
    if (!read.design) {
        reportFindings(read.findings, arguments.json, console);
        return ExitCode::WrongUse;
    }
    StopOnInterrupt interrupt;
    StepTeller teller(arguments, *read.design, console);
    executor::RunOptions options = arguments.options;
    options.stop = interrupt.token();
    options.onStep = [&](const executor::StepReport& step) {
        teller.tell(step);
        if (!console.out.open()) // nobody reads what it says: `pipeloom run ... | head -1`
            interrupt.request();
    };
    using Emulate = RunArguments::Emulate;
    const executor::RunResult result = arguments.emulate == Emulate::No
        ? executor::run(*read.design, options)
        : executor::emulate(*read.design, options,
            arguments.emulate == Emulate::Virtual ? executor::EmulatedTime::Virtual : executor::EmulatedTime::Real);
    teller.clearProgress();

    Findings findings = read.findings;
    append(findings, result.findings);
    if (arguments.json) {
        JsonWriter writer(console.out);
        writeRun(writer, result, findings);
        return exitCode(result.outcome);
    }
    const bool tables = arguments.options.events != "-"; // else the lines of events have the output for themselves
    if (tables && result.outcome != executor::Outcome::Refused && result.outcome != executor::Outcome::Unreadable)
        console.out.write((result.steps.empty() ? "" : "\n") + runText(result, console.outTerminal));
    console.out.flush();
    console.tell(findingsText(findings, console.errorTerminal, fewOfARule));
    return exitCode(result.outcome);
}

} // namespace pipeloom::cli
