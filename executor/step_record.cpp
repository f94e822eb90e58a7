// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/step_record.h"

#include <algorithm>

namespace pipeloom::executor {

Timeline timeline(std::span<const StepRecord> devices)
{
    Timeline result;
    Nanoseconds first = Nanoseconds::max();
    for (const auto& device : devices)
        first = std::min(first, device.offset);
    for (const auto& device : devices) {
        const auto later = (device.offset - first).count();
        for (TimedPass pass : device.passes) {
            pass.start += later;
            pass.end += later;
            result.passes.push_back(pass);
        }
        for (TimedTransfer transfer : device.transfers) {
            transfer.start += later;
            transfer.end += later;
            result.transfers.push_back(transfer);
        }
        result.deviceBegin.push_back(static_cast<std::int32_t>(result.passes.size()));
    }
    return result;
}

MemoryUse highest(const MemoryUse& a, const MemoryUse& b)
{
    MemoryUse result;
    for (std::size_t c = 0; c < memoryClasses; ++c)
        result.byClass[c] = std::max(a.byClass[c], b.byClass[c]);
    result.total = std::max(a.total, b.total);
    return result;
}

} // namespace pipeloom::executor
