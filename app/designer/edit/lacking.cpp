// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/lacking.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::designer {

Lacking::Lacking(const Design& design)
    : pipeline_(design.pipeline)
{
    const BuildingBlock* block = design.block();
    if (!block)
        return;
    group_ = block->group;
    placed_.resize(static_cast<std::size_t>(pipeline_.stages) * static_cast<std::size_t>(group_));
    for (const BlockPass& placed : block->passes) {
        take(placed.slot.first);
        if (placed.slot.isPair())
            take(placed.slot.second);
    }
}

void Lacking::take(const Pass& pass)
{
    if (pass.stage.value >= pipeline_.stages || pass.microBatch.value >= group_)
        return;
    Placed& placed = placed_[at(pass.stage, pass.microBatch.value)];
    placed.forward = placed.forward || pass.kind == PassKind::F;
    placed.inputGradient = placed.inputGradient || givesInputGradient(pass.kind);
    placed.weightGradient = placed.weightGradient || givesWeightGradient(pass.kind);
    placed.fused = placed.fused || pass.kind == PassKind::BW;
}

bool Lacking::lacks(StageId stage, std::int32_t member, PassKind kind) const
{
    const Placed& placed = placed_[at(stage, member)];
    switch (kind) {
    case PassKind::F:
        return !placed.forward;
    case PassKind::B:
        return !placed.inputGradient && !placed.fused;
    case PassKind::W:
        return !placed.weightGradient && !placed.fused;
    case PassKind::BW:
        return !placed.inputGradient && !placed.weightGradient;
    case PassKind::None:
        break;
    }
    return false;
}

std::optional<Pass> Lacking::next(DeviceId device, PassKind kind) const
{
    if (placed_.empty() || device.value < 0 || device.value >= pipeline_.devices)
        return std::nullopt;
    std::vector<StageId> stages = pipeline_.stagesOn(device);
    if (kind != PassKind::F)
        std::reverse(stages.begin(), stages.end());
    for (const StageId stage : stages)
        for (std::int32_t member = 0; member < group_; ++member)
            if (pipeline_.deviceOf(stage, RouteId { member % pipeline_.routeCount() }) == device
                && lacks(stage, member, kind))
                return Pass { stage, MicroBatch { member }, kind };
    return std::nullopt;
}

std::string Lacking::why(DeviceId device, PassKind kind) const
{
    if (device.value < 0 || device.value >= pipeline_.devices)
        return fmt::format("There is no device {}.", device.value);
    if (pipeline_.stagesOn(device).empty())
        return fmt::format("Device {} holds no stage; place one on it first.", device.value);
    switch (kind) {
    case PassKind::B:
        return fmt::format("All stages of device {} have their B, or BW.", device.value);
    case PassKind::W:
        return fmt::format("All stages of device {} have their W, or BW.", device.value);
    case PassKind::BW:
        return fmt::format("All stages of device {} have BW, or B or W; delete those to place BW.", device.value);
    default:
        return fmt::format("All stages of device {} have their {}.", device.value, text(kind));
    }
}

} // namespace pipeloom::designer
