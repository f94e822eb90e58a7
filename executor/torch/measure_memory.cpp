// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// A dry pass of each kind of stage: what its passes take and release (DESIGN.md 3.3).

#include "executor/gpu/gpu.h"
#include "executor/torch/process.h"
#include "executor/torch/torch_work.h"

#include <ATen/ATen.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace pipeloom::executor {

namespace {

/// Of one stage, by kind of pass.
struct StageMemory {
    std::array<Bytes, passKinds> change {};
    std::array<Bytes, passKinds> transient {};
};

Bytes activations(const MemoryUse& use) { return use.byClass[static_cast<std::size_t>(MemoryClass::Activations)]; }

class DryRun {
public:
    DryRun(const ModelSetup& setup, StageId stage)
        : setup_(setup)
        , stage_(stage)
        , work_(setup, DeviceId(0), std::array { stage })
    {
    }

    StageMemory measure()
    {
        // Twice: what LibTorch keeps for good at its first use of an operation is no pass's.
        for (int round = 0; round < 2; ++round) {
            work_.beginStep(0);
            pass(PassKind::F);
            pass(PassKind::B);
            pass(PassKind::W);
            pass(PassKind::F);
            pass(PassKind::BW);
        }
        return memory_;
    }

private:
    /// A message as another stage would send it: not counted until the pass takes it over.
    Payload message(PassKind kind)
    {
        const bool needed = (kind == PassKind::F && stage_.value > 0)
            || (givesInputGradient(kind) && stage_.value < setup_.stages - 1);
        if (!needed)
            return {};
        if (setup_.place.of(DeviceId(0)))
            return work_.receiveBuffer({ StageId(stage_.value + (kind == PassKind::F ? -1 : 1)), MicroBatch(0),
                kind == PassKind::F ? PassKind::F : PassKind::B });
        const Model& model = setup_.model;
        auto tensor = std::make_shared<at::Tensor>(
            at::full({ model.microBatchSize, model.sequence, model.hidden }, 0.01, activationType(setup_)));
        Payload made;
        made.tensor = std::move(tensor);
        made.bytes = setup_.messageBytes();
        return made;
    }

    void pass(PassKind kind)
    {
        Payload input = message(kind);
        const Bytes before = activations(work_.memoryNow());
        work_.resetMemoryPeaks();
        const Payload output = work_.run({ stage_, MicroBatch(0), kind }, std::move(input));
        work_.endSlot();
        const Bytes change = activations(work_.memoryNow()) - before;
        // A positive change counts from the pass's start, so what comes on top is counted from there.
        const Bytes level = before + std::max<Bytes>(change, 0);
        memory_.change[index(kind)] = change;
        memory_.transient[index(kind)] = activations(work_.memoryPeaks()) - level;
    }

    const ModelSetup& setup_;
    StageId stage_;
    TorchWork work_;
    StageMemory memory_;
};

/// What the dry passes took of a GPU is kept by LibTorch's allocator; the run, or on a shared GPU another process, may need it.
void giveBackMemory(const ModelSetup& setup)
{
    const auto gpu = setup.place.of(DeviceId(0));
    if (gpu && gpu->torchIndex())
        c10::getDeviceAllocator(at::kCUDA)->emptyCache();
}

} // namespace

MemoryModel measureMemory(const ModelSetup& setup, const Pipeline& pipeline, const MemoryModel& ofDesign)
{
    prepareThread(setup.intraOpThreads);
    MemoryModel memory;
    memory.unit = MemoryUnit::Byte;
    memory.communication = ofDesign.communication;
    memory.limit = ofDesign.limit;

    // Stages of the same length inside the pipeline are alike.
    using Kind = std::tuple<bool, bool, std::int32_t>;
    std::map<Kind, StageMemory> measured;
    for (std::int32_t s = 0; s < setup.stages; ++s) {
        const StageId stage(s);
        const Kind kind { s == 0, s == setup.stages - 1, setup.layersPerStage[stage.index()] };
        auto place = measured.find(kind);
        if (place == measured.end())
            place = measured.emplace(kind, DryRun(setup, stage).measure()).first;
        for (std::size_t i = 0; i < passKinds; ++i) {
            memory.change.values[i].push_back(place->second.change[i]);
            memory.transient.values[i].push_back(place->second.transient[i]);
        }
    }

    giveBackMemory(setup);
    for (std::int32_t d = 0; d < pipeline.devices; ++d) {
        Bytes fixed = 0;
        for (const StageId stage : pipeline.stagesOn(DeviceId(d)))
            fixed += setup.staticBytes(stage);
        memory.fixed.push_back(fixed);
    }
    return memory;
}

} // namespace pipeloom::executor
