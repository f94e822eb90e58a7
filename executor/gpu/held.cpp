// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/gpu/held.h"

#include <cmath>
#include <utility>

namespace pipeloom::executor::gpu {

namespace {

/// Something to hand over: nobody looks into it.
Payload token(SharedEvent ready)
{
    Payload payload;
    payload.tensor = std::make_shared<char>();
    payload.bytes = 1;
    payload.onGpu = payload.tensor.get();
    payload.ready = std::move(ready);
    return payload;
}

std::chrono::nanoseconds lengthOf(const Costs& costs, Ticks ticks)
{
    return std::chrono::nanoseconds(std::llround(static_cast<double>(ticks) * costs.tickUs * 1000));
}

} // namespace

std::chrono::nanoseconds HeldPlan::lengthOf(const Pass& pass) const
{
    return gpu::lengthOf(costs, costs.ticks.of(pass.kind, pass.stage));
}

std::chrono::nanoseconds HeldPlan::transferOf(const Pass& pass) const
{
    if (pass.kind == PassKind::W)
        return {};
    const auto boundary = pass.kind == PassKind::F ? pass.stage.value : pass.stage.value - 1;
    return gpu::lengthOf(costs, network.transferTicks(StageId(boundary)));
}

HeldWork::HeldWork(std::shared_ptr<Gpu> gpu, HeldPlan plan, DeviceId device)
    : gpu_(std::move(gpu))
    , plan_(std::move(plan))
    , streams_(*gpu_, plan_.pipeline.stagesOn(device))
{
}

void HeldWork::beginStep(std::int64_t) { streams_.beginStep(); }

Payload HeldWork::run(const Pass& pass, Payload input)
{
    const auto stream = streams_.of(pass.stage);
    streams_.begin(pass, input.ready);
    gpu_->hold(stream, plan_.lengthOf(pass));
    auto ended = streams_.end();
    const bool isLast = pass.stage.value == plan_.pipeline.stages - 1;
    const bool gives = pass.kind == PassKind::F ? !isLast : givesInputGradient(pass.kind) && pass.stage.value > 0;
    return gives ? token(std::move(ended)) : Payload {};
}

Payload HeldWork::packGradients(StageId stage) { return token(streams_.mark(streams_.of(stage))); }

std::vector<StageSums> HeldWork::sums()
{
    streams_.awaitSlot();
    return {};
}

Payload HeldWork::receiveBuffer(const Pass&) { return token(nullptr); }

HeldEnd::HeldEnd(std::unique_ptr<Transport> end, std::shared_ptr<Gpu> gpu, HeldPlan plan)
    : end_(std::move(end))
    , gpu_(std::move(gpu))
    , plan_(std::move(plan))
    , events_(*gpu_)
{
}

void HeldEnd::send(DeviceId to, const Pass& of, Payload result)
{
    const auto time = plan_.transferOf(of);
    if (time.count() > 0) {
        const std::tuple key { to, of.kind == PassKind::F };
        auto place = channels_.find(key);
        if (place == channels_.end())
            place = channels_.emplace(key, gpu_->newStream()).first;
        if (result.ready)
            gpu_->waitFor(place->second, *result.ready);
        gpu_->hold(place->second, time);
        result.ready = events_.record(place->second);
    }
    end_->send(to, of, std::move(result));
}

} // namespace pipeloom::executor::gpu
