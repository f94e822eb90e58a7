// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arguments that several commands take, and values that say what is wrong with them.

#include "core/pipeline/costs.h"
#include "core/plan/plan.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pipeloom::cli {

struct NumberRange {
    std::int64_t least = 0;
    std::int64_t most = 0;
};

/// The description of an option, in lines that fit beside the options of the help.
[[nodiscard]] std::string help(const std::string& description);

/// Throws what CLI11 takes for wrong use, with our sentence.
[[noreturn]] void refuse(const std::string& sentence);

/// A whole decimal number in the range; `what` is what the sentence calls it otherwise. Refuses anything else.
[[nodiscard]] std::int64_t number(std::string_view text, NumberRange range, const std::string& what);

/// An option that takes a number. `flags` as CLI11 takes them, `label` as the help shows it.
CLI::Option* addNumber(CLI::App& app, const std::string& flags, const std::string& label, NumberRange range,
    std::optional<std::int64_t>& target, const std::string& description);

void addFile(CLI::App& app, std::string& path);
void addJson(CLI::App& app, bool& json, const std::string& description = "Print one JSON document and nothing else");
void addForm(CLI::App& app, std::optional<Form>& form);
void addQueue(CLI::App& app, std::optional<QueueModel>& queue);

/// One of the words, or the nearest of them in the sentence that refuses another. Gives its index.
[[nodiscard]] std::size_t choice(
    const std::string& text, const std::vector<std::string>& words, const std::string& what);

} // namespace pipeloom::cli
