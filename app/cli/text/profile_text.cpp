// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/profile_text.h"

#include "app/cli/text/paint.h"
#include "app/cli/text/quantity.h"
#include "app/cli/text/table.h"
#include "app/cli/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::cli {

namespace {

using executor::Foretold;
using executor::ProfileResult;

void appendParagraph(
    std::string& text, const std::string& paragraph, const std::string& indent, const Terminal& terminal)
{
    for (const std::string& line : wrap(paragraph, terminal.width - static_cast<int>(indent.size())))
        text += indent + line + '\n';
}

Table tableOf(std::initializer_list<const char*> headings)
{
    Table table;
    for (const char* heading : headings)
        table.columns.push_back({ .heading = heading, .align = Align::Right });
    return table;
}

std::string number(double value) { return fmt::format("{:.2f}", value); }
std::string microseconds(double value) { return fmt::format("{:.1f}", value); }
std::string signedPercent(double share) { return fmt::format("{:+.1f} %", 100 * share); }

std::string bytesText(Bytes bytes)
{
    return bytes < 0 ? "-" + memoryText(-bytes, MemoryUnit::Byte) : memoryText(bytes, MemoryUnit::Byte);
}

std::string passesText(const ProfileResult& result, const Terminal& terminal)
{
    Table table = tableOf({ "stage", "pass", "median", "10 %", "90 %", "memory", "inside" });
    bool hasOthers = false;
    for (const executor::PassProfile& pass : result.passes) {
        hasOthers = hasOthers || !pass.ofDesign;
        table.rows.push_back({ std::to_string(pass.stage.value),
            fmt::format("{}{}", pass.ofDesign ? "" : "*", text(pass.kind)), number(pass.ms.median), number(pass.ms.low),
            number(pass.ms.high), bytesText(result.memory.change.of(pass.kind, pass.stage)),
            bytesText(result.memory.transient.of(pass.kind, pass.stage)) });
    }
    std::string text = table.text(terminal);
    appendParagraph(text,
        "Milliseconds, of steps' means; memory that a pass takes for good or releases, and what it needs besides while "
        "it "
        "runs.",
        "  ", terminal);
    if (hasOthers)
        appendParagraph(
            text, "* Not in the design: measured in its order with the other kinds of backward.", "  ", terminal);
    if (result.pairMs)
        appendParagraph(
            text, fmt::format("An overlapped pair takes {} ms.", number(result.pairMs->median)), "  ", terminal);
    return text + '\n';
}

std::string devicesText(const ProfileResult& result, const Terminal& terminal)
{
    Table table = tableOf({ "device", "rank loop", "10 %", "90 %", "static memory" });
    for (const executor::LoopProfile& device : result.loop)
        table.rows.push_back(
            { std::to_string(device.device.value), microseconds(device.us.median), microseconds(device.us.low),
                microseconds(device.us.high), bytesText(result.memory.fixed[device.device.index()]) });
    std::string text = table.text(terminal);
    appendParagraph(text,
        fmt::format("Microseconds that the rank loop takes behind each pass: {} of a step; {} is waiting for inputs.",
            percentText(result.loopShare), percentText(result.waitingShare)),
        "  ", terminal);
    return text + '\n';
}

std::string transfersText(const ProfileResult& result, const Terminal& terminal)
{
    if (result.transfers.empty())
        return "";
    Table table = tableOf({ "from", "to", "bytes", "a step", "hand-over", "10 %", "90 %" });
    table.columns.insert(table.columns.begin() + 2, { .heading = "data" });
    for (const executor::TransferProfile& transfer : result.transfers) {
        const bool waited = transfer.us.count > 0;
        table.rows.push_back({ std::to_string(transfer.from.value), std::to_string(transfer.to.value),
            transfer.activations ? "activations" : "gradients", std::to_string(transfer.bytes),
            std::to_string(transfer.aStep), waited ? microseconds(transfer.us.median) : "-",
            waited ? microseconds(transfer.us.low) : "-", waited ? microseconds(transfer.us.high) : "-" });
    }
    std::string text = table.text(terminal);
    const bool isSent = result.transport == executor::TransportKind::Gloo;
    appendParagraph(text,
        std::string("Microseconds to a device that waited, from pass to pass. ")
            + (isSent ? "Sent over the loopback network, as between processes of this machine"
                      : "Between threads a result is handed over by reference and no data moves, so this is waking up, "
                        "whatever the size")
            + "; - where nobody waited.",
        "  ", terminal);
    return text + '\n';
}

std::string ordersText(const ProfileResult& result, const Terminal& terminal)
{
    Table table = tableOf({ "steps", "disturbed", "measured", "replayed", "worst" });
    table.columns.insert(table.columns.begin(), { .heading = "order", .wraps = true });
    Table parts = tableOf({ "passes", "rank loop", "hand-overs", "rest", "around" });
    parts.columns.insert(parts.columns.begin(), { .heading = "of it", .wraps = true });
    Table forecasts = tableOf({ "forecast", "off", "scattered", "off" });
    forecasts.columns.insert(forecasts.columns.begin(), { .heading = "foretold", .wraps = true });
    for (const Foretold& order : result.foretold) {
        table.rows.push_back({ printable(order.name), std::to_string(order.steps), std::to_string(order.disturbed),
            number(order.measured.median), signedPercent(order.replayMedian), signedPercent(order.replayWorst) });
        forecasts.rows.push_back({ printable(order.name), number(order.forecast),
            signedPercent(order.forecast / order.measured.median - 1), number(order.forecastWithScatter),
            signedPercent(order.forecastWithScatter / order.measured.median - 1) });
        parts.rows.push_back({ printable(order.name), number(order.passes.median), number(order.loop.median),
            number(order.handOver.median), number(order.rest.median), number(order.around.median) });
    }
    std::string text = table.text(terminal);
    appendParagraph(text,
        "Milliseconds from the first pass to the last, medians of the steps that nothing disturbed. Replayed: each "
        "step simulated with its own pass times.",
        "  ", terminal);
    text += '\n' + forecasts.text(terminal);
    appendParagraph(text,
        "Milliseconds. Forecast: simulated with the costs above; scattered: with pass times that scatter around them "
        "as they did.",
        "  ", terminal);
    text += '\n' + parts.text(terminal);
    appendParagraph(text,
        "Milliseconds: what the order makes of the passes, and what comes on top; around is outside it: batches, sums, "
        "the "
        "optimizer.",
        "  ", terminal);
    return text;
}

} // namespace

std::string profileText(const ProfileResult& result, const Terminal& terminal)
{
    std::string text;
    for (const std::string& note : result.notes)
        appendParagraph(text, printable(note), "", terminal);
    text += '\n';
    text += passesText(result, terminal);
    text += devicesText(result, terminal);
    text += transfersText(result, terminal);
    text += ordersText(result, terminal);
    return text;
}

} // namespace pipeloom::cli
