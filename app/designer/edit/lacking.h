// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which passes a block still lacks, and which of them a device takes next.

#include "core/formats/design.h"

#include <optional>
#include <vector>

namespace pipeloom::designer {

class Lacking {
public:
    explicit Lacking(const Design& design);

    /// F of the device's lowest stage that lacks one, B, W and BW of its highest; of a group the lowest member. Nothing if
    /// none is lacking. A stage with BW lacks neither B nor W, one with B or W lacks no BW.
    [[nodiscard]] std::optional<Pass> next(DeviceId device, PassKind kind) const;
    /// It is placed now.
    void take(const Pass& pass);
    /// Why `next` gave nothing: a sentence.
    [[nodiscard]] std::string why(DeviceId device, PassKind kind) const;

private:
    struct Placed {
        bool forward = false;
        bool inputGradient = false;
        bool weightGradient = false;
        bool fused = false;
    };
    [[nodiscard]] std::size_t at(StageId stage, std::int32_t member) const
    {
        return stage.index() * static_cast<std::size_t>(group_) + static_cast<std::size_t>(member);
    }
    [[nodiscard]] bool lacks(StageId stage, std::int32_t member, PassKind kind) const;

    const Pipeline& pipeline_;
    std::int32_t group_ = 1;
    std::vector<Placed> placed_;
};

} // namespace pipeloom::designer
