// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/stage.h"

#include "executor/model/batch.h"
#include "executor/model/parameters.h"
#include "executor/torch/on_gpu.h"
#include "executor/torch/transformer.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/engine.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace pipeloom::executor {

namespace {

using torch::autograd::Edge;

std::vector<Parameter> makeParameters(
    const ModelSetup& setup, StageId stage, const std::shared_ptr<MemoryAccount>& account, at::Device device)
{
    const auto options = at::TensorOptions(at::kFloat).device(device);
    std::vector<Parameter> parameters;
    for (const ParameterPlan& plan : setup.parameters) {
        if (plan.stage != stage)
            continue;
        Parameter& parameter = parameters.emplace_back();
        parameter.plan = plan;
        {
            const MemoryScope scope(account, MemoryClass::Weights);
            const auto values = at::empty(plan.shape, at::kFloat);
            const auto elements = static_cast<std::size_t>(plan.elements());
            fillFirstValues({ values.mutable_data_ptr<float>(), elements }, plan, setup);
            parameter.value = values.to(device);
            parameter.working
                = hasRoundedCopy(plan, setup.training.precision) ? parameter.value.to(at::kBFloat16) : parameter.value;
        }
        {
            const MemoryScope scope(account, MemoryClass::Gradients);
            parameter.gradient = at::zeros(plan.shape, options);
        }
        const MemoryScope scope(account, MemoryClass::Optimizer);
        parameter.firstMoment = at::zeros(plan.shape, options);
        parameter.secondMoment = at::zeros(plan.shape, options);
        if (setup.stepsAhead)
            parameter.before
                = { at::empty(plan.shape, options), at::empty(plan.shape, options), at::empty(plan.shape, options) };
    }
    return parameters;
}

/// On a GPU: in double, in whatever order its kernels add.
double squaredNormOnGpu(std::span<const Parameter> parameters)
{
    std::vector<at::Tensor> norms;
    for (const Parameter& parameter : parameters)
        norms.push_back(at::linalg_vector_norm(parameter.gradient, 2, {}, false, at::kDouble));
    return at::stack(norms).square().sum().item<double>();
}

/// In double, in eight sums so that additions need not wait for each other; always in the same order.
double squaredNorm(const at::Tensor& tensor)
{
    const auto* values = tensor.const_data_ptr<float>();
    const auto size = static_cast<std::size_t>(tensor.numel());
    std::array<double, 8> sums {};
    for (std::size_t i = 0; i < size; ++i)
        sums[i % 8] += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    double sum = 0;
    for (const double part : sums)
        sum += part;
    return sum;
}

bool isFinite(const at::Tensor& tensor)
{
    return tensor.is_cpu() ? std::isfinite(squaredNorm(tensor)) : at::isfinite(tensor).all().item<bool>();
}

} // namespace

/// The graph is held by its two ends only: its inner edges keep what going backward needs, and the output itself is the
/// next stage's.
struct Stage::Held {
    at::Tensor tokens;         ///< stage 0
    WeightGradients gradients; ///< outlives the graph, which refers to it
    Edge input;
    Edge output;
    bool wentBackward = false;
};

Stage::Stage(const ModelSetup& setup, StageId stage, const std::shared_ptr<MemoryAccount>& account, at::Device device)
    : setup_(&setup)
    , stage_(stage)
    , device_(device)
    , parameters_(makeParameters(setup, stage, account, device))
{
}

Stage::~Stage() = default;

void Stage::beginStep(std::int64_t step)
{
    step_ = step;
    microBatches_ = 0;
    held_.clear();
    lossSums_.assign(isLast() ? static_cast<std::size_t>(setup_->microBatches) : 0, 0);
    if (!device_.is_cpu())
        sendBatches();
}

void Stage::sendBatches()
{
    std::vector<at::Tensor> tokens;
    std::vector<at::Tensor> targets;
    for (std::int32_t j = 0; (isFirst() || isLast()) && j < setup_->microBatches; ++j) {
        const Batch batch = executor::batch(*setup_, step_, MicroBatch(j));
        tokens.push_back(integers(batch.tokens));
        targets.push_back(integers(batch.targets));
    }
    const MemoryScope uncounted(nullptr, MemoryClass::Activations); // no pass's, and small
    if (isFirst())
        stepTokens_ = at::stack(tokens).to(device_);
    if (!isLast())
        return;
    stepTargets_ = at::stack(targets).to(device_);
    stepLosses_ = at::zeros({ setup_->microBatches }, at::TensorOptions(at::kDouble).device(device_));
}

void Stage::keepLoss(MicroBatch microBatch, const at::Tensor& loss)
{
    const at::NoGradGuard noGraph;
    if (stepLosses_.defined())
        stepLosses_[microBatch.value].copy_(loss);
    else
        lossSums_.at(microBatch.index()) = loss.item<double>();
}

at::Tensor Stage::integers(const std::vector<std::int64_t>& values) const
{
    at::Tensor result = at::empty({ setup_->model.microBatchSize, setup_->model.sequence }, at::kLong);
    std::ranges::copy(values, result.mutable_data_ptr<std::int64_t>());
    return result;
}

at::Tensor Stage::layers(at::Tensor x, WeightGradients& gradients)
{
    std::span<Parameter> rest = parameters_;
    rest = rest.subspan(isFirst() ? 2 : 0);
    for (std::int32_t i = setup_->layersPerStage[stage_.index()]; i > 0; --i) {
        x = layer(x, rest.first(parametersPerLayer), setup_->model.heads, &gradients);
        rest = rest.subspan(parametersPerLayer);
    }
    return x;
}

