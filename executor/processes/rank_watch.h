// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What can be seen of the ranks of a run from outside: when each last gave a sign of life, and what it said then.

#include "executor/device_status.h"
#include "executor/processes/store.h"

#include <span>
#include <string>
#include <vector>

namespace pipeloom::executor {

/// One rank, by the clock of who looks.
struct RankView {
    std::int32_t rank = 0;
    bool came = false;                  ///< it has given a sign of life
    bool ended = false;                 ///< it has said that it is the last one
    Clock::time_point lastBeat {};      ///< of a rank that never came: when looking began
    std::vector<DeviceStatus> statuses; ///< as of the last beat; of a rank that has ended: Ended
};

/// Of all ranks, ascending by device.
[[nodiscard]] std::vector<DeviceStatus> devicesOf(std::span<const RankView> ranks);

/// Looks at the beats of all ranks, again and again. Not for several threads at once.
class RankWatch {
public:
    /// Who looks may be stopped itself (the machine suspended, Ctrl+Z): when more than half of `limit` lies between two
    /// looks, nobody is blamed for that time.
    RankWatch(std::int32_t ranks, Clock::time_point now, Nanoseconds limit);

    /// Throws StoreLost.
    void look(Store& store, Clock::time_point now);
    [[nodiscard]] std::span<const RankView> views() const { return views_; }

private:
    std::vector<RankView> views_;
    std::vector<std::string> keys_;
    std::vector<std::string> texts_; ///< as last seen
    Clock::time_point looked_;
    Nanoseconds limit_;
};

} // namespace pipeloom::executor
