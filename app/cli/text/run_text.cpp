// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/run_text.h"

#include "app/cli/text/paint.h"
#include "app/cli/text/quantity.h"
#include "app/cli/text/table.h"
#include "app/cli/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace pipeloom::cli {

namespace {

using executor::DeviceReport;
using executor::MemoryUse;
using executor::RunResult;

std::string milliseconds(double ms) { return fmt::format("{:.2f}", ms); }

void appendParagraph(
    std::string& text, const std::string& paragraph, const std::string& indent, const Terminal& terminal)
{
    for (const std::string& line : wrap(paragraph, terminal.width - static_cast<int>(indent.size())))
        text += indent + line + '\n';
}

/// Of one step after the other, where single ones share their ends with others.
double medianMs(const std::vector<executor::StepReport>& steps)
{
    std::vector<double> times;
    for (const executor::StepReport& step : steps)
        times.push_back(step.stepMs);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

std::string figuresText(const RunResult& result, const Terminal& terminal)
{
    const Metrics& planned = result.plan.metrics;
    const Metrics& measured = result.measuredMetrics;
    if (planned.devices.empty() || measured.devices.empty() || result.steps.empty())
        return "";
    Table table;
    table.columns = { { .heading = "last step" }, { .heading = "planned", .align = Align::Right },
        { .heading = "measured", .align = Align::Right } };
    const bool isSynchronised = result.optimizer == executor::OptimizerMode::Synchronised;
    table.rows = {
        { isSynchronised ? "time" : "time per step", ticksText(isSynchronised ? planned.makespan() : planned.ownSpan),
            milliseconds(isSynchronised ? result.steps.back().stepMs : medianMs(result.steps)) + " ms" },
        { "idle share", percentText(planned.idleShare()), percentText(measured.idleShare()) },
        { "own-span bubble", percentText(planned.ownSpanBubble()), percentText(measured.ownSpanBubble()) },
    };
    std::string text = table.text(terminal);
    if (result.replayedMs)
        appendParagraph(text,
            fmt::format("With the measured times of its passes and free transfers the same order takes {} ms.",
                milliseconds(*result.replayedMs)),
            "  ", terminal);
    return text + '\n';
}

std::string timesText(const RunResult& result, const Terminal& terminal)
{
    Table table;
    for (const char* heading : { "device", "busy", "of it around", "transfer", "waiting", "in all" })
        table.columns.push_back({ .heading = heading, .align = Align::Right });
    for (std::size_t d = 0; d < result.devices.size(); ++d) {
        const DeviceReport& device = result.devices[d];
        table.rows.push_back({ std::to_string(d), milliseconds(device.busyMs), milliseconds(device.aroundMs),
            milliseconds(device.transferMs), milliseconds(device.waitMs), milliseconds(device.stepMs) });
    }
    return table.text(terminal) + "  Milliseconds of the last step; around passes: batches, sums, the optimizer.\n\n";
}

/// A row each for what was planned and what was measured, so that they stand below each other.
std::string memoryText(const RunResult& result, const Terminal& terminal)
{
    Table table;
    table.columns = { { .heading = "device" } };
    for (const char* heading : { "total", "weights", "gradients", "optimizer", "activations", "passing" })
        table.columns.push_back({ .heading = heading, .align = Align::Right });
    const auto row = [](const std::string& name, const MemoryUse& use) {
        std::vector<std::string> cells { name, cli::memoryText(use.total, MemoryUnit::Byte) };
        for (const Bytes bytes : use.byClass)
            cells.push_back(cli::memoryText(bytes, MemoryUnit::Byte));
        return cells;
    };
    for (std::size_t d = 0; d < result.devices.size(); ++d) {
        table.rows.push_back(row(fmt::format("{} planned", d), result.devices[d].predicted));
        table.rows.push_back(row("  measured", result.devices[d].peak));
    }
    return table.text(terminal) + "  Memory, each at its own highest; the total is the highest of the sum.\n";
}

std::string emulationText(const executor::Emulation& emulation)
{
    if (emulation.isVirtual)
        return fmt::format(
            "Emulated on a virtual clock: passes computed nothing, and times are the planned ones ({} ms a step).",
            milliseconds(emulation.plannedMs));
    return fmt::format(
        "Emulated: passes took their planned time and computed nothing. Planned were {} ms a step; passes ended "
        "{} ms late at the median, {} ms in 99 of 100, {} ms at worst.",
        milliseconds(emulation.plannedMs), milliseconds(emulation.lateness.medianMs),
        milliseconds(emulation.lateness.p99Ms), milliseconds(emulation.lateness.worstMs));
}

std::string verifyText(const RunResult& result)
{
    const char* verdict = result.ok()
        ? "Verified: loss and every gradient agree with those of the same model run unpipelined"
        : "Loss and gradients were compared with those of the same model run unpipelined";
    return fmt::format("{}; the worst relative difference is {:.2g} ({}).", verdict, result.verify->worst,
        printable(result.verify->parameter));
}

} // namespace

std::string stepHeading(bool emulated)
{
    return fmt::format("{:>8}  {:>12}  {:>10}\n", "step", emulated ? "emulated" : "loss", "ms");
}

std::string stepText(const executor::StepReport& step, bool emulated)
{
    if (emulated)
        return fmt::format("{:>8}  {:>12}  {:>10.2f}\n", step.step, "", step.stepMs);
    return fmt::format("{:>8}  {:>12.6f}  {:>10.2f}\n", step.step, step.loss, step.stepMs);
}

std::string progressText(std::int64_t done, std::optional<std::int64_t> steps, double secondsSoFar)
{
    if (!steps || done >= *steps)
        return fmt::format("{} done", counted(done, "step"));
    const double left = secondsSoFar / static_cast<double>(done) * static_cast<double>(*steps - done);
    return fmt::format("step {} of {}, {:.0f} s left", done, *steps, left);
}

std::string runText(const RunResult& result, const Terminal& terminal)
{
    std::string text;
    const Model& model = result.model;
    if (model.layers > 0 && !result.defaultModel) // else a note says what was taken
        appendParagraph(text,
            fmt::format("Model: {}, hidden {}, heads {}, sequence {}, vocabulary {}, {} in a micro-batch",
                counted(model.layers, "layer"), model.hidden, model.heads, model.sequence, model.vocabulary,
                counted(model.microBatchSize, "sequence")),
            "", terminal);
    for (const std::string& note : result.notes)
        appendParagraph(text, printable(note), "", terminal);
    if (result.emulation)
        appendParagraph(text, emulationText(*result.emulation), "", terminal);
    if (result.verify)
        appendParagraph(text, verifyText(result), "", terminal);
    text += '\n';
    text += figuresText(result, terminal);
    if (!result.devices.empty())
        text += timesText(result, terminal);
    if (!result.devices.empty() && !result.emulation)
        text += memoryText(result, terminal);
    return text;
}

} // namespace pipeloom::cli
