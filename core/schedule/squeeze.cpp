// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/squeeze.h"

#include "core/schedule/list_run.h"
#include "core/schedule/pass_tables.h"

namespace pipeloom {

std::optional<Timeline> squeeze(
    const Schedule& order, const Pipeline& pipeline, const Costs& costs, const Network& network)
{
    PassTables tables;
    tables.build(pipeline, costs, unitMemory(pipeline.stages, pipeline.devices), network);
    tables.read(order);
    const std::vector<Ticks> usableFrom(static_cast<std::size_t>(pipeline.devices), 0);
    ListRun run;
    ListTimes times;
    if (!run.run(tables, Direction::Forward, tables.items(), usableFrom, times))
        return std::nullopt;

    Timeline timeline;
    timeline.passes.reserve(order.slots.size());
    for (std::int32_t d = 0; d < order.devices(); ++d) {
        const auto first = static_cast<std::size_t>(order.deviceBegin[static_cast<std::size_t>(d)]);
        const std::span<const Slot> row = order.row(DeviceId { d });
        for (std::size_t i = 0; i < row.size(); ++i) {
            const Ticks start = times.start[first + i];
            const Ticks end = start + costs.of(row[i]);
            timeline.passes.push_back({ start, end, row[i].first, false });
            if (row[i].isPair())
                timeline.passes.push_back({ start, end, row[i].second, true });
        }
        timeline.deviceBegin.push_back(static_cast<std::int32_t>(timeline.passes.size()));
    }
    return timeline;
}

} // namespace pipeloom
