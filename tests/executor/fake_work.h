// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A model of one number per stage behind the DeviceWork border: forward multiplies by the stage's weight, the loss is the last
// result. Small enough to be worked out by hand, and strict: it throws where a real one would be given the wrong thing.

#include "executor/device_work.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace pipeloom::test {

/// What all devices of a fake model share with the test.
struct FakeModel {
    std::int32_t stages = 1;
    /// Called before a pass runs; may sleep, block or throw.
    std::function<void(DeviceId, const Pass&)> before;
    /// Loss and squared norm that are reported instead of the true ones.
    std::function<executor::StageSums(executor::StageSums)> report;
    /// Called when a step's sums are asked for; may put something else in a gradient's place.
    std::function<void(std::int64_t step, StageId stage, double& gradient)> change;
    double rate = 0; ///< of learning, by gradient descent with momentum; 0: the weights stay

    std::mutex mutex;
    std::vector<std::string> log;             ///< `0 2F3`, `0 optimizer`: device and what it did
    std::map<std::int32_t, double> gradients; ///< by stage, when the optimizer's step begins
    std::map<std::int32_t, std::map<std::int32_t, int>> weightGradients;      ///< stage, micro-batch: how often added
    std::map<std::int32_t, std::map<std::int32_t, double>> gradientsByDevice; ///< device, stage: the same
    std::map<std::int32_t, double> scales;                                    ///< by device
    std::map<std::int32_t, Bytes> highestHeld;                                ///< by device: forwards not yet released
    std::map<std::int32_t, double> weights;                                   ///< by stage, as they are now

    void note(DeviceId device, const std::string& what)
    {
        const std::lock_guard held(mutex);
        log.push_back(fmt::format("{} {}", device.value, what));
    }
};

class FakeWork : public executor::DeviceWork {
public:
    FakeWork(std::shared_ptr<FakeModel> model, DeviceId device, std::vector<StageId> stages)
        : model_(std::move(model))
        , device_(device)
        , stages_(std::move(stages))
    {
        for (const auto stage : stages_)
            now_.weights[stage.value] = weight(stage.value);
    }

    static double weight(std::int32_t stage) { return 1 + 0.1 * stage; } ///< before the first step
    static double text(std::int32_t microBatch) { return microBatch + 1; }

    void beginStep(std::int64_t step) override
    {
        step_ = step;
        inputs_.clear();
        outputGradients_.clear();
        loss_ = 0;
        held_ = 0;
    }

    executor::Payload run(const Pass& pass, executor::Payload input) override
    {
        model_->note(device_, pipeloom::text(pass));
        if (model_->before)
            model_->before(device_, pass);
        const auto key = std::pair(pass.stage.value, pass.microBatch.value);
        const bool last = pass.stage.value == model_->stages - 1;
        if (pass.kind == PassKind::F) {
            const double x = pass.stage.value == 0 ? text(pass.microBatch.value) : number(input, pass);
            inputs_[key] = x;
            held(+1);
            const double y = x * now_.weights.at(pass.stage.value);
            loss_ += last ? y : 0;
            return last ? executor::Payload {} : payload(y);
        }
        if (isAhead_)
            throw std::logic_error(pipeloom::text(pass) + " was run before the step before was confirmed");
        if (givesInputGradient(pass.kind))
            outputGradients_[key] = last ? 1 : number(input, pass);
        const double gradient = outputGradients_.at(key);
        if (givesWeightGradient(pass.kind)) {
            gradients_[pass.stage.value] += gradient * inputs_.at(key);
            inputs_.erase(key);
            held(-1);
            const std::lock_guard lock(model_->mutex);
            ++model_->weightGradients[pass.stage.value][pass.microBatch.value];
        }
        if (pass.kind == PassKind::W || pass.stage.value == 0)
            return {};
        return payload(gradient * now_.weights.at(pass.stage.value));
    }

    executor::Payload packGradients(StageId stage) override
    {
        model_->note(device_, fmt::format("reduce {}", stage.value));
        return payload(gradients_[stage.value]);
    }

    void setGradients(StageId stage, const std::vector<executor::Payload>& gradients) override
    {
        double sum = 0;
        for (const auto& part : gradients)
            sum += number(part, { stage, MicroBatch {}, PassKind::W });
        gradients_[stage.value] = sum;
    }

