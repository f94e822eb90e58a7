// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/events/stall_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::executor {

namespace {

bool isHeldUp(const DeviceStatus& status)
{
    return status.doing == Doing::Pass || status.doing == Doing::Between || status.doing == Doing::Optimizer
        || status.doing == Doing::Starting;
}

/// Those that wait for `first`, those that wait for these, and so on; then those that wait for all.
std::vector<DeviceId> waitersFor(DeviceId first, std::span<const DeviceStatus> devices)
{
    std::vector<DeviceId> found { first };
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const DeviceStatus& status : devices)
            if (status.doing == Doing::Input && status.from == found[i]
                && std::find(found.begin(), found.end(), status.device) == found.end())
                found.push_back(status.device);
    for (const DeviceStatus& status : devices)
        if (status.doing == Doing::Others)
            found.push_back(status.device);
    found.erase(found.begin());
    return found;
}

} // namespace

std::vector<Stall> StallWatch::look(std::span<const DeviceStatus> devices, Clock::time_point now)
{
    std::vector<Stall> stalls;
    for (const DeviceStatus& status : devices) {
        const auto told = told_.find(status.device);
        const bool isKnown = told != told_.end() && told->second == status.since;
        if (!isHeldUp(status) || now - status.since < after_ || isKnown)
            continue;
        auto waiting = waitersFor(status.device, devices);
        if (waiting.empty())
            continue;
        told_.insert_or_assign(status.device, status.since);
        stalls.push_back({ status, std::move(waiting) });
    }
    return stalls;
}

std::string text(const Stall& stall, Clock::time_point now)
{
    std::string who;
    for (std::size_t i = 0; i < stall.waiting.size(); ++i) {
        if (i > 0)
            who += i + 1 == stall.waiting.size() ? " and " : ", ";
        who += std::to_string(stall.waiting[i].value);
    }
    const bool isOne = stall.waiting.size() == 1;
    return fmt::format("device {} has not finished {} for {}; device{} {} wait{}", stall.status.device.value,
        placeText(stall.status), secondsText(now - stall.status.since), isOne ? "" : "s", who, isOne ? "s" : "");
}

} // namespace pipeloom::executor
