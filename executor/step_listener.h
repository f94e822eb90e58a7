// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who wants to know of passes and transfers as they end, not only when the step has ended.

#include "core/timeline/timeline.h"
#include "executor/device_status.h"
#include "executor/optimizer_mode.h"

namespace pipeloom::executor {

/// Of one device; called on its thread alone.
class StepListener {
public:
    virtual ~StepListener() = default;

    virtual void stepBegins(std::int64_t step, Clock::time_point start) = 0;
    /// Times are nanoseconds from the start of the step; `live` is what the device holds when it is told, in bytes, -1 where
    /// that is not known.
    virtual void passEnded(const TimedPass& pass, Bytes live) = 0;
    virtual void transferEnded(const TimedTransfer& transfer) = 0;
    /// After the optimizer's step; `peak` in bytes, the highest of the step.
    virtual void stepEnded(Bytes peak) = 0;
    /// Told by one of the devices. If it was rolled back, what the devices had begun since begins again, stepBegins and all.
    virtual void stepUndone(const UndoneStep& step) = 0;
};

} // namespace pipeloom::executor
