// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/list_run.h"

#include <algorithm>

namespace pipeloom {

Ticks inputsReady(
    const PassTables& tables, const std::vector<LocalFacts>& facts, Item item, const Ticks* end, std::int32_t& missing)
{
    if (!tables.isPair(item.local))
        return inputsReady(facts[static_cast<std::size_t>(item.local)], item.id, end, missing);
    const PairLocal both = tables.pair(item.local);
    const Ticks first = inputsReady(facts[static_cast<std::size_t>(both.first)], item.id, end, missing);
    if (first < 0)
        return first;
    const Ticks second = inputsReady(facts[static_cast<std::size_t>(both.second)], tables.mate(item.id), end, missing);
    return second < 0 ? second : std::max(first, second);
}

bool ListRun::run(const PassTables& tables, Direction direction, std::span<const Item> items,
    std::span<const Ticks> usableFrom, ListTimes& times)
{
    const auto devices = static_cast<std::size_t>(tables.devices());
    const std::vector<LocalFacts>& facts = tables.facts(direction);
    const std::vector<std::int32_t>& begin = tables.deviceBegin();
    times.start.assign(items.size(), ListTimes::unknown);
    times.end.assign(tables.ids(), ListTimes::unknown);
    next_.assign(begin.begin(), begin.end() - 1);
    free_.assign(usableFrom.begin(), usableFrom.end());
    waitsFor_.assign(devices, -1);
    ready_.clear();
    for (std::size_t d = devices; d-- > 0;)
        ready_.push_back(static_cast<std::int32_t>(d));

    Ticks* const end = times.end.data();
    std::size_t ran = 0;
    const auto finish = [&](const LocalFacts& fact, std::int32_t id, Ticks at) {
        end[id] = at;
        if (fact.fed != 0 && waitsFor_[static_cast<std::size_t>(fact.fedDevice)] == id) {
            waitsFor_[static_cast<std::size_t>(fact.fedDevice)] = -1;
            ready_.push_back(fact.fedDevice);
        }
    };
    while (!ready_.empty()) {
        const auto d = static_cast<std::size_t>(ready_.back());
        ready_.pop_back();
        std::int32_t position = next_[d];
        const std::int32_t last = begin[d + 1];
        Ticks free = free_[d];
        for (; position < last; ++position) {
            const Item item = items[static_cast<std::size_t>(position)];
            std::int32_t missing = -1;
            const Ticks inputs = inputsReady(tables, facts, item, end, missing);
            if (inputs < 0) {
                waitsFor_[d] = missing;
                break;
            }
            const LocalFacts& fact = facts[static_cast<std::size_t>(item.local)];
            const Ticks start = std::max(free, inputs);
            free = start + fact.cost;
            times.start[static_cast<std::size_t>(position)] = start;
            ++ran;
            if (tables.isPair(item.local)) {
                const PairLocal both = tables.pair(item.local);
                finish(facts[static_cast<std::size_t>(both.first)], item.id, free);
                finish(facts[static_cast<std::size_t>(both.second)], tables.mate(item.id), free);
            } else {
                finish(fact, item.id, free);
            }
        }
        next_[d] = position;
        free_[d] = free;
    }
    return ran == items.size();
}

} // namespace pipeloom