    std::vector<executor::StageSums> sums() override
    {
        std::vector<executor::StageSums> result;
        for (const auto stage : stages_) {
            if (model_->change)
                model_->change(step_, stage, gradients_[stage.value]);
            executor::StageSums sums { stage, gradients_[stage.value] * gradients_[stage.value], 0, 0 };
            if (stage.value == model_->stages - 1)
                sums = { stage, sums.squaredGradientNorm, loss_, 1 };
            result.push_back(model_->report ? model_->report(sums) : sums);
        }
        return result;
    }

    void optimizerStep(std::int64_t, double scale) override
    {
        if (isAhead_)
            throw std::logic_error("a step was taken on top of one that was not confirmed");
        learn("optimizer", scale);
        gradients_.clear();
    }
    void optimizerStepAhead(std::int64_t) override
    {
        before_ = now_;
        isAhead_ = true;
        learn("optimizer ahead", 1);
    }
    void confirmStep() override
    {
        endAhead("confirmed");
        gradients_.clear();
    }
    void undoStep() override
    {
        endAhead("undone");
        now_ = before_;
        publish();
    }
    void discardStep() override
    {
        model_->note(device_, "skipped");
        gradients_.clear();
    }
    std::string notFinite(StageId stage) const override { return "weight " + std::to_string(stage.value); }

    executor::Payload receiveBuffer(const Pass&) override { return payload(0); }
    void adopt(const executor::Payload& payload, executor::MemoryClass) override
    {
        if (!payload)
            throw std::logic_error("nothing was adopted");
    }
    executor::MemoryUse memoryNow() const override { return {}; }
    executor::MemoryUse memoryPeaks() const override { return {}; }
    void resetMemoryPeaks() override { }

    static executor::Payload payload(double number)
    {
        const auto framed = std::make_shared<Framed>();
        framed->number = number;
        return { std::shared_ptr<double>(framed, &framed->number), sizeof(double),
            reinterpret_cast<std::byte*>(&framed->number) };
    }

private:
    struct Framed {
        std::array<std::byte, executor::frameBytes> frame {};
        double number = 0;
    };

    static double number(const executor::Payload& input, const Pass& pass)
    {
        if (!input)
            throw std::logic_error(pipeloom::text(pass) + " was run without its input");
        return *std::static_pointer_cast<double>(input.tensor);
    }

    struct Learnt {
        std::map<std::int32_t, double> weights;
        std::map<std::int32_t, double> moments;
    };

    void learn(const std::string& what, double scale)
    {
        model_->note(device_, what);
        for (const auto& [stage, gradient] : gradients_) {
            auto& moment = now_.moments[stage];
            moment = 0.9 * moment + 0.1 * (gradient * scale);
            now_.weights[stage] -= model_->rate * moment;
        }
        {
            const std::lock_guard lock(model_->mutex);
            for (const auto& [stage, gradient] : gradients_) {
                model_->gradients[stage] = gradient;
                model_->gradientsByDevice[device_.value][stage] = gradient;
            }
            model_->scales[device_.value] = scale;
        }
        publish();
    }

    void endAhead(const std::string& what)
    {
        if (!isAhead_)
            throw std::logic_error("nothing is to be " + what);
        isAhead_ = false;
        model_->note(device_, what);
    }

    void publish()
    {
        const std::lock_guard lock(model_->mutex);
        for (const auto& [stage, weight] : now_.weights)
            model_->weights[stage] = weight;
    }

    void held(int change)
    {
        held_ += change;
        const std::lock_guard lock(model_->mutex);
        auto& highest = model_->highestHeld[device_.value];
        highest = std::max(highest, held_);
    }

    std::shared_ptr<FakeModel> model_;
    DeviceId device_;
    std::vector<StageId> stages_;
    std::map<std::pair<std::int32_t, std::int32_t>, double> inputs_;
    std::map<std::pair<std::int32_t, std::int32_t>, double> outputGradients_;
    std::map<std::int32_t, double> gradients_;
    Learnt now_;
    Learnt before_;
    bool isAhead_ = false;
    std::int64_t step_ = 0;
    double loss_ = 0;
    Bytes held_ = 0;
};

} // namespace pipeloom::test
