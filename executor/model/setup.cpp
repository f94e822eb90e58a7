// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/model.h"
#include "executor/model/error_at.h"
#include "executor/model/parameters.h"
#include "executor/model/text.h"
#include "executor/model/training.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace pipeloom::executor {

namespace {

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

/// A weight that several devices hold needs their gradients summed, which is not offered yet.
void appendSharedStages(const Pipeline& pipeline, Findings& findings)
{
    for (std::int32_t s = 0; s < pipeline.stages; ++s)
        if (const auto devices = pipeline.devicesOf(StageId(s)); devices.size() > 1) {
            findings.push_back(errorAt("/pipeline/routes", "model/routes",
                "Stage " + std::to_string(s) + " lives on devices " + std::to_string(devices[0].value) + " and "
                    + std::to_string(devices[1].value)
                    + "; the executor cannot sum weight gradients between devices yet.",
                "Run a design with one route; this one can be checked and simulated."));
            return;
        }
}

std::string gigabytes(std::int64_t bytes) { return std::to_string((bytes + 500'000'000) / 1'000'000'000) + " GB"; }

/// What is held at the least: all static memory, and one micro-batch in the largest stage.
void appendMemoryFault(const ModelSetup& setup, Findings& findings)
{
    std::int64_t needed = 16 * setup.messageBytes() * std::ranges::max(setup.layersPerStage);
    for (const ParameterPlan& plan : setup.parameters)
        needed += 4 * static_cast<Bytes>(sizeof(float)) * plan.elements();
    const std::int64_t machine = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    if (needed > machine)
        findings.push_back(errorAt("/model", "model/memory",
            "Weights, gradients, moments and one micro-batch take at least " + gigabytes(needed) + "; this machine has "
                + gigabytes(machine) + ".",
            "Make the model smaller."));
}

Model modelOf(const Design& design)
{
    if (design.model)
        return *design.model;
    Model model = defaultModel(design.pipeline.stages);
    if (design.training && !design.training->layersPerStage.empty()) {
        const auto& layers = design.training->layersPerStage;
        const std::int64_t sum = std::accumulate(layers.begin(), layers.end(), std::int64_t { 0 });
        model.layers = static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, 1, 1 << 16));
    }
    return model;
}

std::vector<std::int32_t> layersPerStage(const Design& design, const Model& model, Findings& findings)
{
    if (!design.training || design.training->layersPerStage.empty())
        return cut(model, design.pipeline.stages);
    appendCutFaults(design.training->layersPerStage, model, design.pipeline.stages, findings);
    return design.training->layersPerStage;
}

} // namespace

Model defaultModel(std::int32_t stages)
{
    // Eight layers, or the next multiple of the stages, so that every stage has the same.
    const std::int32_t layers = (8 + stages - 1) / stages * stages;
    return { .layers = layers, .hidden = 128, .heads = 4, .sequence = 64, .microBatchSize = 2, .vocabulary = 256 };
}

SetupResult setup(const Design& design, const ModelOptions& options)
{
    SetupResult result;
    Findings& findings = result.findings;
    ModelSetup setup;
    setup.model = modelOf(design);
    setup.defaultModel = !design.model;
    setup.training = trainingSettings(design, options, findings);
    setup.stages = design.pipeline.stages;
    setup.microBatches = design.pipeline.microBatches;
    setup.intraOpThreads = std::max(1, options.intraOpThreads);
    appendSharedStages(design.pipeline, findings);
    appendModelFaults(setup.model, setup.stages, findings);
    if (hasErrors(findings))
        return result;

    setup.layersPerStage = layersPerStage(design, setup.model, findings);
    if (hasErrors(findings))
        return result;
    setup.parameters = parameterPlans(setup.model, setup.layersPerStage);
    appendMemoryFault(setup, findings);

    TextResult text
        = readText(options.data.empty() && design.training ? design.training->data : options.data, setup.model);
    append(findings, std::move(text.findings));
    setup.text = std::move(text.text);
    if (!hasErrors(findings))
        result.setup = std::move(setup);
    return result;
}

} // namespace pipeloom::executor
