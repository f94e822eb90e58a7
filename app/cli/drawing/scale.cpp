// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drawing/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pipeloom::cli {

namespace {

std::int64_t floorDivide(std::int64_t number, std::int64_t by) { return number / by - (number % by < 0 ? 1 : 0); }

std::int64_t ceilDivide(std::int64_t number, std::int64_t by) { return -floorDivide(-number, by); }

/// What all starts and durations are a multiple of.
Ticks commonUnit(const std::vector<Demand>& passes)
{
    Ticks unit = 0;
    for (const Demand& pass : passes)
        if (unit = std::gcd(unit, std::gcd(pass.start, pass.duration)); unit == 1)
            break;
    return std::max<Ticks>(unit, 1);
}

/// The value that `share` percent of the values do not exceed.
std::int64_t percentile(std::vector<std::int64_t> values, std::size_t share)
{
    const std::size_t index = (values.size() - 1) * share / 100;
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(index));
    return values[index];
}

} // namespace

std::int64_t Scale::columnOf(Ticks time) const
{
    const std::int64_t whole = floorDivide(time, ticks);
    return whole * columns + (time - whole * ticks) * columns / ticks;
}

Ticks Scale::timeOf(std::int64_t column) const
{
    const std::int64_t whole = floorDivide(column, columns);
    return whole * ticks + (column - whole * columns) * ticks / columns;
}

std::string text(const Scale& scale)
{
    if (scale.columns == 1 && scale.ticks == 1)
        return "a column is a tick";
    if (scale.columns == 1)
        return fmt::format("a column is {} ticks", scale.ticks);
    if (scale.ticks == 1)
        return fmt::format("a tick is {} columns", scale.columns);
    return fmt::format("{} ticks are {} columns", scale.ticks, scale.columns);
}

Scale scaleToRead(const std::vector<Demand>& passes)
{
    const Ticks unit = commonUnit(passes);
    std::vector<std::int64_t> columnsPerUnit;
    std::vector<std::int64_t> unitsPerColumn;
    for (const Demand& pass : passes) {
        if (pass.duration == 0)
            continue;
        const std::int64_t units = pass.duration / unit;
        columnsPerUnit.push_back(ceilDivide(pass.columns, units));
        unitsPerColumn.push_back(units / pass.columns);
    }
    if (columnsPerUnit.empty())
        return { .columns = 3, .ticks = 1 };
    const std::int64_t spare = percentile(std::move(unitsPerColumn), 10);
    if (spare >= 2)
        return { .columns = 1, .ticks = roundDown(spare) * unit };
    return { .columns = percentile(std::move(columnsPerUnit), 90), .ticks = unit };
}

Scale scaleToFit(TimeRange range, std::int64_t columns, const Scale& wanted)
{
    const auto taken = [&range](const Scale& scale) { return scale.columnOf(range.to) - scale.columnOf(range.from); };
    if (taken(wanted) <= columns)
        return wanted;
    for (std::int64_t perTick = wanted.columns - 1; perTick >= 1; --perTick)
        if (const Scale closer { .columns = perTick, .ticks = wanted.ticks }; taken(closer) <= columns)
            return closer;
    return { .columns = 1, .ticks = roundUp(ceilDivide(range.length(), std::max<std::int64_t>(columns - 1, 1))) };
}

Ticks roundUp(Ticks number)
{
    for (Ticks power = 1;; power *= 10)
        for (const Ticks factor : { 1, 2, 5 })
            if (power * factor >= number)
                return power * factor;
}

Ticks roundDown(Ticks number)
{
    Ticks largest = 1;
    for (Ticks power = 1; power <= number; power *= 10)
        for (const Ticks factor : { 1, 2, 5 })
            if (power * factor <= number)
                largest = power * factor;
    return largest;
}

} // namespace pipeloom::cli
