// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/torch_work.h"

#include "executor/message_kind.h"
#include "executor/torch/adamw.h"
#include "executor/torch/counting_allocator.h"
#include "executor/torch/on_gpu.h"
#include "executor/torch/process.h"

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

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
    Payload payload;
    payload.bytes = static_cast<Bytes>(tensor.nbytes());
    payload.data = static_cast<std::byte*>(tensor.mutable_data_ptr());
    payload.tensor = std::make_shared<at::Tensor>(std::move(tensor));
    return payload;
}

Payload payloadOnGpu(at::Tensor tensor, gpu::SharedEvent ready)
{
    Payload payload;
    payload.bytes = static_cast<Bytes>(tensor.nbytes());
    payload.onGpu = tensor.mutable_data_ptr();
    payload.ready = std::move(ready);
    payload.tensor = std::make_shared<at::Tensor>(std::move(tensor));
    return payload;
}

/// The libraries of linear algebra take a workspace for each stream at its first use and keep it: it is no pass's.
void takeWorkspaces(at::Device device, at::ScalarType type)
{
    const MemoryScope uncounted(nullptr, MemoryClass::Activations);
    constexpr std::int64_t size = 16;
    const at::Tensor full = at::ones({ size, size }, at::TensorOptions(at::kFloat).device(device));
    for (const at::Tensor& x : { full, full.to(type) })
        static_cast<void>(at::linear(at::mm(x, x), x));
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
    , gpu_(setup_.place.of(device))
    , account_(std::make_shared<MemoryAccount>(
          deviceOf(gpu_.get()).is_cpu() ? MemoryAccount::Of::Host : MemoryAccount::Of::Gpu))
{
    if (gpu_)
        streams_ = std::make_unique<gpu::PassStreams>(*gpu_, stages);
    for (const StageId id : stages) {
        const auto onStream = this->onStream(id);
        stages_.push_back(std::make_unique<Stage>(setup_, id, account_, deviceOf(gpu_.get())));
        if (!deviceOf(gpu_.get()).is_cpu())
            takeWorkspaces(deviceOf(gpu_.get()), activationType(setup_));
    }
    account_->resetPeaks();
}

void TorchWork::beginStep(std::int64_t step)
{
    if (streams_)
        streams_->beginStep();
    for (const auto& stage : stages_) {
        const auto onStream = this->onStream(stage->id());
        stage->beginStep(step);
    }
}

c10::OptionalStreamGuard TorchWork::onStream(StageId stage) const
{
    return c10::OptionalStreamGuard(streams_ ? torchStream(gpu_.get(), streams_->of(stage)) : std::nullopt);
}

Payload TorchWork::run(const Pass& pass, Payload input)
{
    const MemoryScope scope(account_, MemoryClass::Activations);
    if (gpu_) {
        try {
            return runOnGpu(pass, std::move(input));
        } catch (const c10::OutOfMemoryError&) {
            throw std::bad_alloc();
        }
    }
    // Taken over from the receive buffer: from here on it is the pass's own, for as long as it keeps it.
    adopt(input, MemoryClass::Activations);
    Payload output = payloadOf(runPass(pass, tensorOf(input)));
    input = {};
    adopt(output, MemoryClass::Passing);
    return output;
}

Payload TorchWork::runOnGpu(const Pass& pass, Payload input)
{
    const auto onStream = this->onStream(pass.stage);
    const auto stream = streams_->of(pass.stage);
    at::Tensor x = takeOver(input, pass.stage);
    streams_->begin(pass, input.ready);
    at::Tensor y = runPass(pass, x);
    if (y.defined() && !y.is_contiguous())
        y = y.clone(at::MemoryFormat::Contiguous);
    auto ended = streams_->end();
    x.reset();
    input = {};
    if (!y.defined())
        return {};
    if (setup_.place.messagesOnHost)
        return messageOnHost(y, stream);
    Payload output = payloadOnGpu(std::move(y), std::move(ended));
    adopt(output, MemoryClass::Passing);
    return output;
}

/// As this device's own, on the GPU.
at::Tensor TorchWork::takeOver(const Payload& input, StageId stage)
{
    at::Tensor x = tensorOf(input);
    if (!x.defined())
        return x;
    if (setup_.place.messagesOnHost)
        arriving_.push_back(input);
    if (x.device() != deviceOf(gpu_.get()))
        return x.to(deviceOf(gpu_.get()), /*non_blocking=*/true);
    adopt(input, MemoryClass::Activations);
    // Its memory belongs to the stream that made it, and is not to be given away there while this one reads it.
    if (const auto stream = torchStream(gpu_.get(), streams_->of(stage)))
        x.record_stream(*stream);
    return x;
}

Payload TorchWork::messageOnHost(const at::Tensor& tensor, gpu::Stream stream)
{
    at::Tensor copy = framedOnHost(*gpu_, tensor.sizes(), tensor.scalar_type());
    Payload payload;
    payload.bytes = static_cast<Bytes>(copy.nbytes());
    payload.data = static_cast<std::byte*>(copy.mutable_data_ptr());
    gpu_->copy(stream, payload.data, tensor.const_data_ptr(), static_cast<std::size_t>(payload.bytes));
    payload.tensor = std::make_shared<at::Tensor>(std::move(copy));
    leaving_.push_back(streams_->mark(stream));
    return payload;
}

void TorchWork::endSlot()
{
    if (!streams_)
        return;
    streams_->endSlot();
    if (!setup_.place.runsAhead)
        streams_->awaitSlot();
    for (const auto& copied : std::exchange(leaving_, {}))
        while (!gpu_->hasHappened(*copied))
            std::this_thread::yield();
    arriving_.clear();
}

std::vector<RanPass> TorchWork::takeEnded() { return streams_ ? streams_->takeEnded() : std::vector<RanPass>(); }

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
    const auto onStream = this->onStream(stage);
    // From a GPU they go by the host, once a step.
    return payloadOf(this->stage(stage).packedGradients().to(at::kCPU));
}

