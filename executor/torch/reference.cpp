// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The same model unpipelined: one thread, micro-batches in order, LibTorch's own gradients for every weight.

#include "executor/model/batch.h"
#include "executor/model/parameters.h"
#include "executor/torch/on_gpu.h"
#include "executor/torch/process.h"
#include "executor/torch/transformer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace pipeloom::executor {

namespace {

using Views = std::unordered_map<std::string, std::span<const float>>;

/// Of a stage that several devices hold those of the first, which are those of all.
Views parametersByName(std::span<const ModelValues> devices)
{
    Views all;
    for (const ModelValues& device : devices)
        for (const NamedValues& entry : device.parameters)
            all.emplace(entry.name, entry.values);
    return all;
}

/// That of device 0, so that the same kernels add in the same order.
at::Device referenceDevice(const ModelSetup& setup) { return deviceOf(setup.place.of(DeviceId(0)).get()); }

/// The parameters that the devices have, as leaves of LibTorch's graph.
std::vector<Parameter> leaves(const ModelSetup& setup, std::span<const ModelValues> devices)
{
    const Views values = parametersByName(devices);
    std::vector<Parameter> parameters;
    for (const ParameterPlan& plan : setup.parameters) {
        at::Tensor value = at::empty(plan.shape, at::TensorOptions(at::kFloat).device(referenceDevice(setup)));
        assign(value, values.at(plan.name));
        Parameter& parameter = parameters.emplace_back();
        parameter.plan = plan;
        parameter.value = value.set_requires_grad(true);
    }
    return parameters;
}

at::Tensor matrix(const std::vector<std::int64_t>& values, const ModelSetup& setup)
{
    return at::tensor(values).view({ setup.model.microBatchSize, setup.model.sequence }).to(referenceDevice(setup));
}

/// Adds a micro-batch's gradients to those of the leaves; gives its loss, summed over its tokens.
double runMicroBatch(const ModelSetup& setup, const Batch& batch, std::span<Parameter> parameters)
{
    // As the devices round their copies, so does the graph, anew for each micro-batch, as backward() uses it up.
    for (Parameter& parameter : parameters)
        parameter.working = hasRoundedCopy(parameter.plan, setup.training.precision) ? parameter.value.to(at::kBFloat16)
                                                                                     : parameter.value;
    at::Tensor x = embedded(matrix(batch.tokens, setup), parameters[0], parameters[1], activationType(setup));
    std::span<Parameter> rest = parameters.subspan(2);
    for (std::int32_t i = 0; i < setup.model.layers; ++i, rest = rest.subspan(parametersPerLayer))
        x = layer(x, rest.first(parametersPerLayer), setup.model.heads, nullptr);
    const at::Tensor loss = lossSum(x, rest[0], rest[1], matrix(batch.targets, setup), nullptr);
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
    result.tolerance = Verification::toleranceOf(setup.training.precision);
    result.loss = lossSum / tokens;
    result.referenceLoss = referenceSum / tokens;
    result.parameter = "loss";
    result.worst = std::abs(lossSum - referenceSum) / std::abs(referenceSum);
    std::unordered_map<std::string, std::vector<float>> expected;
    for (const Parameter& parameter : parameters)
        expected.emplace(parameter.plan.name, hostValues(parameter.value.grad()));
    std::unordered_set<std::string> compared;
    // Of a stage that several devices hold each has to have them right.
    for (const ModelValues& device : devices)
        for (const NamedValues& found : device.gradients) {
            takeIfWorse(relativeError(found.values, expected.at(found.name)), found.name, result);
            compared.insert(found.name);
        }
    for (const Parameter& parameter : parameters)
        if (!compared.contains(parameter.plan.name))
            throw std::logic_error("No device has a gradient of " + parameter.plan.name + ".");
    return result;
}

} // namespace pipeloom::executor
