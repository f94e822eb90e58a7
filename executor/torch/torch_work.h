// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device's stages behind the border of device_work.h: tensors become payloads, and memory is charged to the device. On a GPU
// every stage has a stream, passes are started there and timed by events, and payloads carry the event that makes them whole.

#include "executor/gpu/pass_streams.h"
#include "executor/torch/stage.h"

#include <c10/core/StreamGuard.h>

namespace pipeloom::executor {

class TorchWork final : public ModelWork {
public:
    TorchWork(ModelSetup setup, DeviceId device, std::span<const StageId> stages);

    void beginStep(std::int64_t step) override;
    [[nodiscard]] Payload run(const Pass& pass, Payload input) override;
    void endSlot() override;
    [[nodiscard]] bool timesItself() const override { return streams_ != nullptr; }
    [[nodiscard]] std::vector<RanPass> takeEnded() override;
    [[nodiscard]] Payload packGradients(StageId stage) override;
    void setGradients(StageId stage, const std::vector<Payload>& gradients) override;
    [[nodiscard]] std::vector<StageSums> sums() override;
    void optimizerStep(std::int64_t step, double scale) override;
    void optimizerStepAhead(std::int64_t step) override;
    void confirmStep() override { discardStep(); }
    void undoStep() override;
    void discardStep() override;
    [[nodiscard]] std::string notFinite(StageId id) const override;

    [[nodiscard]] Payload receiveBuffer(const Pass& of) override;
    void adopt(const Payload& payload, MemoryClass use) override;
    [[nodiscard]] MemoryUse memoryNow() const override { return account_->live(); }
    [[nodiscard]] MemoryUse memoryPeaks() const override { return account_->peaks(); }
    void resetMemoryPeaks() override { account_->resetPeaks(); }

    [[nodiscard]] std::vector<NamedValues> parameters() const override;
    [[nodiscard]] std::vector<NamedValues> gradients() const override;
    [[nodiscard]] Findings save(StageId stage, const std::string& path) const override;
    [[nodiscard]] Findings load(std::span<const std::string> paths) override;

    [[nodiscard]] std::span<const std::unique_ptr<Stage>> stages() const { return stages_; }

private:
    [[nodiscard]] Stage& stage(StageId id) const;
    [[nodiscard]] at::Tensor runPass(const Pass& pass, const at::Tensor& input);
    [[nodiscard]] Payload runOnGpu(const Pass& pass, Payload input);
    [[nodiscard]] at::Tensor takeOver(const Payload& input, StageId stage);
    [[nodiscard]] Payload messageOnHost(const at::Tensor& tensor, gpu::Stream stream);
    /// While it lives, what LibTorch does on this thread goes on the stage's stream.
    [[nodiscard]] c10::OptionalStreamGuard onStream(StageId stage) const;

    const ModelSetup setup_;
    const DeviceId device_;
    const std::shared_ptr<gpu::Gpu> gpu_; ///< null: the CPU
    const std::shared_ptr<MemoryAccount> account_;
    std::unique_ptr<gpu::PassStreams> streams_;  ///< on a GPU
    std::vector<std::unique_ptr<Stage>> stages_; ///< ascending
    std::vector<gpu::SharedEvent> leaving_;      ///< copies of this slot's results to the host
    std::vector<Payload> arriving_;              ///< inputs in the host's memory that are still read
};

} // namespace pipeloom::executor
