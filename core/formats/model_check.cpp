// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/model_check.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

namespace pipeloom {

namespace {

Finding errorAt(std::string pointer, std::string rule, std::string message, std::string remedy)
{
    Place where;
    where.pointer = std::move(pointer);
    return { std::move(rule), Severity::Error, { where }, {}, std::move(message), std::move(remedy) };
}

struct Range {
    const char* key;
    std::int32_t Model::*value;
    std::int32_t most;
};

/// Beyond these sizes no machine holds one layer, and products would leave 64 bits.
constexpr std::array<Range, 6> ranges { {
    { "layers", &Model::layers, 1 << 16 },
    { "hidden", &Model::hidden, 1 << 16 },
    { "heads", &Model::heads, 1 << 16 },
    { "sequence", &Model::sequence, 1 << 20 },
    { "micro_batch_size", &Model::microBatchSize, 1 << 16 },
    { "vocabulary", &Model::vocabulary, 1 << 20 },
} };

void appendModelFaults(const Model& model, std::int32_t stages, Findings& findings)
{
    for (const Range& range : ranges) {
        const std::int32_t value = model.*range.value;
        if (value < 1 || value > range.most)
            findings.push_back(errorAt(std::string("/model/") + range.key, "model/range",
                std::string("model.") + range.key + " is " + std::to_string(value) + "; it must be from 1 to "
                    + std::to_string(range.most) + ".",
                "Give a value in range."));
    }
    if (hasErrors(findings))
        return;
    if (model.hidden % model.heads != 0)
        findings.push_back(errorAt("/model/heads", "model/heads",
            std::to_string(model.heads) + " heads do not divide hidden = " + std::to_string(model.hidden) + " evenly.",
            "Take a number of heads that divides hidden."));
    if (model.layers < stages)
        findings.push_back(errorAt("/model/layers", "model/layers",
            "The model has " + std::to_string(model.layers) + " layers, but the pipeline has " + std::to_string(stages)
                + " stages, and no stage may be empty.",
            "Raise model.layers to " + std::to_string(stages) + " or more, or use fewer stages."));
}

void appendCutFaults(
    const std::vector<std::int32_t>& layers, const Model& model, std::int32_t stages, Findings& findings)
{
    const auto wrong = [&findings](std::string message) {
        findings.push_back(errorAt("/training/layers_per_stage", "training/layers-per-stage", std::move(message),
            "Give one number of layers, at least 1, per stage, all layers together; or leave the key out."));
    };
    if (std::cmp_not_equal(layers.size(), stages))
        return wrong("training.layers_per_stage has " + std::to_string(layers.size()) + " entries for "
            + std::to_string(stages) + " stages.");
    const auto empty = std::ranges::find_if(layers, [](std::int32_t n) { return n < 1; });
    if (empty != layers.end())
        return wrong("training.layers_per_stage leaves stage " + std::to_string(empty - layers.begin()) + " empty.");
    const std::int64_t sum = std::accumulate(layers.begin(), layers.end(), std::int64_t { 0 });
    if (sum != model.layers)
        wrong("training.layers_per_stage has " + std::to_string(sum) + " layers in all, the model "
            + std::to_string(model.layers) + ".");
}

} // namespace

Findings check(const Model& model, const std::vector<std::int32_t>& layersPerStage, std::int32_t stages)
{
    Findings findings;
    appendModelFaults(model, stages, findings);
    if (findings.empty() && !layersPerStage.empty())
        appendCutFaults(layersPerStage, model, stages, findings);
    return findings;
}

} // namespace pipeloom
