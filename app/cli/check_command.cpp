// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/json/findings_json.h"
#include "app/cli/text/findings_text.h"
#include "app/cli/text/paint.h"
#include "app/cli/text/quantity.h"
#include "core/formats/design_file.h"
#include "core/formats/model_check.h"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace pipeloom::cli {

namespace {

struct CheckOptions {
    std::string file;
    std::optional<QueueModel> queue;
    bool json = false;
};

/// What was found, and at the end what that means.
std::string checkText(const Design& design, const Plan& plan, const Findings& findings, const Terminal& terminal)
{
    std::string result = findingsText(findings, terminal, allOfARule);
    const std::string verdict = !hasErrors(findings)
        ? fmt::format("It runs to its end under the queue model {}", text(plan.queue))
        : std::string("It cannot be run as it is");
    result += paint(headline(design), Ink::Strong, terminal.colours) + '\n';
    result += fmt::format("{}: {}.\n", verdict, countsText(findings));
    return result;
}

ExitCode check(const CheckOptions& options, Console& console)
{
    ReadDesign read = loadDesign(options.file);
    if (!read.design) {
        reportFindings(read.findings, options.json, console);
        return ExitCode::WrongUse;
    }
    const Plan made = plan(*read.design, { .form = {}, .queue = options.queue });
    Findings findings = std::move(read.findings);
    append(findings, made.findings);
    if (read.design->model)
        append(findings,
            pipeloom::check(*read.design->model,
                read.design->training ? read.design->training->layersPerStage : std::vector<std::int32_t>(),
                read.design->pipeline.stages));
    if (options.json) {
        JsonWriter writer(console.out);
        writeFindings(writer, findings);
    } else {
        console.out.write(checkText(*read.design, made, findings, console.outTerminal));
    }
    return hasErrors(findings) ? ExitCode::DesignWrong : ExitCode::Fine;
}

constexpr const char* example = R"(Example:
  pipeloom check v-half.pipeloom.json
  pipeloom check v-half.pipeloom.json --queue device --json

Exit code 1 if there is an error; warnings and notes are fine.)";

} // namespace

Command addCheck(CLI::App& app)
{
    auto options = std::make_shared<CheckOptions>();
    CLI::App* command = app.add_subcommand("check", "Say what is wrong with a design and what to do");
    command->footer(example);
    addFile(*command, options->file);
    addQueue(*command, options->queue);
    addJson(*command, options->json);
    return { command, [options](Console& console) { return check(*options, console); } };
}

} // namespace pipeloom::cli
