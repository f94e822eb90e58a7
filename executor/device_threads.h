// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The devices of this process at work: their threads from the first to the last step, whatever happens in between.

#include "executor/device_thread.h"

#include <functional>
#include <memory>
#include <span>
#include <stop_token>

namespace pipeloom::executor {

/// Runs the job's steps on a thread for each of `devices`; `onStep` is called on this thread, in order, and must not throw.
/// Asked to stop, it ends with the step under way if the job saves, else at once. Returns when all have ended or, if one is
/// stuck, within the limit of its last sign of life; the stuck thread cannot be killed and stays behind, with all it uses.
[[nodiscard]] JobResult runThreads(const std::shared_ptr<RunShared>& shared, std::span<const DeviceId> devices,
    const std::function<void(const StepReport&)>& onStep, const std::stop_token& stop);

} // namespace pipeloom::executor
