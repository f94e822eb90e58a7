// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/model_check.h"
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

std::string gigabytes(std::int64_t bytes) { return std::to_string((bytes + 500'000'000) / 1'000'000'000) + " GB"; }

/// What is held at the least: all static memory, and one micro-batch in the largest stage.
void appendMemoryFault(const ModelSetup& setup, const Pipeline& pipeline, Findings& findings)
{
    std::int64_t needed = 16 * setup.messageBytes() * std::ranges::max(setup.layersPerStage);
    std::vector<std::size_t> holders;
    for (std::int32_t s = 0; s < setup.stages; ++s)
        holders.push_back(pipeline.devicesOf(StageId(s)).size());
    for (const ParameterPlan& plan : setup.parameters)
        needed += (setup.weightBytes(plan)
                      + (1 + setup.optimizerCopies()) * static_cast<Bytes>(sizeof(float)) * plan.elements())
            * static_cast<std::int64_t>(holders[plan.stage.index()]);
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

/// As the design says; empty: by cost.
std::vector<std::int32_t> wishedLayersPerStage(const Design& design)
{
    return design.training ? design.training->layersPerStage : std::vector<std::int32_t>();
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
    setup.stepsAhead = options.stepsAhead;
    setup.layersPerStage = wishedLayersPerStage(design);
    append(findings, check(setup.model, setup.layersPerStage, setup.stages));
    if (hasErrors(findings))
        return result;
    if (setup.layersPerStage.empty())
        setup.layersPerStage = cut(setup.model, setup.stages);
    setup.parameters = parameterPlans(setup.model, setup.layersPerStage);
    appendMemoryFault(setup, design.pipeline, findings);

    TextResult text
        = readText(options.data.empty() && design.training ? design.training->data : options.data, setup.model);
    append(findings, std::move(text.findings));
    setup.text = std::move(text.text);
    if (!hasErrors(findings))
        result.setup = std::move(setup);
    return result;
}

} // namespace pipeloom::executor
