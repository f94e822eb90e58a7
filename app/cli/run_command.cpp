// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/run_arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pipeloom::cli {

namespace {

double seconds(const std::string& text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr double most = 1e6;
    if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > most)
        refuse(fmt::format("--timeout is \"{}\", but must be a number of seconds above 0, up to {:.0f}.", text, most));
    return value;
}

/// Takes one of a few words.
void addChoice(CLI::App& command, const std::string& flag, const std::string& label, std::vector<std::string> words,
    std::function<void(std::size_t)> take, const std::string& description)
{
    command
        .add_option_function<std::string>(
            flag,
            [flag, words = std::move(words), take = std::move(take)](
                const std::string& text) { take(choice(text, words, flag)); },
            help(description))
        ->type_name(label);
}

constexpr const char* example = R"(Example:
  pipeloom run v-half.pipeloom.json --steps 20 --data LICENSE README.md --verify
  pipeloom run v-half.pipeloom.json --steps 100 --checkpoint saved
  pipeloom run v-half.pipeloom.json --steps 100 --resume saved --json
  pipeloom run v-half.pipeloom.json --emulate --events events.jsonl
  pipeloom run v-half.pipeloom.json --ranks 4
  torchrun --nproc-per-node 4 --no-python pipeloom run v-half.pipeloom.json

Ctrl+C ends the run, with --checkpoint after the step under way, which is saved.
A second one ends it at once.)";

} // namespace

Command addRun(CLI::App& app, std::function<ExitCode(const RunArguments&, Console&)> runner)
{
    auto arguments = std::make_shared<RunArguments>();
    executor::RunOptions& options = arguments->options;
    CLI::App* command = app.add_subcommand("run", "Train by the schedule, planned beside measured");
    command->footer(example);
    addFile(*command, arguments->file);
    addNumber(*command, "--steps", "N", { .least = 1, .most = 1'000'000'000 }, options.steps,
        "Steps to train. Default: as the design says, else a few");
    command->add_option("--data", options.data, help("Text files to train on. Default: those of the design"))
        ->type_name("FILE")
        ->expected(1, -1);
    command->add_flag(
        "--verify", options.verify, help("Compare loss and every gradient with the same model run unpipelined"));
    command
        ->add_option_function<std::string>(
            "--timeout", [arguments](const std::string& text) { arguments->options.timeoutSeconds = seconds(text); },
            help("Seconds without a sign of life after which the run is ended. Default: 60"))
        ->type_name("S");
    command->add_option("--checkpoint", options.checkpointDir, help("Folder to write checkpoints to"))
        ->type_name("DIR");
    command->add_option("--resume", options.resumeDir, help("Folder of a checkpoint to go on from"))->type_name("DIR");
    command
        ->add_option_function<std::string>(
            "--emulate",
            [arguments](const std::string& text) {
                if (!text.empty() && text != "virtual" && text != "real")
                    refuse(fmt::format("--emulate is \"{}\", but must be real or virtual.", text));
                arguments->emulate = text == "virtual" ? RunArguments::Emulate::Virtual : RunArguments::Emulate::Real;
            },
            help("Rehearse: passes take their planned time and compute nothing. virtual: on a clock of its own, at "
                 "once"))
        ->type_name("[=real|virtual]")
        ->expected(0, 1);
    const auto replicas = std::make_shared<std::optional<std::int64_t>>();
    addNumber(*command, "--replicas", "R", { .least = 1, .most = maxDevices }, *replicas,
        "Data-parallel replicas of the pipeline: R times its devices and micro-batches. Default: 1");
    command
        ->add_option("--events", options.events,
            help("Write what happens as JSON Lines while it happens: to a file, a folder, or - for standard output"))
        ->type_name("FILE|DIR|-");
    command
        ->add_option_function<std::string>(
            "--transport",
            [arguments](const std::string& kind) {
                if (kind != "local" && kind != "gloo" && kind != "nccl")
                    refuse(fmt::format("--transport is \"{}\", but must be local, gloo or nccl.", kind));
                arguments->transport = kind == "gloo" ? executor::TransportKind::Gloo
                    : kind == "nccl"                  ? executor::TransportKind::Nccl
                                                      : executor::TransportKind::Local;
            },
            help("local: each device is a thread of this process, the default; gloo: each device is a process, the "
                 "default with --ranks and under torchrun, Slurm or MPI; nccl: each is a process with a GPU"))
        ->type_name("KIND");
    addNumber(*command, "--ranks", "N", { .least = 1, .most = 1'000'000 }, options.ranks,
        "Start as many processes, one for each device");
    addQueue(*command, options.queue);
    command
        ->add_option("--drill", arguments->drill,
            help("A fault on purpose, to see what happens then: throw, memory, hang, kill, stop, nan or slow=MS at a "
                 "pass, as in kill@1F2:5, which is in step 5"))
        ->type_name("FAULT@PASS[:STEP]");
    command
        ->add_option_function<std::string>(
            "--device",
            [arguments](const std::string& kind) {
                if (kind != "cpu" && kind != "cuda")
                    refuse(fmt::format("--device is \"{}\", but must be cpu or cuda.", kind));
                arguments->options.processor = kind == "cuda" ? executor::Processor::Cuda : executor::Processor::Cpu;
            },
            help(
                "cpu, the default; cuda: GPUs of NVIDIA, of which there may be fewer than devices unless nccl is used"))
        ->type_name("KIND");
    addChoice(
        *command, "--optimizer", "MODE", { "synchronised", "post-validation" },
        [arguments](std::size_t mode) {
            arguments->options.optimizer
                = mode == 0 ? executor::OptimizerMode::Synchronised : executor::OptimizerMode::PostValidation;
        },
        "When devices take the optimizer's step: synchronised, when all have said their sums, the default; "
        "post-validation, at once, and back if it was wrong");
    addChoice(
        *command, "--on-nan", "POLICY", { "stop", "skip" },
        [arguments](std::size_t policy) {
            arguments->options.nanPolicy = policy == 0 ? executor::NanPolicy::Stop : executor::NanPolicy::Skip;
        },
        "When loss or gradients are not finite: stop the run, the default; skip the step on all devices, with a "
        "warning");
    addJson(*command, arguments->json);
    command->final_callback([arguments, replicas] {
        arguments->options.replicas = static_cast<std::int32_t>(replicas->value_or(1));
        std::error_code ignored;
        if (std::filesystem::equivalent(arguments->file, arguments->options.events, ignored))
            refuse("--events would overwrite the design. Name another file.");
        if (arguments->json && arguments->options.events == "-")
            refuse("--json and --events - both want standard output for themselves. Give the events a file.");
        if (arguments->transport == executor::TransportKind::Nccl
            && arguments->options.processor != executor::Processor::Cuda)
            refuse("--transport nccl sends from GPU to GPU. Say --device cuda as well, or --transport gloo.");
        if (arguments->emulate == RunArguments::Emulate::Virtual
            && arguments->options.processor == executor::Processor::Cuda)
            refuse("--emulate virtual has no use for a GPU. Leave --device cuda out, or say --emulate real.");
    });
    return { command,
        [arguments, runner = std::move(runner)](Console& console) { return runner(*arguments, console); } };
}

} // namespace pipeloom::cli
