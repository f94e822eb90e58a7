// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The whole way of a design, the only one: block -> repeat -> squeeze / reorder -> schedule -> check -> program -> timeline
// -> metrics. The command line, the executor and the window all come through here.

#include "core/finding/finding.h"
#include "core/formats/design.h"
#include "core/program/program.h"
#include "core/timeline/metrics.h"
#include "core/timeline/timeline.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace pipeloom {

/// raw: the block repeated, with its own durations, no network. squeezed, reordered: DESIGN.md 3.8. An explicit schedule
/// has one form only, `squeezed`.
enum class Form : std::uint8_t { Raw, Squeezed, Reordered };

struct PlanOptions {
    std::optional<Form> form;        ///< none: reordered if the design has reorder rules, else squeezed
    std::optional<QueueModel> queue; ///< none: the design's own
    std::stop_token stop {};         ///< asked to stop, the plan is left as far as it came, at the next step of its way
};

/// All that follows from a design. What could not be made, because of an error among the findings, is empty.
struct Plan {
    Findings findings; ///< everything that checks said, errors first
    Form form = Form::Squeezed;
    QueueModel queue = QueueModel::Directed;
    Schedule schedule;
    Program program;
    Timeline timeline;
    Metrics metrics;
    std::vector<std::optional<Bytes>> bounds; ///< per device; none for explicit schedules
    /// Step time of the squeezed form, also where the form shown is the reordered one; 0: it was not made.
    Ticks squeezedTicks = 0;
    bool stopped = false; ///< by PlanOptions::stop, before it was whole

    [[nodiscard]] bool ok() const { return !hasErrors(findings); }
    /// The timeline is there: no error kept the design from being simulated.
    [[nodiscard]] bool simulated() const { return !timeline.passes.empty(); }
};

/// Checks the design and takes it as far as its errors allow. A limit that is not kept is an error, but is simulated all
/// the same.
[[nodiscard]] Plan plan(const Design& design, const PlanOptions& options = {});

/// `raw`, `squeezed`, `reordered`.
[[nodiscard]] const char* text(Form form);

} // namespace pipeloom
