// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One step as its events tell it, as far as they have come.

#include "core/run/run_event.h"
#include "core/timeline/metrics.h"
#include "core/timeline/timeline.h"

#include <memory>
#include <optional>
#include <vector>

namespace pipeloom {

/// One device in one step.
struct MeasuredRow {
    std::optional<Nanos> began;    ///< none: not yet
    std::vector<PassEnded> passes; ///< by start; times from the run's beginning
    std::optional<Bytes> peak;     ///< told when the device has ended the step
    bool ended = false;
};

struct MeasuredStep {
    std::int64_t step = 0;
    std::int32_t attempt = 0;      ///< 1 if it was begun again after a rollback, ...
    std::vector<MeasuredRow> rows; ///< by device
    std::vector<TransferEnded> transfers;
    std::optional<StepEnded> ended;
    std::optional<StepUndone> undone;

    /// When its first device began; none: not yet.
    [[nodiscard]] std::optional<Nanos> began() const;
    /// The last end of a pass or transfer that was told; the beginning if none was.
    [[nodiscard]] Nanos latest() const;
    [[nodiscard]] std::int64_t passes() const;
    /// All devices have ended it.
    [[nodiscard]] bool isWhole() const;
    /// In nanoseconds from the step's beginning.
    [[nodiscard]] Timeline timeline() const;
    /// What a device held over time, from bytes told with its passes; empty: not told. Nanoseconds from the step's beginning.
    [[nodiscard]] std::vector<LevelChange> memory(DeviceId device) const;
};
using MeasuredStepPtr = std::shared_ptr<const MeasuredStep>;

} // namespace pipeloom