void TorchWork::setGradients(StageId stage, const std::vector<Payload>& gradients)
{
    const at::NoGradGuard noGraph;
    const auto onStream = this->onStream(stage);
    std::vector<at::Tensor> packed;
    for (const Payload& payload : gradients)
        packed.push_back(tensorOf(payload).to(deviceOf(gpu_.get())));
    this->stage(stage).setGradients(packed);
}

std::vector<StageSums> TorchWork::sums()
{
    std::vector<StageSums> sums;
    for (const auto& stage : stages_) {
        const auto onStream = this->onStream(stage->id());
        sums.push_back(stage->sums());
    }
    return sums;
}

void TorchWork::optimizerStep(std::int64_t step, double scale)
{
    const MemoryScope scope(account_, MemoryClass::Optimizer);
    for (const auto& stage : stages_) {
        const auto onStream = this->onStream(stage->id());
        adamwStep(stage->parameters(), setup_.training, step, scale);
        clearGradients(stage->parameters());
    }
}

void TorchWork::optimizerStepAhead(std::int64_t step)
{
    const MemoryScope scope(account_, MemoryClass::Optimizer);
    for (const auto& stage : stages_) {
        const auto onStream = this->onStream(stage->id());
        keepBefore(stage->parameters());
        adamwStep(stage->parameters(), setup_.training, step, 1);
    }
}

void TorchWork::undoStep()
{
    for (const auto& stage : stages_) {
        const auto onStream = this->onStream(stage->id());
        restoreBefore(stage->parameters());
    }
}

std::string TorchWork::notFinite(StageId id) const
{
    const auto onStream = this->onStream(id);
    return stage(id).notFinite();
}

void TorchWork::discardStep()
{
    for (const auto& stage : stages_) {
        const auto onStream = this->onStream(stage->id());
        clearGradients(stage->parameters());
    }
}

Payload TorchWork::receiveBuffer(const Pass& of)
{
    const MemoryScope scope(account_, MemoryClass::Passing);
    if (messageKind(of) == MessageKind::WeightGradients)
        return payloadOf(at::empty({ setup_.parametersOf(of.stage) }, at::kFloat));
    const Model& model = setup_.model;
    const std::array<std::int64_t, 3> shape { model.microBatchSize, model.sequence, model.hidden };
    const auto type = activationType(setup_);
    if (!gpu_)
        return payloadOf(at::empty(shape, type));
    if (setup_.place.messagesOnHost) {
        const at::Tensor onHost = framedOnHost(*gpu_, shape, type);
        Payload payload;
        payload.bytes = static_cast<Bytes>(onHost.nbytes());
        payload.data = static_cast<std::byte*>(onHost.mutable_data_ptr());
        payload.tensor = std::make_shared<at::Tensor>(onHost);
        return payload;
    }
    const StageId taker(of.stage.value + (of.kind == PassKind::F ? 1 : -1));
    const auto onStream = this->onStream(taker);
    auto buffer = at::empty(shape, at::TensorOptions(type).device(deviceOf(gpu_.get())));
    return payloadOnGpu(std::move(buffer), streams_->mark(streams_->of(taker)));
}

void TorchWork::adopt(const Payload& payload, MemoryClass use) { relabel(tensorOf(payload), account_, use); }

std::vector<NamedValues> TorchWork::parameters() const
{
    std::vector<NamedValues> all;
    for (const auto& stage : stages_) {
        const auto onStream = this->onStream(stage->id());
        for (const Parameter& parameter : stage->parameters())
            all.push_back({ parameter.plan.name, hostValues(parameter.value) });
    }
    return all;
}

std::vector<NamedValues> TorchWork::gradients() const
{
    std::vector<NamedValues> all;
    for (const auto& stage : stages_) {
        const auto onStream = this->onStream(stage->id());
        for (const Parameter& parameter : stage->parameters())
            all.push_back({ parameter.plan.name, hostValues(parameter.gradient) });
    }
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
