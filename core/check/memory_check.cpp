// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/check/memory_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pipeloom {

std::string memoryText(Bytes amount, MemoryUnit unit)
{
    if (unit == MemoryUnit::Activation)
        return fmt::format("{} {}", amount, amount == 1 ? "activation" : "activations");
    constexpr std::array names { "kB", "MB", "GB", "TB", "PB", "EB" };
    double scaled = static_cast<double>(amount);
    const char* name = nullptr;
    for (std::size_t i = 0; i < names.size() && (scaled >= 1000 || scaled <= -1000); ++i) {
        scaled /= 1000;
        name = names[i];
    }
    return name ? fmt::format("{:.2f} {} ({} bytes)", scaled, name, amount) : fmt::format("{} bytes", amount);
}

Bytes leastPeak(const MemoryModel& memory, const Pipeline& pipeline, DeviceId device)
{
    Bytes most = 0;
    for (std::int32_t route = 0; route < pipeline.routeCount(); ++route) {
        Bytes held = 0;
        for (std::int32_t s = 0; s < pipeline.stages; ++s)
            if (pipeline.deviceOf(StageId { s }, RouteId { route }) == device) {
                held += memory.change.of(PassKind::F, StageId { s });
                most = std::max(most, held);
            }
    }
    return memory.fixed[device.index()] + memory.communication[device.index()] + most;
}

Findings checkLimits(const std::vector<Bytes>& peaks, const MemoryModel& memory, const Pipeline& pipeline)
{
    Findings findings;
    for (std::size_t d = 0; d < peaks.size(); ++d) {
        if (!memory.limit[d] || peaks[d] <= *memory.limit[d])
            continue;
        const Bytes limit = *memory.limit[d];
        const auto written = [&](Bytes amount) { return memoryText(amount, memory.unit); };
        Place where;
        where.device = DeviceId { d };
        if (const Bytes least = leastPeak(memory, pipeline, DeviceId { d }); least > limit) {
            findings.push_back({ "memory/infeasible", Severity::Error, { where }, {},
                fmt::format("Device {}: no order fits into {}, since one micro-batch alone needs {} there.", d,
                    written(limit), written(least)),
                fmt::format("Raise the limit to {} or more, or give the device less of the model.", written(least)) });
            continue;
        }
        const Bytes resident = memory.fixed[d] + memory.communication[d];
        const std::string parts = resident == 0
            ? std::string()
            : fmt::format(" ({} static, {} communication, {} at most for passes)", written(memory.fixed[d]),
                written(memory.communication[d]), written(peaks[d] - resident));
        findings.push_back({ "memory/limit", Severity::Error, { where }, {},
            fmt::format("Device {}: the peak of {}{} is above its limit of {} by {}.", d, written(peaks[d]), parts,
                written(limit), written(peaks[d] - limit)),
            "Take a schedule that holds less there, such as V-Half or V-Min, or raise the limit." });
    }
    return findings;
}

} // namespace pipeloom
