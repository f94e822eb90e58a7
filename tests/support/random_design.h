// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random designs for property tests: all that a design file can hold. All of it follows from the seed, on every machine.

#include "core/formats/design.h"
#include "tests/support/random_pipeline.h"
#include "tests/support/random_plan.h"

#include <array>
#include <string>
#include <utility>

namespace pipeloom::test {

inline std::string randomText(Random& random)
{
    constexpr std::array<const char*, 6> texts { "", "V-Half", "line 1\nline 2\t\"quoted\" \\ /", "Größe μ 管道 🚂",
        "\x01\x1F\x7F", " " };
    return texts[static_cast<std::size_t>(between(random, 0, 5))];
}

inline std::string randomView(Random& random)
{
    constexpr std::array<const char*, 4> views { "", "{}", R"({ "zoom": 1.50e0, "open": ["block", null] })",
        "{\n   \"layout\" : {\"split\":[0.3,0.7]},\n\n\t\"text\": \"}{ \\\" \\u0041\"\n}" };
    return views[static_cast<std::size_t>(between(random, 0, 3))];
}

inline Model randomModel(Random& random)
{
    Model model;
    model.layers = small(random, 1, 64);
    model.hidden = small(random, 1, 4096);
    model.heads = small(random, 1, 64);
    model.sequence = small(random, 1, 4096);
    model.microBatchSize = small(random, 1, 8);
    model.vocabulary = chance(random, 50) ? 256 : small(random, 1, 60000);
    return model;
}

inline Training randomTraining(Random& random, std::int32_t stages)
{
    Training training;
    const auto number = [&](std::int64_t least) {
        return chance(random, 50) ? std::optional(between(random, least, std::int64_t { 1 } << 40)) : std::nullopt;
    };
    const auto real = [&] {
        return chance(random, 50) ? std::optional(static_cast<double>(random() >> 11) * 0x1p-60) : std::nullopt;
    };
    training.steps = number(1);
    training.seed = number(0);
    training.learningRate = real();
    training.warmup = number(0);
    training.decay = number(0);
    training.weightDecay = real();
    training.clip = real();
    training.accumulate = number(1);
    if (chance(random, 50))
        training.precision = static_cast<Precision>(between(random, 0, 1));
    training.evaluateEvery = number(0);
    training.checkpointEvery = number(0);
    for (std::int32_t s = 0; s < stages && training.steps.has_value(); ++s)
        training.layersPerStage.push_back(small(random, 1, 4));
    for (std::int32_t n = small(random, 0, 2); n > 0; --n)
        training.data.push_back(randomText(random));
    return training;
}

/// A design that every check of its block or schedule accepts; limits may be too low. `Kind`: what it is made from.
enum class DesignKind : std::uint8_t { Block, Schedule };

inline Design randomLegalDesign(Random& random, DesignKind kind, const RandomSizes& sizes = {})
{
    Pipeline pipeline = randomPipeline(random, sizes);
    std::variant<BuildingBlock, Schedule> plan;
    if (kind == DesignKind::Block)
        plan = randomLegalBlock(random, pipeline, sizes);
    else
        plan = randomLegalSchedule(random, pipeline);
    Design design;
    design.plan = std::move(plan);
    design.costs = randomCosts(random, pipeline.stages, sizes.ticks);
    design.memory = randomMemory(random, pipeline);
    design.network = randomNetwork(random, pipeline.stages, sizes.ticks);
    design.pipeline = std::move(pipeline);
    if (kind == DesignKind::Block && chance(random, 50))
        design.reorder = Reorder { static_cast<ReorderRule>(between(random, 0, 1)),
            static_cast<ReorderAim>(between(random, 0, 1)) };
    return design;
}

/// Any design that can be written and read: with texts, model, training and view, and often broken in one to three ways.
inline Design randomDesign(Random& random, const RandomSizes& sizes = {})
{
    Design design = randomLegalDesign(random, chance(random, 60) ? DesignKind::Block : DesignKind::Schedule, sizes);
    for (std::int32_t faults = small(random, 0, 3); faults > 0; --faults) {
        if (auto* block = std::get_if<BuildingBlock>(&design.plan))
            breakBlock(random, design.pipeline, *block);
        else
            breakSchedule(random, std::get<Schedule>(design.plan));
    }
    design.name = randomText(random);
    design.notes = randomText(random);
    design.view = randomView(random);
    if (chance(random, 30))
        design.model = randomModel(random);
    if (chance(random, 30))
        design.training = randomTraining(random, design.pipeline.stages);
    return design;
}

} // namespace pipeloom::test
