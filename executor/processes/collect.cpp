// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/collect.h"

#include "executor/processes/keys.h"
#include "executor/processes/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace pipeloom::executor {

namespace {

void addWarnings(Findings warnings, Findings& all)
{
    // Several ranks may have come upon the same.
    for (Finding& warning : warnings)
        if (std::find(all.begin(), all.end(), warning) == all.end())
            all.push_back(std::move(warning));
}

} // namespace

JobResult collected(Store& store, std::int32_t ranks, std::optional<Finding> verdict)
{
    JobResult run;
    run.finding = std::move(verdict);
    bool isWhole = true;
    for (std::int32_t r = 0; r < ranks; ++r) {
        const auto text = store.get(keys::report(r));
        auto report = text ? rankReportFrom(*text) : std::nullopt;
        if (!report) {
            isWhole = false;
            run.peaks.emplace_back();
            continue;
        }
        run.peaks.push_back(report->peak);
        isWhole = isWhole && report->lastStep && report->device.value == r;
        if (isWhole)
            run.lastStep.push_back(std::move(*report->lastStep));
        if (r == 0)
            run.lastStepTime = report->lastStepTime;
        if (r == 0)
            run.counts = report->counts;
        if (!run.finding)
            run.finding = std::move(report->finding);
        addWarnings(std::move(report->warnings), run.warnings);
    }
    if (!isWhole)
        run.lastStep.clear();
    run.interrupted = run.finding && run.finding->rule == "run/interrupted";
    return run;
}

void removeRankEvents(const std::string& events)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (!fs::is_directory(events, ignored))
        return;
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(events, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("events-rank-") && name.ends_with(".jsonl"))
            old.push_back(entry.path());
    }
    for (const fs::path& file : old)
        fs::remove(file, ignored);
}

std::string rankEvents(const std::string& events, std::int32_t rank)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(events, ignored))
        return events;
    return (std::filesystem::path(events) / fmt::format("events-rank-{}.jsonl", rank)).string();
}

std::string toWire(const VerifyReport& report) { return fmt::format("{:a} {}", report.worst, report.parameter); }

std::optional<VerifyReport> verifyReportFrom(const std::string& text)
{
    char* end = nullptr;
    const double worst = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != ' ')
        return {};
    return VerifyReport { worst, end + 1 };
}

} // namespace pipeloom::executor
