// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/json/json_writer.h"
#include "app/cli/text/paint.h"
#include "app/cli/text/wrap.h"
#include "core/library/library.h"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace pipeloom::cli {

namespace {

void writeList(JsonWriter& json)
{
    json.beginArray();
    for (const LibraryEntry& entry : library()) {
        json.beginObject();
        json.member("name", entry.name);
        json.member("title", entry.title);
        json.member("paper", entry.paper);
        json.member("placement", text(entry.placement));
        json.member("good_for", entry.goodFor);
        json.member("bubble", entry.bubble);
        json.member("peak", entry.peak);
        json.endObject();
    }
    json.endArray();
}

constexpr const char* symbols = "bubble: idle time of a device in a step. peak: micro-batches whose activations a "
                                "device holds at most, in shares of the "
                                "model that a device has. p devices, m micro-batches, v stages per device; F, B, W: "
                                "time of a pass of a device's share.";

/// `label` before the first of the lines that the words take.
void appendEntry(std::string& result, std::string_view label, std::string_view words, Ink ink, const Terminal& terminal)
{
    constexpr int labelColumns = 12;
    std::string before = fmt::format("  {:<{}}", label, labelColumns - 2);
    for (const std::string& line : wrap(words, terminal.width - labelColumns)) {
        result += paint(before, Ink::Faint, terminal.colours) + paint(line, ink, terminal.colours) + '\n';
        before.assign(labelColumns, ' ');
    }
}

std::string listText(const Terminal& terminal)
{
    std::string result;
    for (const LibraryEntry& entry : library()) {
        result += fmt::format(
            "{}  {} ({})\n", paint(entry.name, Ink::Strong, terminal.colours), entry.title, text(entry.placement));
        appendEntry(result, "good for", entry.goodFor, Ink::Plain, terminal);
        appendEntry(result, "bubble", entry.bubble, Ink::Plain, terminal);
        appendEntry(result, "peak", entry.peak, Ink::Plain, terminal);
        appendEntry(result, "paper", entry.paper, Ink::Faint, terminal);
    }
    result += '\n';
    for (const std::string& line : wrap(symbols, terminal.width))
        result += paint(line, Ink::Faint, terminal.colours) + '\n';
    return result;
}

ExitCode list(bool json, Console& console)
{
    if (json) {
        JsonWriter writer(console.out);
        writeList(writer);
    } else {
        console.out.write(listText(console.outTerminal));
    }
    return ExitCode::Fine;
}

constexpr const char* example = R"(Example:
  pipeloom list
  pipeloom list --json)";

} // namespace

Command addList(CLI::App& app)
{
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("list", "List published schedules and what each is good for");
    command->footer(example);
    addJson(*command, *json);
    return { command, [json](Console& console) { return list(*json, console); } };
}

} // namespace pipeloom::cli
