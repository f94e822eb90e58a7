// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drawing/labels.h"

#include <algorithm>
#include <cctype>

namespace pipeloom::cli {

Labels Labels::ofBlock(const BuildingBlock& block)
{
    Labels labels;
    labels.stage_ = true;
    labels.microBatch_ = block.group > 1;
    return labels;
}

Labels Labels::ofSchedule(const Pipeline& pipeline)
{
    const auto devices = static_cast<std::size_t>(pipeline.devices);
    std::vector<int> held(devices);
    std::vector<StageId> first(devices);
    std::vector<StageId> last(devices, StageId(-1));
    for (std::int32_t s = 0; s < pipeline.stages; ++s)
        for (const Placement& route : pipeline.routes) {
            const StageId stage(s);
            const std::size_t device = route[stage.index()].index();
            if (last[device] == stage)
                continue; // two routes meet here
            last[device] = stage;
            if (held[device]++ == 0)
                first[device] = stage;
        }
    const int most = *std::ranges::max_element(held);

    Labels labels;
    labels.microBatch_ = true;
    labels.stage_ = most > 2;
    if (most == 2)
        labels.firstStage_ = std::move(first);
    return labels;
}

std::string Labels::of(const Pass& pass, DeviceId device) const
{
    std::string label = stage_ ? std::to_string(pass.stage.value) : std::string();
    std::string kind = text(pass.kind);
    if (isSecondStage(pass, device))
        std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
    label += kind;
    if (microBatch_)
        label += std::to_string(pass.microBatch.value);
    return label;
}

char Labels::letter(const Pass& pass, DeviceId device) const
{
    const char capital = pass.kind == PassKind::BW ? 'X' : text(pass.kind)[0];
    return isSecondStage(pass, device) ? static_cast<char>(std::tolower(capital)) : capital;
}

bool Labels::isSecondStage(const Pass& pass, DeviceId device) const
{
    return !firstStage_.empty() && device.index() < firstStage_.size() && pass.stage != firstStage_[device.index()];
}

} // namespace pipeloom::cli
