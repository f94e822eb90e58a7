// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console/interrupt.h"
#include "app/cli/json/findings_json.h"
#include "app/cli/text/findings_text.h"
#include "app/cli/text/nearest.h"
#include "app/cli/text/paint.h"
#include "app/cli/text/quantity.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pipeloom::cli {

namespace {

struct NewOptions {
    std::string schedule;
    std::optional<std::int64_t> devices;
    std::optional<std::int64_t> microBatches;
    std::optional<std::int64_t> chunks;
    std::optional<std::int64_t> transfer;
    std::map<std::string, Ticks> costs; ///< by kind, as given
    std::string output = "-";
    bool json = false;
};

constexpr NumberRange tickRange { .least = 0, .most = maxTicks - 1 };

/// `F=2,B=2,W=1,BW=4`: any of the kinds, in any order, each once.
std::map<std::string, Ticks> costs(const std::string& text)
{
    std::map<std::string, Ticks> costs;
    const std::vector<std::string> kinds { "F", "B", "W", "BW" };
    for (const std::string& item : CLI::detail::split(text, ',')) {
        const std::size_t equals = item.find('=');
        const std::string kind = item.substr(0, equals);
        if (equals == std::string::npos || std::ranges::find(kinds, kind) == kinds.end())
            refuse(fmt::format("--cost has \"{}\", but takes ticks by kind of pass, as in F=2,B=2,W=1,BW=4.", item));
        if (!costs.emplace(kind, number(item.substr(equals + 1), tickRange, "--cost " + kind)).second)
            refuse(fmt::format("--cost gives {} twice.", kind));
    }
    return costs;
}

const LibraryEntry& entry(const std::string& name)
{
    if (const LibraryEntry* found = findInLibrary(name))
        return *found;
    std::vector<std::string> names;
    for (const LibraryEntry& entry : library())
        names.emplace_back(entry.name);
    const std::string meant = nearest(name, names);
    refuse(fmt::format("There is no schedule {}; {}", name,
        meant.empty() ? "pipeloom list shows all." : fmt::format("did you mean {}?", meant)));
}

LibraryRequest request(const NewOptions& options)
{
    const auto cost = [&options](const char* kind) -> std::optional<Ticks> {
        const auto found = options.costs.find(kind);
        return found == options.costs.end() ? std::nullopt : std::optional(found->second);
    };
    return {
        .devices = static_cast<std::int32_t>(options.devices.value()),
        .microBatches = static_cast<std::int32_t>(options.microBatches.value()),
        .chunks = static_cast<std::int32_t>(options.chunks.value_or(0)),
        .f = cost("F").value_or(1),
        .b = cost("B").value_or(1),
        .w = cost("W").value_or(1),
        .bw = cost("BW"),
        .transfer = options.transfer.value_or(0),
    };
}

/// Findings without errors, and what was made: to standard error, as standard output may be the design.
void tellMade(const NewOptions& options, const Design& design, const Findings& findings, Console& console)
{
    if (options.json) {
        if (options.output != "-")
            reportFindings(findings, true, console);
        return;
    }
    console.tell(findingsText(findings, console.errorTerminal, fewOfARule));
    if (options.output != "-")
        console.tell(fmt::format("Wrote {}: {}\n", printable(options.output), headline(design)));
}

ExitCode make(const NewOptions& options, const LibraryEntry& entry, Console& console)
{
    const LibraryDesign made = entry.make(request(options));
    if (!made.design || hasErrors(made.findings)) {
        reportFindings(made.findings, options.json, console);
        return ExitCode::DesignWrong;
    }
    const std::string text = writeDesign(*made.design);
    if (options.output == "-") {
        console.out.write(text);
    } else {
        const HoldInterrupts whileWriting;
        if (const Findings failures = saveText(options.output, text); hasErrors(failures)) {
            reportFindings(failures, options.json, console);
            return ExitCode::Failed;
        }
    }
    Findings findings = made.findings;
    append(findings, check(made.design->pipeline));
    tellMade(options, *made.design, findings, console);
    return ExitCode::Fine;
}

constexpr const char* example = R"(Example:
  pipeloom new v-half --devices 4 --micro-batches 8 -o v-half.pipeloom.json
  pipeloom new zb-h1 --devices 8 --micro-batches 32 --cost F=20,B=21,W=15

Without --cost a pass takes one tick, the fused backward BW two, and a stage
holds one activation per micro-batch.)";

} // namespace

Command addNew(CLI::App& app)
{
    auto options = std::make_shared<NewOptions>();
    CLI::App* command = app.add_subcommand("new", "Make the design of a published schedule");
    command->footer(example);
    // Looked up while reading the arguments, so that an unknown one is wrong use.
    auto found = std::make_shared<const LibraryEntry*>(nullptr);
    command
        ->add_option_function<std::string>(
            "SCHEDULE", [found](const std::string& name) { *found = &entry(name); },
            help("Its name, as pipeloom list shows it"))
        ->required()
        ->type_name("");
    addNumber(
        *command, "--devices", "P", { .least = 1, .most = maxDevices }, options->devices, "Devices of the pipeline")
        ->required();
    addNumber(*command, "--micro-batches", "M", { .least = 1, .most = maxPasses }, options->microBatches,
        "Micro-batches of a step")
        ->required();
    addNumber(*command, "--chunks", "V", { .least = 1, .most = maxPasses }, options->chunks,
        "Stages per device. Default: what the schedule is made for");
    command
        ->add_option_function<std::string>(
            "--cost", [options](const std::string& text) { options->costs = costs(text); },
            help("Ticks of the passes of a stage, by kind"))
        ->type_name("F=2,B=2,W=1,BW=4");
    addNumber(*command, "--transfer", "TICKS", tickRange, options->transfer, "Ticks from device to device. Default: 0");
    command->add_option("-o,--output", options->output, help("File to write; - for standard output, the default"))
        ->type_name("FILE");
    addJson(*command, options->json, "Print findings as one JSON document (the design is one itself)");
    return { command, [options, found](Console& console) { return make(*options, **found, console); } };
}

} // namespace pipeloom::cli
