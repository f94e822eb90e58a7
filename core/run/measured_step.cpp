// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/measured_step.h"

#include <algorithm>

namespace pipeloom {

std::optional<Nanos> MeasuredStep::began() const
{
    std::optional<Nanos> first;
    for (const MeasuredRow& row : rows)
        if (row.began)
            first = std::min(first.value_or(*row.began), *row.began);
    if (first)
        return first;
    // Lines may be lost: then the first pass stands for the beginning.
    for (const MeasuredRow& row : rows)
        if (!row.passes.empty())
            first = std::min(first.value_or(row.passes.front().start), row.passes.front().start);
    return first;
}

Nanos MeasuredStep::latest() const
{
    Nanos last = began().value_or(0);
    for (const MeasuredRow& row : rows)
        for (const PassEnded& pass : row.passes)
            last = std::max(last, pass.end);
    for (const TransferEnded& transfer : transfers)
        last = std::max(last, transfer.end);
    return last;
}

std::int64_t MeasuredStep::passes() const
{
    std::int64_t count = 0;
    for (const MeasuredRow& row : rows)
        count += static_cast<std::int64_t>(row.passes.size());
    return count;
}

bool MeasuredStep::isWhole() const
{
    return ended.has_value()
        || (!rows.empty() && std::ranges::all_of(rows, [](const MeasuredRow& row) { return row.ended; }));
}

Timeline MeasuredStep::timeline() const
{
    Timeline made;
    const Nanos zero = began().value_or(0);
    made.passes.reserve(static_cast<std::size_t>(passes()));
    for (const MeasuredRow& row : rows) {
        for (const PassEnded& pass : row.passes)
            made.passes.push_back({ pass.start - zero, pass.end - zero, pass.pass, pass.joined });
        made.deviceBegin.push_back(static_cast<std::int32_t>(made.passes.size()));
    }
    for (const TransferEnded& transfer : transfers)
        made.transfers.push_back(
            { transfer.start - zero, transfer.end - zero, transfer.pass, transfer.from, transfer.to });
    return made;
}

std::vector<LevelChange> MeasuredStep::memory(DeviceId device) const
{
    std::vector<LevelChange> levels;
    const Nanos zero = began().value_or(0);
    for (const PassEnded& pass : rows[device.index()].passes)
        if (pass.bytes >= 0)
            levels.push_back({ pass.end - zero, pass.bytes });
    std::ranges::stable_sort(levels, {}, &LevelChange::time);
    return levels;
}

} // namespace pipeloom
