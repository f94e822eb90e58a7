// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/step_record.h"

#include <algorithm>

namespace pipeloom::executor {

Timeline timeline(std::span<const StepRecord> devices)
{
    Timeline result;
    for (const auto& device : devices) {
        result.passes.insert(result.passes.end(), device.passes.begin(), device.passes.end());
        result.deviceBegin.push_back(static_cast<std::int32_t>(result.passes.size()));
        result.transfers.insert(result.transfers.end(), device.transfers.begin(), device.transfers.end());
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
