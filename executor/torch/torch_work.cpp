// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/torch_work.h"

#include "executor/message_kind.h"
#include "executor/torch/adamw.h"
#include "executor/torch/counting_allocator.h"
#include "executor/torch/process.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <stdexcept>

namespace pipeloom::executor {

namespace {

at::Tensor tensorOf(const Payload& payload)
{
    return payload ? *static_cast<const at::Tensor*>(payload.tensor.get()) : at::Tensor {};
}

Payload payloadOf(at::Tensor tensor)
{
    if (!tensor.defined())
        return {};
    if (!hasFrame(tensor))
        tensor = tensor.clone(at::MemoryFormat::Contiguous);
    const auto bytes = static_cast<Bytes>(tensor.nbytes());
    auto* data = static_cast<std::byte*>(tensor.mutable_data_ptr());
    return { std::make_shared<at::Tensor>(std::move(tensor)), bytes, data };
}

NamedValues valuesOf(const std::string& name, const at::Tensor& tensor)
{
    const auto* values = tensor.const_data_ptr<float>();
    return { name, { values, values + tensor.numel() } };
}

} // namespace

std::unique_ptr<ModelWork> makeModelWork(const ModelSetup& setup, DeviceId device, std::vector<StageId> stages)
{
    prepareThread(setup.intraOpThreads);
    return std::make_unique<TorchWork>(setup, device, stages);
}

TorchWork::TorchWork(ModelSetup setup, DeviceId device, std::span<const StageId> stages)
    : setup_(std::move(setup))
    , device_(device)
{
    for (const StageId id : stages)
        stages_.push_back(std::make_unique<Stage>(setup_, id, account_));
    account_->resetPeaks();
}

void TorchWork::beginStep(std::int64_t step)
{
    for (const auto& stage : stages_)
        stage->beginStep(step);
}

Payload TorchWork::run(const Pass& pass, Payload input)
{
    const MemoryScope scope(account_, MemoryClass::Activations);
    // Taken over from the receive buffer: from here on it is the pass's own, for as long as it keeps it.
    adopt(input, MemoryClass::Activations);
    Payload output = payloadOf(runPass(pass, tensorOf(input)));
    input = {};
    adopt(output, MemoryClass::Passing);
    return output;
}

at::Tensor TorchWork::runPass(const Pass& pass, const at::Tensor& input)
{
    Stage& stage = this->stage(pass.stage);
    switch (pass.kind) {
    case PassKind::F:
        return stage.forward(pass.microBatch, input);
    case PassKind::B:
        return stage.backward(pass.microBatch, input, WeightGradients::When::Later);
    case PassKind::BW:
        return stage.backward(pass.microBatch, input, WeightGradients::When::AtOnce);
    case PassKind::W:
        stage.accumulateWeights(pass.microBatch);
        return {};
    case PassKind::None:
        break;
    }
    throw std::logic_error("A pass of no kind cannot be run.");
}

Payload TorchWork::packGradients(StageId stage)
{
    const at::NoGradGuard noGraph;
    const MemoryScope scope(account_, MemoryClass::Passing);
    return payloadOf(this->stage(stage).packedGradients());
}

void TorchWork::setGradients(StageId stage, const std::vector<Payload>& gradients)
{
    const at::NoGradGuard noGraph;
    std::vector<at::Tensor> packed;
    for (const Payload& payload : gradients)
        packed.push_back(tensorOf(payload));
    this->stage(stage).setGradients(packed);
}

std::vector<StageSums> TorchWork::sums()
{
    std::vector<StageSums> sums;
    for (const auto& stage : stages_)
        sums.push_back(stage->sums());
    return sums;
}

void TorchWork::optimizerStep(std::int64_t step, double scale)
{
    const MemoryScope scope(account_, MemoryClass::Optimizer);
    for (const auto& stage : stages_)
        adamwStep(stage->parameters(), setup_.training, step, scale);
}

Payload TorchWork::receiveBuffer(const Pass& of)
{
    const MemoryScope scope(account_, MemoryClass::Passing);
    if (messageKind(of) == MessageKind::WeightGradients)
        return payloadOf(at::empty({ setup_.parametersOf(of.stage) }, at::kFloat));
    const Model& model = setup_.model;
    return payloadOf(at::empty({ model.microBatchSize, model.sequence, model.hidden }, activationType(setup_)));
}

void TorchWork::adopt(const Payload& payload, MemoryClass use) { relabel(tensorOf(payload), account_, use); }

std::vector<NamedValues> TorchWork::parameters() const
{
    std::vector<NamedValues> all;
    for (const auto& stage : stages_)
        for (const Parameter& parameter : stage->parameters())
            all.push_back(valuesOf(parameter.plan.name, parameter.value));
    return all;
}

std::vector<NamedValues> TorchWork::gradients() const
{
    std::vector<NamedValues> all;
    for (const auto& stage : stages_)
        for (const Parameter& parameter : stage->parameters())
            all.push_back(valuesOf(parameter.plan.name, parameter.gradient));
    return all;
}

Stage& TorchWork::stage(StageId id) const
{
    const auto place = std::ranges::find_if(stages_, [id](const auto& stage) { return stage->id() == id; });
    if (place == stages_.end())
        throw std::logic_error(
            "Stage " + std::to_string(id.value) + " is not on device " + std::to_string(device_.value) + ".");
    return **place;
}

} // namespace pipeloom::executor
