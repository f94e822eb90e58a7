// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/check/pass_places.h"

namespace pipeloom {

PassPlaces::PassPlaces(const Schedule& schedule, const Pipeline& pipeline)
    : stages_(static_cast<std::size_t>(pipeline.stages))
    , places_(static_cast<std::size_t>(pipeline.microBatches) * stages_ * passKinds)
    , counts_(places_.size(), 0)
{
    for (std::int32_t d = 0; d < schedule.devices(); ++d) {
        const std::span<const Slot> row = schedule.row(DeviceId { d });
        for (std::size_t i = 0; i < row.size(); ++i)
            for (const Pass& pass : { row[i].first, row[i].second })
                if (pass.kind != PassKind::None && ++counts_[idOf(pass)] == 1)
                    places_[idOf(pass)] = { d, static_cast<std::int32_t>(i) };
    }
}

} // namespace pipeloom
