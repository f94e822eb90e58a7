// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/profile/step_times.h"

#include <algorithm>

namespace pipeloom::executor {

namespace {

double nanoseconds(Nanoseconds time) { return static_cast<double>(time.count()); }

} // namespace

StepTimes stepTimes(const Program& program, std::span<const StepRecord> devices)
{
    StepTimes times = pipeloom::stepTimes(program, timeline(devices));
    if (times.passes.empty())
        return times;
    double idle = 0;
    double loop = 0;
    for (const StepRecord& device : devices) {
        times.loop.push_back(
            device.passes.empty() ? 0 : nanoseconds(device.loop) / static_cast<double>(device.passes.size()));
        loop += nanoseconds(device.loopProcessor);
        idle += static_cast<double>(times.makespan) - nanoseconds(device.busy);
        if (device.busy > Nanoseconds::zero())
            times.processorShare
                = std::min(times.processorShare, nanoseconds(device.processor) / nanoseconds(device.busy));
    }
    const double whole = static_cast<double>(times.makespan) * static_cast<double>(devices.size());
    times.loopShare = loop / whole;
    times.waitingShare = std::max(0.0, idle - loop) / whole;
    return times;
}

} // namespace pipeloom::executor
