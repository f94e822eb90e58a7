// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/model/parameters.h"

#include "executor/model/random.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::executor {

namespace {

void appendLayer(std::vector<ParameterPlan>& plans, std::int32_t layer, StageId stage, std::int64_t hidden)
{
    const std::string name = "layer " + std::to_string(layer) + " ";
    plans.push_back({ name + "first norm", stage, ParameterKind::Norm, { hidden } });
    plans.push_back({ name + "qkv", stage, ParameterKind::Matrix, { 3 * hidden, hidden } });
    plans.push_back({ name + "projection", stage, ParameterKind::ResidualMatrix, { hidden, hidden } });
    plans.push_back({ name + "second norm", stage, ParameterKind::Norm, { hidden } });
    plans.push_back({ name + "mlp in", stage, ParameterKind::Matrix, { 4 * hidden, hidden } });
    plans.push_back({ name + "mlp out", stage, ParameterKind::ResidualMatrix, { hidden, 4 * hidden } });
}

} // namespace

std::vector<ParameterPlan> parameterPlans(const Model& model, const std::vector<std::int32_t>& layersPerStage)
{
    const std::int64_t hidden = model.hidden;
    const StageId last(layersPerStage.size() - 1);
    std::vector<ParameterPlan> plans;
    plans.push_back({ "embedding", StageId(0), ParameterKind::Embedding, { model.vocabulary, hidden } });
    plans.push_back({ "positions", StageId(0), ParameterKind::Embedding, { model.sequence, hidden } });
    std::int32_t layer = 0;
    for (std::size_t stage = 0; stage < layersPerStage.size(); ++stage)
        for (std::int32_t i = 0; i < layersPerStage[stage]; ++i)
            appendLayer(plans, layer++, StageId(stage), hidden);
    plans.push_back({ "last norm", last, ParameterKind::Norm, { hidden } });
    plans.push_back({ "head", last, ParameterKind::Matrix, { model.vocabulary, hidden } });
    return plans;
}

bool hasRoundedCopy(const ParameterPlan& plan, Precision precision)
{
    const bool isMatrix = plan.kind == ParameterKind::Matrix || plan.kind == ParameterKind::ResidualMatrix;
    return precision == Precision::Bf16 && isMatrix;
}

void fillFirstValues(std::span<float> values, const ParameterPlan& plan, const ModelSetup& setup)
{
    if (plan.kind == ParameterKind::Norm) {
        std::ranges::fill(values, 1.0F);
        return;
    }
    // Two additions per layer: so narrow that their sum over all layers starts about as wide as one of them.
    const double deviation
        = plan.kind == ParameterKind::ResidualMatrix ? 0.02 / std::sqrt(2.0 * setup.model.layers) : 0.02;
    const auto seed = static_cast<std::uint64_t>(setup.training.seed);
    fillNormal(values, deviation, mixed({ numberOf("parameter"), seed, numberOf(plan.name) }));
}

std::int64_t ParameterPlan::elements() const
{
    std::int64_t product = 1;
    for (const std::int64_t length : shape)
        product *= length;
    return product;
}

std::int64_t ModelSetup::parametersOf(StageId stage) const
{
    std::int64_t elements = 0;
    for (const ParameterPlan& plan : parameters)
        elements += plan.stage == stage ? plan.elements() : 0;
    return elements;
}

Bytes ModelSetup::staticBytes(StageId stage) const
{
    Bytes bytes = 0;
    for (const ParameterPlan& plan : parameters)
        if (plan.stage == stage) // beside the weights a gradient and what the optimizer keeps
            bytes += weightBytes(plan) + (1 + optimizerCopies()) * plan.elements() * static_cast<Bytes>(sizeof(float));
    return bytes;
}

Bytes ModelSetup::weightBytes(const ParameterPlan& plan) const
{
    return plan.elements() * (static_cast<Bytes>(sizeof(float)) + (hasRoundedCopy(plan, training.precision) ? 2 : 0));
}

Bytes ModelSetup::messageBytes() const
{
    const Bytes each = training.precision == Precision::Bf16 ? 2 : sizeof(float);
    return each * model.microBatchSize * model.sequence * model.hidden;
}

std::int64_t ModelSetup::tokensPerMicroBatch() const
{
    return static_cast<std::int64_t>(model.microBatchSize) * model.sequence;
}

std::int64_t ModelSetup::tokensPerStep() const { return tokensPerMicroBatch() * microBatches; }

} // namespace pipeloom::executor