at::Tensor Stage::forward(MicroBatch microBatch, const at::Tensor& input)
{
    auto [place, fresh] = held_.try_emplace(microBatch.value);
    if (!fresh)
        fail(microBatch, "F", "has run before and its W has not");
    place->second = std::make_unique<Held>();
    ++microBatches_;
    Held& held = *place->second;
    const bool takesBatch = (isFirst() || isLast()) && device_.is_cpu();
    const Batch batch = takesBatch ? executor::batch(*setup_, step_, microBatch) : Batch {};

    // The way backward ends at this stage's input, so the graph begins there; at stage 0 behind the embedding, whose
    // gradient needs no graph.
    at::Tensor x = input;
    if (isFirst()) {
        held.tokens = takesBatch ? integers(batch.tokens) : stepTokens_[microBatch.value];
        x = embedded(held.tokens, parameters_[0], parameters_[1], activationType(*setup_));
    }
    x = x.detach().set_requires_grad(true);
    held.input = torch::autograd::impl::gradient_edge(x);
    x = layers(std::move(x), held.gradients);
    if (isLast()) {
        const std::size_t size = parameters_.size();
        const at::Tensor targets = takesBatch ? integers(batch.targets) : stepTargets_[microBatch.value];
        x = lossSum(x, parameters_[size - 2], parameters_[size - 1], targets, &held.gradients);
        keepLoss(microBatch, x);
    }
    held.output = torch::autograd::impl::gradient_edge(x);
    return isLast() ? at::Tensor {} : x.detach();
}

at::Tensor Stage::backward(MicroBatch microBatch, const at::Tensor& gradient, WeightGradients::When when)
{
    const char* pass = when == WeightGradients::When::AtOnce ? "BW" : "B";
    Held& held = this->held(microBatch, pass);
    if (held.wentBackward)
        fail(microBatch, pass, "comes after another B");
    held.wentBackward = true;
    held.gradients.setWhen(when);

    // The loss is a sum; its mean over the tokens of the whole step is taken here, once.
    const at::Tensor root = isLast() ? at::scalar_tensor(1.0 / static_cast<double>(setup_->tokensPerStep()),
                                at::TensorOptions(at::kFloat).device(device_))
                                     : gradient;
    at::Tensor result = torch::autograd::Engine::get_default_engine().execute(
        { std::exchange(held.output, {}) }, { root }, false, false, false, { std::exchange(held.input, {}) })[0];
    if (isFirst()) {
        held.gradients.addRows(parameters_[0], std::exchange(held.tokens, {}), result);
        held.gradients.addSum(parameters_[1], result);
        result.reset();
    }
    if (when == WeightGradients::When::AtOnce)
        held_.erase(microBatch.value);
    return result;
}

void Stage::accumulateWeights(MicroBatch microBatch)
{
    Held& held = this->held(microBatch, "W");
    if (!held.wentBackward)
        fail(microBatch, "W", "comes before its B");
    held.gradients.accumulate();
    held_.erase(microBatch.value);
}

at::Tensor Stage::packedGradients() const
{
    std::int64_t size = 0;
    for (const Parameter& parameter : parameters_)
        size += parameter.gradient.numel();
    at::Tensor packed = at::empty({ size }, parameters_.front().gradient.options());
    std::int64_t begin = 0;
    for (const Parameter& parameter : parameters_) {
        packed.narrow(0, begin, parameter.gradient.numel()).copy_(parameter.gradient.view(-1));
        begin += parameter.gradient.numel();
    }
    return packed;
}

void Stage::setGradients(std::span<const at::Tensor> packed)
{
    std::int64_t begin = 0;
    for (Parameter& parameter : parameters_) {
        const std::int64_t size = parameter.gradient.numel();
        at::Tensor gradient = parameter.gradient.view(-1);
        gradient.copy_(packed.front().narrow(0, begin, size));
        for (const at::Tensor& other : packed.subspan(1))
            gradient.add_(other.narrow(0, begin, size));
        begin += size;
    }
}

StageSums Stage::sums() const
{
    if (!held_.empty())
        throw std::logic_error("Stage " + std::to_string(stage_.value) + " ends the step, but micro-batch "
            + std::to_string(held_.begin()->first) + " has had no W.");
    StageSums sums;
    sums.stage = stage_;
    if (device_.is_cpu())
        for (const Parameter& parameter : parameters_)
            sums.squaredGradientNorm += squaredNorm(parameter.gradient);
    else
        sums.squaredGradientNorm = squaredNormOnGpu(parameters_);
    if (isLast())
        sums.tokens = microBatches_ * setup_->tokensPerMicroBatch();
    for (const double loss : lossSums_)
        sums.lossSum += loss;
    if (stepLosses_.defined())
        sums.lossSum = stepLosses_.sum().item<double>();
    return sums;
}

std::string Stage::notFinite() const
{
    for (const Parameter& parameter : parameters_)
        if (!isFinite(parameter.gradient))
            return parameter.plan.name;
    return {};
}

Stage::Held& Stage::held(MicroBatch microBatch, const char* pass)
{
    const auto place = held_.find(microBatch.value);
    if (place == held_.end())
        fail(microBatch, pass, "comes before its F, or twice");
    return *place->second;
}

void Stage::fail(MicroBatch microBatch, const char* pass, const char* why) const
{
    throw std::logic_error(
        "Pass " + std::to_string(stage_.value) + pass + std::to_string(microBatch.value) + " " + why + ".");
}

} // namespace pipeloom::executor
