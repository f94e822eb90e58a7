// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The plan of a run, or another one to hold it against: order, program, times, memory.

#include "core/finding/finding.h"
#include "core/program/program.h"
#include "core/run/run_event.h"
#include "core/timeline/metrics.h"
#include "core/timeline/timeline.h"

#include <memory>
#include <string>
#include <vector>

namespace pipeloom {

/// Times are nanoseconds, as measured ones are, from the step's start.
struct RunPlan {
    std::string name;  ///< `the run's plan`, a design's name, `run FILE`
    Pipeline pipeline; ///< of all replicas and rounds
    Program program;   ///< lowered for `directed`
    Timeline timeline; ///< as foretold, in nanoseconds; passes by device in list order
    Ticks makespan = 0;
    /// In bytes, by device; empty: not known. What each device holds over time, and at most.
    std::vector<std::vector<LevelChange>> memory;
    std::vector<Bytes> peaks;
    std::vector<std::optional<Bytes>> limits;

    /// Where a pass stands in the timeline; -1: nowhere. B and BW of a stage and micro-batch are one place.
    [[nodiscard]] std::int32_t find(const Pass& pass) const;
    /// After pipeline, program and timeline were set.
    void indexPasses();

    /// By index into timeline.passes: the message that brings its input from another device; -1: none does.
    std::vector<std::int32_t> inputs;
    std::vector<std::int32_t> place; ///< by placeOf, for find
};
using RunPlanPtr = std::shared_ptr<const RunPlan>;

/// A dense number for (stage, micro-batch, F | B or BW | W), below stages * microBatches * 3. The pass must be of the pipeline.
[[nodiscard]] inline std::size_t placeOf(const Pipeline& pipeline, const Pass& pass)
{
    const std::size_t kind = pass.kind == PassKind::F ? 0 : pass.kind == PassKind::W ? 2 : 1;
    return (pass.stage.index() * static_cast<std::size_t>(pipeline.microBatches) + pass.microBatch.index()) * 3 + kind;
}

/// The plan of the run itself: the order of its `plan` event, or by the design if it has none, with the design's costs.
/// An error (run/plan) if the two do not fit together.
struct MadeRunPlan {
    RunPlanPtr plan;
    Findings findings;
};
[[nodiscard]] MadeRunPlan runPlan(const RunBegan& run, const RunPlanned* planned);
/// Another design's plan, for the same pipeline (devices, stages, placement, micro-batches after replicas and rounds); else an
/// error (run/other-pipeline) that says what differs.
[[nodiscard]] MadeRunPlan runPlan(const RunBegan& run, const RunPlanned* planned, const Design& other);

/// The same with all times multiplied, so that plans in units can be held against measured times.
[[nodiscard]] RunPlan scaled(const RunPlan& plan, double factor);

} // namespace pipeloom
