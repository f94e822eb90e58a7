// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include "app/cli/text/nearest.h"
#include "app/cli/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace pipeloom::cli {

std::string help(const std::string& description)
{
    constexpr int besideOptions = 50; // of 80 columns
    return fmt::format("{}", fmt::join(wrap(description, besideOptions), "\n"));
}

void refuse(const std::string& sentence) { throw CLI::ValidationError(sentence); }

std::int64_t number(std::string_view text, NumberRange range, const std::string& what)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = error == std::errc() && end == text.data() + text.size();
    if (!isNumber || value < range.least || value > range.most)
        refuse(fmt::format(
            "{} is \"{}\", but must be a whole number from {} to {}.", what, text, range.least, range.most));
    return value;
}

CLI::Option* addNumber(CLI::App& app, const std::string& flags, const std::string& label, NumberRange range,
    std::optional<std::int64_t>& target, const std::string& description)
{
    const std::string name = flags.substr(flags.rfind(',') + 1);
    const auto take = [&target, range, name](const std::string& text) { target = number(text, range, name); };
    return app.add_option_function<std::string>(flags, take, help(description))->type_name(label);
}

void addFile(CLI::App& app, std::string& path)
{
    app.add_option("FILE", path, help("The design, *.pipeloom.json; - reads standard input"))
        ->required()
        ->type_name("");
}

void addJson(CLI::App& app, bool& json, const std::string& description)
{
    app.add_flag("--json", json, help(description));
}

void addForm(CLI::App& app, std::optional<Form>& form)
{
    const auto take = [&form](const std::string& text) {
        form = static_cast<Form>(choice(text, { "raw", "squeezed", "reordered" }, "--form"));
    };
    app.add_option_function<std::string>("--form", take,
           help("raw (the block repeated), squeezed (every pass as early as it can) or reordered (idle time filled as "
                "well). "
                "Default: reordered if the design says how, else squeezed"))
        ->type_name("FORM");
}

void addQueue(CLI::App& app, std::optional<QueueModel>& queue)
{
    const auto take = [&queue](const std::string& text) {
        queue = static_cast<QueueModel>(choice(text, { "ideal", "directed", "pair", "device" }, "--queue"));
    };
    app.add_option_function<std::string>("--queue", take,
           help("What transfers queue for: ideal (nothing), directed (pair of devices, direction and kind of data), "
                "pair "
                "(pair of devices) or device. Default: as the design says"))
        ->type_name("MODEL");
}

std::size_t choice(const std::string& text, const std::vector<std::string>& words, const std::string& what)
{
    const auto found = std::ranges::find(words, text);
    if (found != words.end())
        return static_cast<std::size_t>(found - words.begin());
    const std::string meant = nearest(text, words);
    refuse(fmt::format("{} is \"{}\", but must be one of {}.{}", what, text, fmt::join(words, ", "),
        meant.empty() ? "" : fmt::format(" Did you mean {}?", meant)));
}

} // namespace pipeloom::cli
