// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/rank_watch.h"

#include "executor/processes/keys.h"
#include "executor/processes/wire.h"

#include <algorithm>
#include <utility>

namespace pipeloom::executor {

std::vector<DeviceStatus> devicesOf(std::span<const RankView> ranks)
{
    std::vector<DeviceStatus> devices;
    for (const auto& rank : ranks)
        devices.insert(devices.end(), rank.statuses.begin(), rank.statuses.end());
    std::stable_sort(devices.begin(), devices.end(),
        [](const DeviceStatus& a, const DeviceStatus& b) { return a.device < b.device; });
    return devices;
}

namespace {

/// As if that time had not been.
void forgive(RankView& view, Nanoseconds gap)
{
    view.lastBeat += gap;
    for (auto& status : view.statuses)
        status.since += gap;
}

} // namespace

RankWatch::RankWatch(std::int32_t ranks, Clock::time_point now, Nanoseconds limit)
    : views_(static_cast<std::size_t>(ranks))
    , texts_(views_.size())
    , looked_(now)
    , limit_(limit)
{
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        auto& view = views_[static_cast<std::size_t>(rank)];
        view.rank = rank;
        view.lastBeat = now;
        keys_.push_back(keys::beat(rank));
    }
}

void RankWatch::look(Store& store, Clock::time_point now)
{
    const auto texts = store.getAll(keys_);
    const auto gap = now - std::exchange(looked_, now);
    for (std::size_t i = 0; i < views_.size(); ++i) {
        auto& view = views_[i];
        if (gap > limit_ / 2 && !view.ended)
            forgive(view, gap);
        if (!texts[i] || *texts[i] == texts_[i])
            continue;
        texts_[i] = *texts[i];
        auto beat = beatFrom(*texts[i], now);
        if (!beat)
            continue;
        view.came = true;
        view.ended = beat->ended;
        view.lastBeat = now;
        view.statuses = std::move(beat->statuses);
        if (view.ended)
            for (auto& status : view.statuses)
                status.doing = Doing::Ended;
    }
}

} // namespace pipeloom::executor
