// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sections of the design file, each from its JSON to the value that core works with. Faults go to the reader's
// reports; a value is made all the same, so that the rest of the file is looked at too.

#include "core/formats/design.h"
#include "core/formats/strict_json.h"

#include <optional>
#include <variant>

namespace pipeloom::formats {

/// What lists are measured by. Without a number where the pipeline itself is wrong, or so large that no memory may be
/// taken for it: then lengths are not checked.
struct Sizes {
    std::optional<std::int64_t> devices;
    std::optional<std::int64_t> stages;
    std::optional<std::int64_t> microBatches;

    [[nodiscard]] Count perDevice() const { return { devices, "device", "devices" }; }
    [[nodiscard]] Count perStage() const { return { stages, "stage", "stages" }; }
    [[nodiscard]] Count perMicroBatch() const { return { microBatches, "micro-batch", "micro-batches" }; }
    [[nodiscard]] Count perBoundary() const
    {
        return { stages.has_value() ? std::optional(*stages - 1) : std::nullopt, "stage boundary", "stage boundaries" };
    }
};

struct PipelineSection {
    Pipeline pipeline;
    Sizes sizes;
};

[[nodiscard]] PipelineSection readPipeline(const SectionReader& section);

struct CostsSection {
    Costs costs;
    MemoryModel memory;
    Network network;
};

/// Ticks by kind: BW left out is B + W of its stage. Memory changes: each kind's default stands for itself, so F = 3
/// alone leaks, and check says so.
[[nodiscard]] CostsSection readCosts(const SectionReader& section, const Sizes& sizes);

/// One number per kind and stage, by the keys F, B, W, BW.
[[nodiscard]] ByKindAndStage<std::int64_t> readKinds(
    const SectionReader& section, const Sizes& sizes, Range range, const std::array<std::int64_t, passKinds>& defaults);

[[nodiscard]] BuildingBlock readBlock(const SectionReader& section, const Sizes& sizes);
[[nodiscard]] Schedule readSchedule(const SectionReader& section, const Sizes& sizes);

[[nodiscard]] std::optional<Reorder> readReorder(const SectionReader& section);
[[nodiscard]] std::optional<Model> readModel(const SectionReader& section);
[[nodiscard]] std::optional<Training> readTraining(const SectionReader& section, const Sizes& sizes);

/// Sums that a step may come to, so that no arithmetic in core overflows: passes in all up to maxPasses, T * m, the
/// ticks of all passes and transfers in a row, and a transfer by latency and bandwidth within FORMAT.md's limits; memory
/// changes of all passes together below 2^62.
void checkSums(const Design& design, Reports& reports);

} // namespace pipeloom::formats
