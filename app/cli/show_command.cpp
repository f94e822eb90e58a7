// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/drawing/block_drawing.h"
#include "app/cli/drawing/schedule_drawing.h"
#include "app/cli/json/show_json.h"
#include "app/cli/text/findings_text.h"
#include "app/cli/text/paint.h"
#include "app/cli/text/quantity.h"
#include "core/formats/design_file.h"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace pipeloom::cli {

namespace {

struct ShowOptions {
    std::string file;
    std::optional<Form> form;
    std::optional<QueueModel> queue;
    std::optional<std::int64_t> width;
    std::optional<std::int64_t> from;
    std::optional<std::int64_t> to;
    bool fit = false;
    bool ascii = false;
    bool json = false;
};

Terminal terminalFor(const ShowOptions& options, const Console& console)
{
    Terminal terminal = console.outTerminal;
    if (options.width)
        terminal.width = static_cast<int>(*options.width);
    if (options.ascii)
        terminal.characters = Characters::Ascii;
    return terminal;
}

void writeText(
    const ShowOptions& options, const Design& design, const Plan& plan, const Findings& findings, Console& console)
{
    const Terminal terminal = terminalFor(options, console);
    const View view { .from = options.from, .to = options.to, .fit = options.fit };
    console.out.write(paint(headline(design), Ink::Strong, terminal.colours) + "\n");
    if (design.block()) {
        console.out.write("\n");
        drawBlock(design, plan.bounds, terminal, console.out);
    }
    if (plan.simulated() || !plan.schedule.slots.empty())
        console.out.write("\n");
    if (plan.simulated())
        drawSchedule(design, plan, view, terminal, console.out);
    else if (!plan.schedule.slots.empty())
        drawOrder(design, plan, view, terminal, console.out);
    if (!findings.empty())
        console.out.write('\n' + findingsText(findings, terminal, fewOfARule));
}

ExitCode show(const ShowOptions& options, Console& console)
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
    if (options.json) {
        JsonWriter writer(console.out);
        writeShown(writer, design, made, findings,
            { .from = options.from.value_or(0), .to = options.to.value_or(maxStepTicks) });
    } else {
        writeText(options, design, made, findings, console);
    }
    return hasErrors(findings) ? ExitCode::DesignWrong : ExitCode::Fine;
}

/// Two options that only together can be wrong.
void checkRange(const ShowOptions& options)
{
    if (options.to && options.from.value_or(0) >= *options.to)
        refuse(fmt::format("--from {} is not before --to {}.", options.from.value_or(0), *options.to));
}

constexpr const char* example = R"(Example:
  pipeloom show v-half.pipeloom.json
  pipeloom show v-half.pipeloom.json --form squeezed --width 200
  pipeloom show v-half.pipeloom.json --from 100 --to 200
  pipeloom new v-min --devices 4 --micro-batches 8 | pipeloom show -)";

} // namespace

Command addShow(CLI::App& app)
{
    auto options = std::make_shared<ShowOptions>();
    CLI::App* command = app.add_subcommand("show", "Draw the block and the schedule as text");
    command->footer(example);
    addFile(*command, options->file);
    addForm(*command, options->form);
    addQueue(*command, options->queue);
    addNumber(*command, "--width", "COLUMNS", { .least = leastWidth, .most = mostWidth }, options->width,
        "Columns to draw in. Default: as many as the terminal has, else 80");
    addNumber(*command, "--from", "TICK", { .least = 0, .most = maxStepTicks }, options->from,
        "Draw the schedule from this tick on");
    addNumber(*command, "--to", "TICK", { .least = 1, .most = maxStepTicks }, options->to, "Draw it up to this tick");
    command->add_flag(
        "--fit", options->fit, help("Draw all of it in one band, with several ticks in a column if need be"));
    command->add_flag("--ascii", options->ascii, help("Draw with ASCII characters only"));
    addJson(*command, options->json);
    command->final_callback([options] { checkRange(*options); });
    return { command, [options](Console& console) { return show(*options, console); } };
}

} // namespace pipeloom::cli
