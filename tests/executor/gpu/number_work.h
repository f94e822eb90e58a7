// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The model of fake_work.h as a GPU would run it: run() only puts the arithmetic on the stage's stream, so a result is there when
// its event has happened, and a message that does not wait for that carries something else.

#include "executor/gpu/pass_streams.h"
#include "tests/executor/fake_work.h"
#include "tests/executor/gpu/fake_gpu.h"

#include <limits>

namespace pipeloom::test {

class NumberWork final : public executor::DeviceWork {
public:
    NumberWork(std::shared_ptr<FakeGpu> gpu, std::int32_t stages, std::vector<StageId> own)
        : gpu_(std::move(gpu))
        , stages_(stages)
        , own_(std::move(own))
        , streams_(*gpu_, own_)
    {
    }

    static constexpr auto passTime = std::chrono::microseconds(50);

    void beginStep(std::int64_t) override { streams_.beginStep(); }

    executor::Payload run(const Pass& pass, executor::Payload input) override
    {
        const auto stage = pass.stage.value;
        const bool last = stage == stages_ - 1;
        const bool gives = pass.kind == PassKind::F ? !last : pass.kind != PassKind::W && stage > 0;
        auto output = gives ? buffer() : executor::Payload {};
        streams_.begin(pass, input.ready);
        gpu_->run(streams_.of(pass.stage), passTime, [this, pass, last, in = input.tensor, out = output.tensor] {
            compute(pass, last, static_cast<double*>(in.get()), static_cast<double*>(out.get()));
        });
        output.ready = streams_.end();
        return gives ? output : executor::Payload {};
    }
    void endSlot() override { streams_.endSlot(); }
    bool timesItself() const override { return true; }
    std::vector<executor::RanPass> takeEnded() override { return streams_.takeEnded(); }

    executor::Payload packGradients(StageId) override { throw std::logic_error("no stage is shared here"); }
    void setGradients(StageId, const std::vector<executor::Payload>&) override { }
    std::vector<executor::StageSums> sums() override
    {
        streams_.awaitSlot();
        std::vector<executor::StageSums> result;
        for (const auto stage : own_)
            result.push_back({ stage, gradients_[stage.value], stage.value == stages_ - 1 ? loss_ : 0, 1 });
        return result;
    }
    void optimizerStep(std::int64_t, double) override { discardStep(); }
    void optimizerStepAhead(std::int64_t) override { throw std::logic_error("no step is taken ahead here"); }
    void confirmStep() override { }
    void undoStep() override { }
    std::string notFinite(StageId) const override { return {}; }
    void discardStep() override
    {
        gradients_.clear();
        loss_ = 0;
        ++discarded;
    }
    executor::Payload receiveBuffer(const Pass& of) override
    {
        auto made = buffer();
        made.ready = streams_.mark(streams_.of(StageId(of.stage.value + (of.kind == PassKind::F ? 1 : -1))));
        return made;
    }
    void adopt(const executor::Payload&, executor::MemoryClass) override { }
    executor::MemoryUse memoryNow() const override { return {}; }
    executor::MemoryUse memoryPeaks() const override { return {}; }
    void resetMemoryPeaks() override { }

    int discarded = 0;

private:
    static executor::Payload buffer()
    {
        const auto made = std::make_shared<double>(std::numeric_limits<double>::quiet_NaN());
        executor::Payload payload;
        payload.tensor = made;
        payload.bytes = sizeof(double);
        payload.onGpu = made.get();
        return payload;
    }

    void compute(const Pass& pass, bool last, const double* in, double* out)
    {
        const auto stage = pass.stage.value;
        const auto key = std::pair(stage, pass.microBatch.value);
        const auto weight = FakeWork::weight(stage);
        if (pass.kind == PassKind::F) {
            const double x = stage == 0 ? FakeWork::text(pass.microBatch.value) : *in;
            inputs_[key] = x;
            (out != nullptr ? *out : loss_) = out != nullptr ? x * weight : loss_ + x * weight;
            return;
        }
        if (givesInputGradient(pass.kind))
            outputGradients_[key] = last ? 1 : *in;
        if (givesWeightGradient(pass.kind))
            gradients_[stage] += outputGradients_.at(key) * inputs_.at(key);
        if (out != nullptr)
            *out = outputGradients_.at(key) * weight;
    }

    std::shared_ptr<FakeGpu> gpu_;
    std::int32_t stages_;
    std::vector<StageId> own_;
    executor::gpu::PassStreams streams_;
    std::map<std::pair<std::int32_t, std::int32_t>, double> inputs_;
    std::map<std::pair<std::int32_t, std::int32_t>, double> outputGradients_;
    std::map<std::int32_t, double> gradients_;
    double loss_ = 0;
};

} // namespace pipeloom::test
