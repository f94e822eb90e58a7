// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/finding/finding.h"

#include <algorithm>
#include <iterator>

namespace pipeloom {

bool hasErrors(const Findings& findings)
{
    return std::any_of(
        findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::Error; });
}

const char* text(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return "error";
    case Severity::Warning:
        return "warning";
    case Severity::Note:
        return "note";
    }
    return "";
}

std::string text(const Finding& finding)
{
    std::string line = std::string(text(finding.severity)) + " " + finding.rule;
    if (!finding.queue.empty())
        line += " [" + finding.queue + "]";
    line += "  " + finding.message;
    if (!finding.remedy.empty())
        line += " " + finding.remedy;
    return line;
}

void append(Findings& findings, Findings more)
{
    findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

} // namespace pipeloom
