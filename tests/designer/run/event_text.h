// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Events as lines of a file, written here anew and by hand, so that a test of what is read does not lean on what is written.

#include "core/formats/design_file.h"
#include "core/run/run_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace pipeloom::designer::testing {

inline std::string lineOf(const RunBegan& run)
{
    std::string design = writeDesign(*run.design);
    std::replace(design.begin(), design.end(), '\n', ' ');
    return fmt::format(R"({{"event":"run","version":1,"devices":{},"stages":{},"micro_batches":{},"replicas":1,)"
                       R"("first_step":0,"steps":{},"emulated":{},"transport":"{}","design":{}}})",
        run.devices, run.stages, run.microBatches, run.steps, run.emulated, run.transport, design);
}

inline std::string lineOf(const RankBegan& rank)
{
    return fmt::format(R"({{"event":"rank","device":{},"rank":{},"pid":{},"host":"{}"}})", rank.device.value, rank.rank,
        rank.pid, rank.host);
}

inline std::string lineOf(const RunPlanned& planned)
{
    std::string rows;
    for (const std::vector<Slot>& row : planned.rows) {
        rows += rows.empty() ? "\"" : ",\"";
        for (const Slot& slot : row)
            rows += text(slot) + (&slot == &row.back() ? "" : " ");
        rows += '"';
    }
    return fmt::format(R"({{"event":"plan","step_ms":{},"rows":[{}]}})", planned.stepMs, rows);
}

inline std::string lineOf(const StepBegan& begin)
{
    return fmt::format(
        R"({{"event":"step_begin","step":{},"device":{},"at_ns":{}}})", begin.step, begin.device.value, begin.at);
}

inline std::string lineOf(const PassEnded& pass)
{
    return fmt::format(R"({{"event":"pass","step":{},"device":{},"pass":"{}","start_ns":{},"end_ns":{},"bytes":{}}})",
        pass.step, pass.device.value, text(pass.pass), pass.start, pass.end, pass.bytes);
}

inline std::string lineOf(const MemoryPeaked& memory)
{
    return fmt::format(
        R"({{"event":"memory","step":{},"device":{},"peak_bytes":{}}})", memory.step, memory.device.value, memory.peak);
}

inline std::string lineOf(const StepEnded& step)
{
    return fmt::format(
        R"({{"event":"step","step":{},"loss":{},"step_ms":{}}})", step.step, step.loss.value_or(0), step.stepMs);
}

/// Other events are left out.
inline std::string linesOf(const std::vector<RunEvent>& events)
{
    std::string lines;
    for (const RunEvent& event : events)
        std::visit(
            [&](const auto& each) {
                if constexpr (requires { lineOf(each); })
                    lines += lineOf(each) + "\n";
            },
            event);
    return lines;
}

} // namespace pipeloom::designer::testing
