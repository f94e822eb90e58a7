// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/tables.h"

#include <fmt/format.h>

namespace pipeloom::designer {

std::string outOfRange(std::int64_t number, const NumberRange& range)
{
    if (number >= range.least && number <= range.most)
        return {};
    return fmt::format("{} go from {} to {}, not {}.", range.what, range.least, range.most, number);
}

std::string noEntry(StageId stage) { return fmt::format("There is no stage {}.", stage.value); }
std::string noEntry(DeviceId device) { return fmt::format("There is no device {}.", device.value); }

std::string entryName(std::string_view what, std::optional<StageId> stage)
{
    return stage ? fmt::format("{} of stage {}", what, stage->value) : std::string(what);
}

std::string entryName(std::string_view what, std::optional<DeviceId> device)
{
    return device ? fmt::format("{} of device {}", what, device->value) : std::string(what);
}

std::string countedTicks(Ticks ticks) { return fmt::format("{} tick{}", ticks, ticks == 1 ? "" : "s"); }

} // namespace pipeloom::designer
