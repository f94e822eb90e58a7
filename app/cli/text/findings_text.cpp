// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/findings_text.h"

#include "app/cli/text/paint.h"
#include "app/cli/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace pipeloom::cli {

namespace {

constexpr int indent = 4;

/// Where in the file, for findings whose sentence cannot know it as a person sees it.
std::string placeInFile(const Finding& finding)
{
    if (finding.where.empty())
        return "";
    const Place& place = finding.where.front();
    if (place.row && place.column)
        return fmt::format("At line {}, column {}.", *place.row, *place.column);
    if (!place.pointer.empty())
        return fmt::format("At {}.", place.pointer);
    return "";
}

void appendParagraph(std::string& text, const std::string& paragraph, const Terminal& terminal)
{
    for (const std::string& line : wrap(printable(paragraph), terminal.width - indent))
        text += std::string(indent, ' ') + line + '\n';
}

std::string findingText(const Finding& finding, const Terminal& terminal)
{
    std::string heading = paint(printable(finding.rule), ink(finding.severity), terminal.colours);
    if (!finding.queue.empty())
        heading += fmt::format(" (queue {})", printable(finding.queue));
    std::string text = "  " + heading + '\n';
    const std::string place = placeInFile(finding);
    appendParagraph(text, place.empty() ? finding.message : finding.message + ' ' + place, terminal);
    if (!finding.remedy.empty())
        appendParagraph(text, finding.remedy, terminal);
    return text;
}

std::string counted(std::ptrdiff_t number, Severity severity)
{
    return fmt::format("{} {}{}", number, text(severity), number == 1 ? "" : "s");
}

std::ptrdiff_t count(const Findings& findings, Severity severity)
{
    return std::ranges::count(findings, severity, &Finding::severity);
}

} // namespace

std::string findingsText(const Findings& findings, const Terminal& terminal, int mostOfARule)
{
    std::string result;
    for (const Severity severity : { Severity::Error, Severity::Warning, Severity::Note }) {
        const std::ptrdiff_t number = count(findings, severity);
        if (number == 0)
            continue;
        result += paint(counted(number, severity), ink(severity), terminal.colours) + '\n';

        std::map<std::string, int> ofRule;
        for (const Finding& finding : findings)
            if (finding.severity == severity && ++ofRule[finding.rule] <= mostOfARule)
                result += findingText(finding, terminal);
        for (const auto& [rule, found] : ofRule)
            if (found > mostOfARule)
                result += fmt::format("  and {} more {}; pipeloom check lists all\n", found - mostOfARule, rule);
    }
    return result;
}

std::string countsText(const Findings& findings)
{
    std::vector<std::string> parts;
    for (const Severity severity : { Severity::Error, Severity::Warning, Severity::Note })
        if (const std::ptrdiff_t number = count(findings, severity); number > 0)
            parts.push_back(counted(number, severity));
    return parts.empty() ? "nothing found" : fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace pipeloom::cli
