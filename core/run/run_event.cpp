// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_event.h"

#include <algorithm>
#include <cmath>

namespace pipeloom {

std::optional<std::int64_t> stepOf(const RunEvent& event)
{
    return std::visit(
        [](const auto& e) -> std::optional<std::int64_t> {
            if constexpr (requires { e.step; })
                return e.step;
            else
                return std::nullopt;
        },
        event);
}

std::optional<DeviceId> deviceOf(const RunEvent& event)
{
    return std::visit(
        [](const auto& e) -> std::optional<DeviceId> {
            using Event = std::decay_t<decltype(e)>;
            // A transfer is told by the device that received it; a rollback names a device, and any may tell it.
            if constexpr (std::is_same_v<Event, TransferEnded>)
                return e.to;
            else if constexpr (std::is_same_v<Event, DeviceStalled> || std::is_same_v<Event, StepUndone>)
                return std::nullopt;
            else if constexpr (requires { e.device; })
                return e.device;
            else
                return std::nullopt;
        },
        event);
}

std::optional<Nanos> timeOf(const RunEvent& event)
{
    return std::visit(
        [](const auto& e) -> std::optional<Nanos> {
            if constexpr (requires { e.end; })
                return e.end;
            else if constexpr (requires { e.at; })
                return e.at;
            else
                return std::nullopt;
        },
        event);
}

namespace {

bool isDevice(DeviceId device) { return device.value >= 0 && device.value < maxDevices; }

constexpr std::int64_t most = std::int64_t { 1 } << 61;

bool isTime(Nanos time) { return time > -most && time < most; }

} // namespace

bool isSane(const RunEvent& event)
{
    return std::visit(
        [](const auto& e) {
            bool sane = true;
            if constexpr (requires { e.device; })
                sane = sane && isDevice(e.device);
            if constexpr (requires { e.step; })
                sane = sane && e.step >= 0 && e.step < most;
            if constexpr (requires { e.at; })
                sane = sane && isTime(e.at);
            if constexpr (requires { e.stage; })
                sane = sane && e.stage.value >= 0;
            if constexpr (requires { e.waiting; })
                sane = sane && std::all_of(e.waiting.begin(), e.waiting.end(), isDevice);
            if constexpr (requires { e.devices.front().value; })
                sane = sane && std::all_of(e.devices.begin(), e.devices.end(), isDevice);
            if constexpr (requires { e.stepMs; })
                sane = sane && std::isfinite(e.stepMs) && e.stepMs >= 0;
            return sane;
        },
        event);
}

} // namespace pipeloom
