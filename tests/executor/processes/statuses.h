// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Devices that are doing something, by hand.

#include "executor/device_status.h"

namespace pipeloom::test {

inline Pass pass(PassKind kind, std::int32_t stage, std::int32_t microBatch)
{
    return { StageId { stage }, MicroBatch { microBatch }, kind };
}
inline Pass forward(std::int32_t stage, std::int32_t microBatch) { return pass(PassKind::F, stage, microBatch); }
inline Pass backward(std::int32_t stage, std::int32_t microBatch) { return pass(PassKind::B, stage, microBatch); }

inline executor::DeviceStatus doing(std::int32_t device, executor::Doing what, executor::Clock::time_point since)
{
    executor::DeviceStatus status;
    status.device = DeviceId { device };
    status.doing = what;
    status.since = since;
    return status;
}

/// In `now`, after `finished`.
inline executor::DeviceStatus inPass(
    std::int32_t device, const Pass& now, const Pass& finished, executor::Clock::time_point since)
{
    auto status = doing(device, executor::Doing::Pass, since);
    status.pass = now;
    status.finished = finished;
    return status;
}

/// Waits for `needs` of `from` before `next`, after `finished`.
inline executor::DeviceStatus waitingFor(std::int32_t device, const Pass& needs, std::int32_t from, const Pass& next,
    const Pass& finished, executor::Clock::time_point since)
{
    auto status = inPass(device, next, finished, since);
    status.doing = executor::Doing::Input;
    status.needs = needs;
    status.from = DeviceId { from };
    return status;
}

} // namespace pipeloom::test
