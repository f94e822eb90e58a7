// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The events of a run, read to their end.

#include "core/formats/event_lines.h"
#include "core/run/run_figures.h"
#include "core/run/run_log.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pipeloom::cli {

struct Replayed {
    std::string path;
    std::unique_ptr<RunLog> log;
    EventCounts counts;
    Findings findings;    ///< errors: nothing could be read. Warnings: lines that were not as they should be
    MeasuredStepPtr step; ///< that was asked for; null: none, or the run has none of that number

    /// The last whole steps, at most 20, oldest first.
    [[nodiscard]] std::vector<MeasuredStepPtr> lastWhole() const;
    /// The plan with times as long as the run's where the design's are units (half or twice the measured, or beyond); null: none.
    [[nodiscard]] RunPlanPtr plan() const;
    [[nodiscard]] double planFactor() const;
};

struct ReplayRequest {
    std::string path;
    std::optional<std::int64_t> step;
    /// Called between pieces, with bytes read and in all (0: not known).
    std::function<void(std::int64_t done, std::int64_t all)> onProgress;
    /// Called with each event before it is taken, when it is due.
    std::function<void(const RunEvent&)> onEvent;
    std::function<void(const RunNotice&)> onNotice;
    std::function<bool()> isStopped; ///< may be empty
};

[[nodiscard]] Replayed readRun(const ReplayRequest& request);

} // namespace pipeloom::cli
