// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A rehearsal on a GPU: passes and transfers hold their streams for their planned time and compute nothing. So the streams, the
// events and the order of a real run are there, and what a step takes beyond its plan is what these cost.

#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"
#include "executor/gpu/pass_streams.h"
#include "executor/transport.h"

#include <map>
#include <tuple>

namespace pipeloom::executor::gpu {

/// What a rehearsed step is made of; never changes.
struct HeldPlan {
    Pipeline pipeline;
    Costs costs;
    Network network;

    [[nodiscard]] std::chrono::nanoseconds lengthOf(const Pass& pass) const;
    /// Of the message that the pass makes. Weight gradients take none.
    [[nodiscard]] std::chrono::nanoseconds transferOf(const Pass& pass) const;
};

/// The passes of one device. Of an overlapped pair each pass takes its own time, and both run at once.
class HeldWork final : public DeviceWork {
public:
    HeldWork(std::shared_ptr<Gpu> gpu, HeldPlan plan, DeviceId device);

    void beginStep(std::int64_t step) override;
    [[nodiscard]] Payload run(const Pass& pass, Payload input) override;
    void endSlot() override { streams_.endSlot(); }
    [[nodiscard]] bool timesItself() const override { return true; }
    [[nodiscard]] std::vector<RanPass> takeEnded() override { return streams_.takeEnded(); }
    [[nodiscard]] Payload packGradients(StageId stage) override;
    void setGradients(StageId, const std::vector<Payload>&) override { }
    [[nodiscard]] std::vector<StageSums> sums() override;
    void optimizerStep(std::int64_t, double) override { }
    void discardStep() override { }
    void optimizerStepAhead(std::int64_t) override { }
    void confirmStep() override { }
    void undoStep() override { }
    [[nodiscard]] std::string notFinite(StageId) const override { return {}; }
    [[nodiscard]] Payload receiveBuffer(const Pass& of) override;
    void adopt(const Payload&, MemoryClass) override { }
    [[nodiscard]] MemoryUse memoryNow() const override { return {}; }
    [[nodiscard]] MemoryUse memoryPeaks() const override { return {}; }
    void resetMemoryPeaks() override { }

private:
    std::shared_ptr<Gpu> gpu_;
    HeldPlan plan_;
    PassStreams streams_;
};

/// A device's end among threads of one process, whose messages take their planned time on a stream of their channel's.
class HeldEnd final : public Transport {
public:
    HeldEnd(std::unique_ptr<Transport> end, std::shared_ptr<Gpu> gpu, HeldPlan plan);

    void prepare(DeviceWork& work) override { end_->prepare(work); }
    void send(DeviceId to, const Pass& of, Payload result) override;
    void receive(DeviceId from, const Pass& of) override { end_->receive(from, of); }
    [[nodiscard]] std::vector<Arrival> arrived() override { return end_->arrived(); }
    [[nodiscard]] std::vector<Arrival> awaitArrival(const DeviceStatus& waiting) override
    {
        return end_->awaitArrival(waiting);
    }
    [[nodiscard]] std::optional<Gathered> gather(Contribution own) override { return end_->gather(std::move(own)); }
    void contribute(Contribution own) override { end_->contribute(std::move(own)); }
    [[nodiscard]] std::optional<Gathered> gathered() override { return end_->gathered(); }
    [[nodiscard]] std::optional<Gathered> awaitGathered() override { return end_->awaitGathered(); }
    [[nodiscard]] bool restart() override { return end_->restart(); }

private:
    std::unique_ptr<Transport> end_;
    std::shared_ptr<Gpu> gpu_;
    HeldPlan plan_;
    EventPool events_;
    std::map<std::tuple<DeviceId, bool>, Stream> channels_; ///< by receiver, activations
};

} // namespace pipeloom::executor::gpu
