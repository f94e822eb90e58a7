// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Numbers by stage, boundary or device, as edits set them: one entry or all, within what a file can hold.

#include "core/finding/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipeloom::designer {

/// From `least` to `most`, and what the numbers are: `Ticks`.
struct NumberRange {
    std::int64_t least = 0;
    std::int64_t most = 0;
    const char* what = "";
};

inline constexpr NumberRange tickRange { 0, maxTicks - 1, "Ticks" };
inline constexpr NumberRange heldRange { 0, maxBytes - 1, "Amounts of memory" };
inline constexpr NumberRange changeRange { -(maxBytes - 1), maxBytes - 1, "Changes of memory" };

/// Empty, or why the number is refused: `Ticks go from 0 to 7, not 9.`
[[nodiscard]] std::string outOfRange(std::int64_t number, const NumberRange& range);

/// `what` with the entry that is not there: `There is no stage 9.` The entry's name is told by its type.
[[nodiscard]] std::string noEntry(StageId stage);
[[nodiscard]] std::string noEntry(DeviceId device);

/// Sets one entry, or all if none is named. Empty, or why not.
template <class EntryId, class Number>
[[nodiscard]] std::string setEntry(
    std::vector<Number>& table, std::optional<EntryId> entry, std::int64_t number, const NumberRange& range)
{
    if (std::string why = outOfRange(number, range); !why.empty())
        return why;
    if (!entry)
        table.assign(table.size(), number);
    else if (entry->value < 0 || entry->index() >= table.size())
        return noEntry(*entry);
    else
        table[entry->index()] = number;
    return {};
}

/// `F`, or `F of stage 2`.
[[nodiscard]] std::string entryName(std::string_view what, std::optional<StageId> stage);
/// `Limit`, or `Limit of device 2`.
[[nodiscard]] std::string entryName(std::string_view what, std::optional<DeviceId> device);

/// `1 tick`, `3 ticks`.
[[nodiscard]] std::string countedTicks(Ticks ticks);

} // namespace pipeloom::designer
