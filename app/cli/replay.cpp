// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/replay.h"

#include "core/formats/event_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::cli {

namespace {

constexpr std::size_t usualSteps = 20;

void warn(Findings& findings, std::int64_t count, const std::string& rule, std::string message, std::string remedy)
{
    if (count > 0)
        findings.push_back({ rule, Severity::Warning, {}, "", std::move(message), std::move(remedy) });
}

/// What is wrong with the lines, each kind once.
void judge(Replayed& run)
{
    const EventCounts& counts = run.counts;
    const RunFaults& faults = run.log->faults();
    warn(run.findings, counts.garbled, "events/garbled",
        fmt::format(
            "{} of {} lines could not be read; the first: {}.", counts.garbled, counts.lines, counts.firstGarbled),
        "Two programs may have written into one file.");
    warn(run.findings, counts.unknown, "events/unknown",
        fmt::format("{} lines tell things that this version does not know.", counts.unknown), "A newer version does.");
    warn(run.findings, counts.cut, "events/cut", "The last line has no end.",
        "The run may still go on, or was killed while it wrote.");
    warn(run.findings, faults.late, "events/late",
        fmt::format("{} lines came too late for their steps to be looked at.", faults.late), "");
    warn(run.findings, faults.lostPasses, "events/lost",
        fmt::format("{} passes of whole steps were never told.", faults.lostPasses),
        "Figures of the steps concerned count them as waiting.");
    warn(run.findings, faults.lostLines, "events/lost-lines",
        fmt::format("{} lines that devices have written are not here.", faults.lostLines),
        "A file may be missing or cut.");
    warn(run.findings, faults.strange, "events/strange",
        fmt::format("{} lines tell of devices, passes or steps that the run does not have, or tell them twice.",
            faults.strange),
        "Each run needs a file of its own.");
    append(run.findings, run.log->findings());
}

} // namespace

std::vector<MeasuredStepPtr> Replayed::lastWhole() const
{
    std::vector<MeasuredStepPtr> found;
    for (auto one = log->steps().rbegin(); one != log->steps().rend() && found.size() < usualSteps; ++one)
        if ((*one)->isWhole())
            found.push_back(*one);
    std::ranges::reverse(found);
    return found;
}

double Replayed::planFactor() const
{
    if (!log->plan() || log->began()->emulated) // a rehearsal takes the plan's times for real
        return 1;
    const double measured = drift(lastWhole(), *log->plan()).overall;
    return measured > 0 && (measured < 0.5 || measured > 2) ? measured : 1;
}

RunPlanPtr Replayed::plan() const
{
    const double factor = planFactor();
    return factor == 1 || !log->plan() ? log->plan() : std::make_shared<const RunPlan>(scaled(*log->plan(), factor));
}

Replayed readRun(const ReplayRequest& request)
{
    Replayed run;
    run.path = request.path;
    run.log = std::make_unique<RunLog>();
    EventFileReader reader(request.path);
    run.findings = reader.look();
    if (hasErrors(run.findings))
        return run;
    std::int64_t told = 0;
    const auto take = [&](RunEvent&& event, EventFileReader::Origin) {
        if (request.onEvent)
            request.onEvent(event);
        const bool isAsked = request.step && stepOf(event) == request.step;
        run.log->add(std::move(event));
        if (isAsked && !run.step)
            run.step = run.log->step(*request.step);
        const std::int64_t all = run.log->noticesBefore() + static_cast<std::int64_t>(run.log->notices().size());
        for (; request.onNotice && told < all; ++told)
            request.onNotice(run.log->notices()[static_cast<std::size_t>(told - run.log->noticesBefore())]);
    };
    constexpr std::size_t piece = 10'000;
    while (reader.read(piece, take)) {
        if (request.onProgress)
            request.onProgress(reader.bytes() - reader.behind(), reader.bytes());
        if (request.isStopped && request.isStopped())
            break;
    }
    reader.finish(take);
    run.counts = reader.counts();
    if (!run.log->began())
        run.findings.push_back({ "events/no-run", Severity::Error, {}, "",
            run.counts.lines == 0
                ? fmt::format("`{}` holds no events.", request.path)
                : fmt::format("`{}` does not tell what ran: none of its {} lines is the first one of a run{}.",
                    request.path, run.counts.lines,
                    run.counts.firstGarbled.empty() ? std::string() : "; the first is " + run.counts.firstGarbled),
            "Name what --events was given." });
    else
        judge(run);
    return run;
}

} // namespace pipeloom::cli
