// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is written into a pass.

#include "core/block/building_block.h"
#include "core/pipeline/pipeline.h"

#include <string>
#include <vector>

namespace pipeloom::cli {

/// Labels of a block's passes (`7F`, in a group `7F1`) or of a schedule's: `F3` where a device has one stage or two,
/// told apart by capitals and small letters, else `7F3`.
class Labels {
public:
    static Labels ofBlock(const BuildingBlock& block);
    static Labels ofSchedule(const Pipeline& pipeline);

    [[nodiscard]] std::string of(const Pass& pass, DeviceId device) const;
    /// A single character for it, where there is no more room; X is BW.
    [[nodiscard]] char letter(const Pass& pass, DeviceId device) const;
    /// True for the second of a device's two stages: its letters are small, and underlined.
    [[nodiscard]] bool isSecondStage(const Pass& pass, DeviceId device) const;
    /// True if labels name the stage.
    [[nodiscard]] bool tellsStages() const { return stage_; }
    /// True if some device has two stages that only the letters tell apart.
    [[nodiscard]] bool tellsStagesByLetters() const { return !firstStage_.empty(); }

private:
    bool stage_ = false;
    bool microBatch_ = false;
    std::vector<StageId> firstStage_; ///< of each device; empty unless letters tell stages apart
};

} // namespace pipeloom::cli
