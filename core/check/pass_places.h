// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where in a schedule each pass stands. What the checks of schedules look up in.

#include "core/pipeline/pipeline.h"
#include "core/schedule/schedule.h"

#include <vector>

namespace pipeloom {

/// A slot of a device.
struct SlotPlace {
    std::int32_t device = -1;
    std::int32_t slot = -1; ///< position in the device's row

    [[nodiscard]] bool isThere() const { return device >= 0; }
    friend bool operator==(const SlotPlace&, const SlotPlace&) = default;
};

class PassPlaces {
public:
    /// All passes must name stages and micro-batches of the pipeline. Of a doubled pass the first place is kept.
    PassPlaces(const Schedule& schedule, const Pipeline& pipeline);

    [[nodiscard]] const SlotPlace& of(const Pass& pass) const { return places_[idOf(pass)]; }
    /// The pass that gives the stage's input gradient, B or BW, whichever is there.
    [[nodiscard]] const SlotPlace& backwardOf(StageId stage, MicroBatch microBatch) const
    {
        const SlotPlace& split = of({ stage, microBatch, PassKind::B });
        return split.isThere() ? split : of({ stage, microBatch, PassKind::BW });
    }
    [[nodiscard]] std::int32_t count(const Pass& pass) const { return counts_[idOf(pass)]; }

private:
    [[nodiscard]] std::size_t idOf(const Pass& pass) const
    {
        return (pass.microBatch.index() * stages_ + pass.stage.index()) * passKinds + index(pass.kind);
    }

    std::size_t stages_;
    std::vector<SlotPlace> places_;
    std::vector<std::int32_t> counts_;
};

} // namespace pipeloom
