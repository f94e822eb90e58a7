// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/schedule.h"

namespace pipeloom {

Schedule schedule(const std::vector<std::vector<Slot>>& rows)
{
    Schedule made;
    for (const std::vector<Slot>& row : rows) {
        made.slots.insert(made.slots.end(), row.begin(), row.end());
        made.deviceBegin.push_back(static_cast<std::int32_t>(made.slots.size()));
    }
    return made;
}

} // namespace pipeloom
