// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/local_run.h"

#include "executor/device_threads.h"
#include "executor/local_transport.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::executor {

Findings runnable(const Program& program)
{
    Findings findings;
    if (program.pairing != Pairing::ByKind) {
        Finding finding;
        finding.rule = "run/lowering";
        finding.message
            = "The program shares channels between activations and gradients, and `local` has one for each.";
        finding.remedy = "Lower the schedule for the queue model `directed`.";
        findings.push_back(finding);
    }
    return findings;
}

JobResult runLocally(Job job, const std::function<void(const StepReport&)>& onStep, const std::stop_token& stop)
{
    Findings findings = runnable(job.program);
    for (const Program& other : job.others)
        append(findings, runnable(other));
    if (!findings.empty()) {
        JobResult refused;
        refused.finding = findings.front();
        return refused;
    }
    std::vector<DeviceId> devices;
    for (std::int32_t d = 0; d < job.program.devices(); ++d)
        devices.emplace_back(d);
    const auto board = std::make_shared<Board>(job.program.devices(), job.limit);
    const auto network = std::make_shared<LocalNetwork>(board, job.program.devices());
    return runThreads(std::make_shared<RunShared>(std::move(job), board, network), devices, onStep, stop);
}

} // namespace pipeloom::executor
