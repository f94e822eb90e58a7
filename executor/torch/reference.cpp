// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The same model unpipelined: one thread, micro-batches in order, LibTorch's own gradients for every weight.

#include "executor/model/batch.h"
#include "executor/model/parameters.h"
#include "executor/torch/process.h"
#include "executor/torch/transformer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

namespace pipeloom::executor {

namespace {

using Views = std::unordered_map<std::string, std::span<const float>>;

Views byName(std::span<const ModelValues> devices, std::vector<NamedValues> ModelValues::*what)
{
    Views all;
    for (const ModelValues& device : devices)
        for (const NamedValues& entry : device.*what)
            all.emplace(entry.name, entry.values);
    return all;
}

/// The parameters that the devices have, as leaves of LibTorch's graph.
std::vector<Parameter> leaves(const ModelSetup& setup, std::span<const ModelValues> devices)
{
    const Views values = byName(devices, &ModelValues::parameters);
    std::vector<Parameter> parameters;
    for (const ParameterPlan& plan : setup.parameters) {
        const at::Tensor value = at::empty(plan.shape, at::kFloat);
        std::ranges::copy(values.at(plan.name), value.mutable_data_ptr<float>());
        Parameter& parameter = parameters.emplace_back();
        parameter.plan = plan;
        parameter.value = value.set_requires_grad(true);
    }
    return parameters;
}

at::Tensor matrix(const std::vector<std::int64_t>& values, const Model& model)
{
    return at::tensor(values).view({ model.microBatchSize, model.sequence });
}

/// Adds a micro-batch's gradients to those of the leaves; gives its loss, summed over its tokens.
double runMicroBatch(const ModelSetup& setup, const Batch& batch, std::span<Parameter> parameters)
{
    at::Tensor x = embedded(matrix(batch.tokens, setup.model), parameters[0], parameters[1]);
    std::span<Parameter> rest = parameters.subspan(2);
    for (std::int32_t i = 0; i < setup.model.layers; ++i, rest = rest.subspan(parametersPerLayer))
        x = layer(x, rest.first(parametersPerLayer), setup.model.heads, nullptr);
    const at::Tensor loss = lossSum(x, rest[0], rest[1], matrix(batch.targets, setup.model), nullptr);
    (loss / static_cast<double>(setup.tokensPerStep())).backward();
    return loss.item<double>();
}

/// |a - b| / |b|; 0 if both are nothing.
double relativeError(std::span<const float> a, std::span<const float> b)
{
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
        norm += std::pow(static_cast<double>(b[i]), 2);
    }
    return difference == 0 ? 0 : std::sqrt(difference / norm);
}

void takeIfWorse(double error, const std::string& name, Verification& result)
{
    // NaN is the worst and stays.
    if (std::isnan(result.worst) || error <= result.worst)
        return;
    result.worst = error;
    result.parameter = name;
}

} // namespace

ModelValues valuesOf(const ModelWork& work) { return { work.parameters(), work.gradients() }; }

Verification verify(const ModelSetup& setup, std::int64_t step, std::span<const ModelValues> devices, double lossSum)
{
    prepareThread(setup.intraOpThreads);
    std::vector<Parameter> parameters = leaves(setup, devices);
    double referenceSum = 0;
    for (std::int32_t j = 0; j < setup.microBatches; ++j)
        referenceSum += runMicroBatch(setup, batch(setup, step, MicroBatch(j)), parameters);

    const auto tokens = static_cast<double>(setup.tokensPerStep());
    Verification result;
    result.loss = lossSum / tokens;
    result.referenceLoss = referenceSum / tokens;
    result.parameter = "loss";
    result.worst = std::abs(lossSum - referenceSum) / std::abs(referenceSum);
    const Views gradients = byName(devices, &ModelValues::gradients);
    for (const Parameter& parameter : parameters) {
        const at::Tensor& expected = parameter.value.grad();
        const std::span<const float> reference(
            expected.const_data_ptr<float>(), static_cast<std::size_t>(expected.numel()));
        takeIfWorse(relativeError(gradients.at(parameter.plan.name), reference), parameter.plan.name, result);
    }
    return result;
}

} // namespace pipeloom::executor
