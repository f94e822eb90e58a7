// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/json/simulate_json.h"
#include "app/cli/text/findings_text.h"
#include "app/cli/text/simulate_text.h"
#include "core/formats/design_file.h"
#include "core/plan/plan.h"
#include "core/simulate/critical_path.h"

#include <memory>
#include <string>

namespace pipeloom::cli {

namespace {

struct SimulateOptions {
    std::string file;
    std::optional<Form> form;
    std::optional<QueueModel> queue;
    bool json = false;
};

ExitCode simulate(const SimulateOptions& options, Console& console)
{
    ReadDesign read = loadDesign(options.file);
    if (!read.design) {
        reportFindings(read.findings, options.json, console);
        return ExitCode::WrongUse;
    }
    const Design& design = *read.design;
    const Plan made = plan(design, { .form = options.form, .queue = options.queue });
    Findings findings = std::move(read.findings);
    append(findings, made.findings);
    const std::vector<PathStep> path
        = made.simulated() ? criticalPath(made.timeline, design.pipeline) : std::vector<PathStep>();

    if (options.json) {
        JsonWriter writer(console.out);
        writeSimulation(writer, design, made, findings, path);
    } else {
        if (made.simulated())
            console.out.write(simulateText(design, made, path, console.outTerminal));
        if (made.simulated() && !findings.empty())
            console.out.write("\n");
        console.out.write(findingsText(findings, console.outTerminal, fewOfARule));
    }
    return hasErrors(findings) ? ExitCode::DesignWrong : ExitCode::Fine;
}

constexpr const char* example = R"(Example:
  pipeloom simulate v-half.pipeloom.json
  pipeloom simulate v-half.pipeloom.json --form squeezed --queue pair --json)";

} // namespace

Command addSimulate(CLI::App& app)
{
    auto options = std::make_shared<SimulateOptions>();
    CLI::App* command = app.add_subcommand("simulate", "Tell step time, bubbles, memory, critical path");
    command->footer(example);
    addFile(*command, options->file);
    addForm(*command, options->form);
    addQueue(*command, options->queue);
    addJson(*command, options->json);
    return { command, [options](Console& console) { return simulate(*options, console); } };
}

} // namespace pipeloom::cli
