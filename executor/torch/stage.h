// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One stage of the model: its parameters, and what its micro-batches hold between their passes, each for itself.

#include "executor/torch/memory_account.h"
#include "executor/torch/weight_gradients.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace pipeloom::executor {

class Stage {
public:
    /// With the first values of its parameters, charged to `account`. `setup` must outlive it.
    Stage(const ModelSetup& setup, StageId stage, const std::shared_ptr<MemoryAccount>& account,
        at::Device device = at::kCPU);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// Drops what the passes of a step that was broken off have left.
    /// On a GPU it also sends the whole step's tokens there.
    void beginStep(std::int64_t step);

    /// F. Takes the activation of the stage before (nothing for stage 0), gives that for the next one (nothing at the
    /// last).
    [[nodiscard]] at::Tensor forward(MicroBatch microBatch, const at::Tensor& input);
    /// B (`Later`) or BW (`AtOnce`). Takes the gradient of the output (nothing for the last stage), gives that of the
    /// input (nothing at stage 0).
    [[nodiscard]] at::Tensor backward(MicroBatch microBatch, const at::Tensor& gradient, WeightGradients::When when);
    /// W.
    void accumulateWeights(MicroBatch microBatch);

    /// All its gradients behind each other, in the order of its parameters.
    [[nodiscard]] at::Tensor packedGradients() const;
    /// The sum of what packedGradients gave on each device that holds the stage, added up in the order given.
    void setGradients(std::span<const at::Tensor> packed);

    /// Of the step so far. Throws if a micro-batch still waits for a pass.
    [[nodiscard]] StageSums sums() const;
    /// Name of the first parameter whose gradient is not finite; empty: all are.
    [[nodiscard]] std::string notFinite() const;

    [[nodiscard]] StageId id() const { return stage_; }
    [[nodiscard]] std::span<Parameter> parameters() { return parameters_; }
    [[nodiscard]] std::span<const Parameter> parameters() const { return parameters_; }

private:
    struct Held; ///< by one micro-batch

    [[nodiscard]] bool isFirst() const { return stage_.value == 0; }
    [[nodiscard]] bool isLast() const { return stage_.value == setup_->stages - 1; }
    [[nodiscard]] at::Tensor integers(const std::vector<std::int64_t>& values) const;
    void sendBatches();
    void keepLoss(MicroBatch microBatch, const at::Tensor& loss);
    [[nodiscard]] at::Tensor layers(at::Tensor x, WeightGradients& gradients);
    Held& held(MicroBatch microBatch, const char* pass);
    [[noreturn]] void fail(MicroBatch microBatch, const char* pass, const char* why) const;

    const ModelSetup* setup_;
    StageId stage_;
    at::Device device_;
    std::int64_t step_ = 0;
    std::vector<Parameter> parameters_; ///< in the order of parameterPlans
    std::unordered_map<std::int32_t, std::unique_ptr<Held>> held_;
    std::vector<double> lossSums_;  ///< by micro-batch; last stage only
    std::int64_t microBatches_ = 0; ///< that had their F here in this step

    // On a GPU, where nothing should wait for the host during a step: tokens go there at its start, losses come back at its end.
    at::Tensor stepTokens_;  ///< [micro-batch, batch, sequence]; first stage only
    at::Tensor stepTargets_; ///< the same; last stage only
    at::Tensor stepLosses_;  ///< by micro-batch; last stage only
};

} // namespace pipeloom::executor
