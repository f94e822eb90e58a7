// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/profile/other_backwards.h"

#include <utility>

namespace pipeloom::executor {

namespace {

Pass of(const Pass& pass, PassKind kind) { return { pass.stage, pass.microBatch, kind }; }

/// `replace` appends what stands for one pass.
template <class Replace> Schedule rewritten(const Schedule& whole, Replace replace)
{
    std::vector<std::vector<Slot>> rows;
    for (std::int32_t d = 0; d < whole.devices(); ++d) {
        std::vector<Slot> row;
        for (const Slot& slot : whole.row(DeviceId { d })) {
            const bool backwardFirst = slot.isPair() && slot.first.kind != PassKind::F;
            for (const Pass& pass :
                { backwardFirst ? slot.second : slot.first, backwardFirst ? slot.first : slot.second })
                if (pass.kind != PassKind::None)
                    replace(pass, row);
        }
        rows.push_back(std::move(row));
    }
    return schedule(rows);
}

} // namespace

Schedule withSplitBackwards(const Schedule& schedule)
{
    return rewritten(schedule, [](const Pass& pass, std::vector<Slot>& row) {
        if (pass.kind != PassKind::BW) {
            row.push_back({ pass, {} });
            return;
        }
        row.push_back({ of(pass, PassKind::B), {} });
        row.push_back({ of(pass, PassKind::W), {} });
    });
}

Schedule withFusedBackwards(const Schedule& schedule)
{
    return rewritten(schedule, [](const Pass& pass, std::vector<Slot>& row) {
        if (pass.kind != PassKind::W)
            row.push_back({ pass.kind == PassKind::B ? of(pass, PassKind::BW) : pass, {} });
    });
}

} // namespace pipeloom::executor
