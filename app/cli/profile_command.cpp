// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace pipeloom::cli {

namespace {

constexpr const char* example = R"(Example:
  pipeloom profile v-half.pipeloom.json --data LICENSE -o measured.pipeloom.json
  pipeloom profile v-half.pipeloom.json --steps 40 --transport gloo --json
  pipeloom profile v-half.pipeloom.json --forecast v-min.pipeloom.json

The design is trained with all its devices at work, one step in turn with one in
the same order with the other kinds of backward, so that F, B, W and BW are all
measured. Without -o nothing is written. --forecast takes designs of the same
placement and micro-batches, and says how well these costs foretell their steps.)";

} // namespace

Command addProfile(CLI::App& app, std::function<ExitCode(const ProfileArguments&, Console&)> runner)
{
    auto arguments = std::make_shared<ProfileArguments>();
    CLI::App* command = app.add_subcommand("profile", "Measure what the passes of a design cost");
    command->footer(example);
    addFile(*command, arguments->file);
    addNumber(*command, "--steps", "N", { .least = 1, .most = 1'000'000 }, arguments->steps,
        "Steps to measure, after two that warm up. Default: 12");
    command->add_option("--data", arguments->data, help("Text files to train on. Default: those of the design"))
        ->type_name("FILE")
        ->expected(1, -1);
    command
        ->add_option("--forecast", arguments->forecast,
            help("Run these designs in turn with it, and say how well its costs foretell them"))
        ->type_name("FILE")
        ->expected(1, -1);
    command
        ->add_option_function<std::string>(
            "--transport",
            [arguments](const std::string& kind) {
                if (kind != "local" && kind != "gloo")
                    refuse(fmt::format("--transport is \"{}\", but must be local or gloo.", kind));
                arguments->gloo = kind == "gloo";
            },
            help("How results are passed on: local, between threads, the default; gloo: over the loopback network, as "
                 "between processes of this machine"))
        ->type_name("KIND");
    command
        ->add_option("-o,--output", arguments->output,
            help("File to write the design with the measured costs to; - for standard output"))
        ->type_name("FILE");
    addJson(*command, arguments->json);
    command->final_callback([arguments] {
        if (arguments->json && arguments->output == "-")
            refuse("--json and -o - both want standard output for themselves. Give the design a file.");
    });
    return { command,
        [arguments, runner = std::move(runner)](Console& console) { return runner(*arguments, console); } };
}

} // namespace pipeloom::cli
