// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An order taken all the way to its figures under a queue model, and the reordered form as that model sees it (DESIGN.md
// 3.8): planned with constant transfer times, kept only where it is better.

#include "core/formats/design.h"
#include "core/program/program.h"
#include "core/timeline/metrics.h"
#include "core/timeline/timeline.h"

#include <optional>

namespace pipeloom {

/// A schedule lowered and simulated. Peaks in `metrics` count receive buffers.
struct Realised {
    Schedule schedule;
    Program program;
    Timeline timeline;
    Metrics metrics;
};

/// Lowers for the queue model, simulates and measures. None if it cannot run to its end.
[[nodiscard]] std::optional<Realised> realise(const Schedule& schedule, const Design& design, QueueModel queue);

/// The better of reordered and squeezed for the design's aim under the queue model (rule `all` if it has none), and of those
/// whose peaks, buffers counted, stay at or below max(limit, squeezed peak).
[[nodiscard]] Realised reordered(Realised squeezed, const Design& design, QueueModel queue);

} // namespace pipeloom
