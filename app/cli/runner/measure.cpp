// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runner/measure.h"

#include "app/cli/commands.h"
#include "app/cli/console/interrupt.h"
#include "app/cli/json/profile_json.h"
#include "app/cli/runner/exit_code_of.h"
#include "app/cli/text/findings_text.h"
#include "app/cli/text/paint.h"
#include "app/cli/text/profile_text.h"
#include "app/cli/text/quantity.h"
#include "app/cli/text/run_text.h"
#include "core/formats/design_file.h"
#include "executor/profile/profile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

namespace pipeloom::cli {

namespace {

/// On a terminal, how much is left.
class Progress {
public:
    explicit Progress(Console& console)
        : console_(console)
        , shown_(isatty(STDERR_FILENO) != 0)
    {
    }

    void tell(std::int64_t done, std::int64_t all)
    {
        if (!shown_)
            return;
        const std::chrono::duration<double> soFar = std::chrono::steady_clock::now() - began_;
        clear();
        console_.tell(progressText(done, all, soFar.count()));
    }

    void clear()
    {
        if (shown_)
            console_.tell("\r\x1b[K");
    }

private:
    Console& console_;
    bool shown_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// Reads one more design; false, with findings, if it cannot be read.
bool read(const std::string& path, std::vector<Design>& designs, Findings& findings)
{
    ReadDesign read = loadDesign(path);
    append(findings, std::move(read.findings));
    if (!read.design)
        return false;
    designs.push_back(std::move(*read.design));
    return true;
}

/// What could not be written, if anything.
Findings write(const std::string& path, const Design& design, Console& console)
{
    const std::string text = writeDesign(design);
    if (path == "-") {
        console.out.write(text);
        return {};
    }
    const HoldInterrupts whileWriting;
    return saveText(path, text);
}

} // namespace

ExitCode measure(const ProfileArguments& arguments, Console& console)
{
    Findings findings;
    std::vector<Design> designs;
    bool readable = read(arguments.file, designs, findings);
    for (const std::string& path : arguments.forecast)
        readable = readable && read(path, designs, findings);
    if (!readable) {
        reportFindings(findings, arguments.json, console);
        return ExitCode::WrongUse;
    }

    StopOnInterrupt interrupt;
    Progress progress(console);
    executor::ProfileOptions options;
    options.steps = arguments.steps.value_or(options.steps);
    options.data = arguments.data;
    options.transport = arguments.gloo ? executor::TransportKind::Gloo : executor::TransportKind::Local;
    options.stop = interrupt.token();
    options.onStep = [&](std::int64_t done, std::int64_t all) { progress.tell(done, all); };
    const executor::ProfileResult result = executor::profile(designs.front(), std::span(designs).subspan(1), options);
    progress.clear();
    append(findings, result.findings);

    ExitCode code = exitCodeOf(result.outcome);
    if (result.design && !arguments.output.empty()) {
        append(findings, write(arguments.output, *result.design, console));
        if (hasErrors(findings))
            code = ExitCode::Failed;
    }
    if (arguments.json) {
        JsonWriter writer(console.out);
        writeProfile(writer, result, code == ExitCode::Fine, findings);
        return code;
    }
    if (result.ok() && arguments.output == "-")
        console.tell(profileText(result, console.errorTerminal));
    else if (result.ok())
        console.out.write(profileText(result, console.outTerminal));
    console.out.flush();
    console.tell(findingsText(findings, console.errorTerminal, fewOfARule));
    if (code == ExitCode::Fine && !arguments.output.empty() && arguments.output != "-")
        console.tell(fmt::format("Wrote {}: {}\n", printable(arguments.output), headline(*result.design)));
    return code;
}

} // namespace pipeloom::cli
