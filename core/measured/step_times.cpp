// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/measured/step_times.h"

#include <algorithm>

namespace pipeloom {

namespace {

/// Ends of the passes that make messages, by message.
std::vector<Ticks> ends(const Program& program, const Timeline& timeline)
{
    std::vector<Ticks> ends(program.messages.size(), 0);
    for (std::int32_t d = 0; d < program.devices(); ++d) {
        const auto row = timeline.row(DeviceId { d });
        std::size_t at = 0;
        for (const Instruction& instruction : program.row(DeviceId { d })) {
            if (instruction.op == Op::Compute)
                ++at;
            // A send stands behind its pass, but others may stand between.
            else if (instruction.op == Op::Send && instruction.message >= 0)
                for (std::size_t i = at; i-- > 0;)
                    if (row[i].pass == instruction.pass) {
                        ends[static_cast<std::size_t>(instruction.message)] = row[i].end;
                        break;
                    }
        }
    }
    return ends;
}

std::vector<MeasuredHandOver> handOvers(const Program& program, const Timeline& timeline)
{
    const std::vector<Ticks> made = ends(program, timeline);
    std::vector<MeasuredHandOver> found;
    for (std::int32_t d = 0; d < program.devices(); ++d) {
        const auto row = timeline.row(DeviceId { d });
        std::size_t at = 0;
        for (const Instruction& instruction : program.row(DeviceId { d })) {
            if (instruction.op != Op::Compute)
                continue;
            const std::size_t i = at++;
            const bool inPair = row[i].joined || (i + 1 < row.size() && row[i + 1].joined);
            if (instruction.message < 0 || inPair || i == 0)
                continue; // a device's first pass may also have waited for the step to begin
            const Ticks end = made[static_cast<std::size_t>(instruction.message)];
            if (row[i - 1].end < end && end < row[i].start)
                found.push_back({ instruction.message, row[i].start - end });
        }
    }
    return found;
}

} // namespace

StepTimes stepTimes(const Program& program, const Timeline& timeline)
{
    StepTimes times;
    if (timeline.passes.empty())
        return times;
    Ticks first = timeline.passes.front().start;
    Ticks last = timeline.passes.front().end;
    for (const TimedPass& pass : timeline.passes) {
        first = std::min(first, pass.start);
        last = std::max(last, pass.end);
        times.passes.push_back(pass.end - pass.start);
    }
    times.makespan = last - first;
    times.handOvers = handOvers(program, timeline);
    return times;
}

} // namespace pipeloom
