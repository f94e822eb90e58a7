// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Notices who holds up the others, long before the time limit ends the run.

#include "executor/device_status.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace pipeloom::executor {

struct Stall {
    DeviceStatus status;           ///< of the device that is held up
    std::vector<DeviceId> waiting; ///< for it, directly or through others; nearest first
};

class StallWatch {
public:
    explicit StallWatch(Nanoseconds after = std::chrono::seconds(1))
        : after_(after)
    {
    }

    /// Devices that have been in one thing for longer than `after` while others wait for them, each told once per thing. A
    /// device that verifies or saves is not held up: that takes as long as it takes.
    [[nodiscard]] std::vector<Stall> look(std::span<const DeviceStatus> devices, Clock::time_point now);

private:
    Nanoseconds after_;
    std::map<DeviceId, Clock::time_point> told_; ///< since when it was in what was told
};

/// `device 2 has not finished 3B5 for 1.2 s; devices 1 and 0 wait`.
[[nodiscard]] std::string text(const Stall& stall, Clock::time_point now);

} // namespace pipeloom::executor
