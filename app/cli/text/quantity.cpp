// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/quantity.h"

#include "app/cli/text/paint.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace pipeloom::cli {

std::string ticksText(Ticks ticks) { return counted(ticks, "tick"); }

std::string durationText(Ticks ticks, double tickUs)
{
    double value = static_cast<double>(ticks) * tickUs;
    constexpr std::array<const char*, 3> units { "us", "ms", "s" };
    std::size_t unit = 0;
    for (; unit + 1 < units.size() && std::abs(value) >= 1000; ++unit)
        value /= 1000;
    return fmt::format("{:.4g} {}", value, units[unit]);
}

std::string percentText(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string memoryText(std::optional<Bytes> level, MemoryUnit unit)
{
    if (!level)
        return "-";
    constexpr std::int64_t kilo = 1000;
    if (unit == MemoryUnit::Activation || std::abs(*level) < kilo)
        return std::to_string(*level) + (unit == MemoryUnit::Byte ? " B" : "");
    auto value = static_cast<double>(*level) / kilo;
    constexpr std::array<const char*, 6> units { "kB", "MB", "GB", "TB", "PB", "EB" };
    std::size_t index = 0;
    for (; index + 1 < units.size() && std::abs(value) >= kilo; ++index)
        value /= kilo;
    return fmt::format("{:.{}f} {}", value, std::abs(value) < 100 ? 2 : 1, units[index]);
}

std::string counted(std::int64_t number, const std::string& what)
{
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string headline(const Design& design)
{
    const Pipeline& pipeline = design.pipeline;
    const std::string places = pipeline.routeCount() > 1 ? counted(pipeline.routeCount(), "route")
                                                         : fmt::format("placement {}", text(pipeline.kind));
    return fmt::format("{}{}, {} ({}), {}", design.name.empty() ? "" : printable(design.name) + ": ",
        counted(pipeline.devices, "device"), counted(pipeline.stages, "stage"), places,
        pipeline.microBatches == 1 ? "1 micro-batch" : fmt::format("{} micro-batches", pipeline.microBatches));
}

} // namespace pipeloom::cli
