// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a design file holds (FORMAT.md): the value that every room, the executor and the window start from.

#include "core/block/building_block.h"
#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"
#include "core/schedule/reorder_rules.h"
#include "core/schedule/schedule.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pipeloom {

/// The transformer that the executor trains; only for the executor.
struct Model {
    std::int32_t layers = 0;
    std::int32_t hidden = 0;
    std::int32_t heads = 0;
    std::int32_t sequence = 0;
    std::int32_t microBatchSize = 1;
    std::int32_t vocabulary = 256;

    friend bool operator==(const Model&, const Model&) = default;
};

enum class Precision : std::uint8_t { Fp32, Bf16 };

/// How it is trained. Only keys that the file names are set; the executor has the defaults.
struct Training {
    std::optional<std::int64_t> steps;
    std::optional<std::int64_t> seed;
    std::optional<double> learningRate;
    std::optional<std::int64_t> warmup; ///< steps
    std::optional<std::int64_t> decay;  ///< steps
    std::optional<double> weightDecay;
    std::optional<double> clip; ///< global gradient norm
    std::optional<std::int64_t> accumulate;
    std::optional<Precision> precision;
    std::optional<std::int64_t> evaluateEvery;   ///< steps
    std::optional<std::int64_t> checkpointEvery; ///< steps
    std::vector<std::int32_t> layersPerStage;    ///< empty: cut by cost
    std::vector<std::string> data;               ///< files

    friend bool operator==(const Training&, const Training&) = default;
};

struct Design {
    std::string name;
    std::string notes;
    Pipeline pipeline;
    Costs costs;
    MemoryModel memory;
    Network network;
    /// A block, or an explicit schedule (its order is the order; no reordering).
    std::variant<BuildingBlock, Schedule> plan;
    std::optional<Reorder> reorder; ///< none: squeezed only
    std::optional<Model> model;
    std::optional<Training> training;
    std::string view; ///< JSON text of what the window remembers; kept untouched; empty: none

    [[nodiscard]] const BuildingBlock* block() const { return std::get_if<BuildingBlock>(&plan); }
    [[nodiscard]] const Schedule* schedule() const { return std::get_if<Schedule>(&plan); }
    friend bool operator==(const Design&, const Design&) = default;
};

/// Tables of the right sizes with FORMAT.md's defaults, an empty block of interval 1, for the pipeline given.
[[nodiscard]] Design emptyDesign(Pipeline pipeline);

} // namespace pipeloom
