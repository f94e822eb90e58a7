// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device's stages behind the border of device_work.h: tensors become payloads, and memory is charged to the device.

#include "executor/torch/stage.h"

namespace pipeloom::executor {

class TorchWork final : public ModelWork {
public:
    TorchWork(ModelSetup setup, DeviceId device, std::span<const StageId> stages);

    void beginStep(std::int64_t step) override;
    [[nodiscard]] Payload run(const Pass& pass, Payload input) override;
    [[nodiscard]] Payload packGradients(StageId stage) override;
    void setGradients(StageId stage, const std::vector<Payload>& gradients) override;
    [[nodiscard]] std::vector<StageSums> sums() override;
    void optimizerStep(std::int64_t step, double scale) override;

    [[nodiscard]] Payload receiveBuffer(const Pass& of) override;
    void adopt(const Payload& payload, MemoryClass use) override;
    [[nodiscard]] MemoryUse memoryNow() const override { return account_->live(); }
    [[nodiscard]] MemoryUse memoryPeaks() const override { return account_->peaks(); }
    void resetMemoryPeaks() override { account_->resetPeaks(); }

    [[nodiscard]] std::vector<NamedValues> parameters() const override;
    [[nodiscard]] std::vector<NamedValues> gradients() const override;
    [[nodiscard]] Findings save(StageId stage, const std::string& path) const override;
    [[nodiscard]] Findings load(std::span<const std::string> paths) override;

private:
    [[nodiscard]] Stage& stage(StageId id) const;
    [[nodiscard]] at::Tensor runPass(const Pass& pass, const at::Tensor& input);

    const ModelSetup setup_;
    const DeviceId device_;
    const std::shared_ptr<MemoryAccount> account_ = std::make_shared<MemoryAccount>();
    std::vector<std::unique_ptr<Stage>> stages_; ///< ascending
};

} // namespace pipeloom::executor
