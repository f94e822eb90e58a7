// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A model small enough for tests, and a runner that does its passes one after the other in a given order, all on the
// calling thread: what the rank loop does, without threads and without a schedule.

#include "executor/model.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

namespace pipeloom::executor {

inline Model tinyModel()
{
    return { .layers = 8, .hidden = 16, .heads = 2, .sequence = 12, .microBatchSize = 2, .vocabulary = 256 };
}

/// Stages on devices as `placement` says; no block, as nothing here schedules.
inline Design tinyDesign(PlacementKind placement, int devices, int stages, int microBatches)
{
    Design design;
    design.pipeline = pipeline(placement, devices, stages, microBatches);
    design.model = tinyModel();
    design.training = Training {};
    design.memory = unitMemory(stages, devices);
    return design;
}

/// Some 2,000 bytes that do not repeat.
inline std::string tinyTextFile()
{
    static const QTemporaryDir folder;
    const QString path = folder.filePath("text");
    if (QFile file(path); !file.exists() && file.open(QIODevice::WriteOnly))
        for (int i = 0; i < 500; ++i)
            file.write(QByteArray::number(i * i % 7919) + ' ');
    return path.toStdString();
}

inline ModelSetup tinySetup(const Design& design)
{
    ModelOptions options;
    options.data = { tinyTextFile() };
    SetupResult result = setup(design, options);
    if (!result.setup)
        throw std::runtime_error(text(result.findings.at(0)));
    return *result.setup;
}

/// All devices' shares of a model, and what is on its way between their passes.
class TinyRun {
public:
    using ValuesByName = std::map<std::string, std::vector<float>>;

    explicit TinyRun(const Design& design, gpu::Place place = {})
        : pipeline_(design.pipeline)
        , setup_(tinySetup(design))
    {
        setup_.place = std::move(place);
        for (int d = 0; d < pipeline_.devices; ++d)
            devices_.push_back(makeModelWork(setup_, DeviceId(d), pipeline_.stagesOn(DeviceId(d))));
    }

    void beginStep(std::int64_t step)
    {
        for (const auto& device : devices_)
            device->beginStep(step);
    }

    void run(const Pass& pass)
    {
        ModelWork& device = this->device(pipeline_.deviceOf(pass).value);
        Payload input = takeInput(pass);
        device.adopt(input, MemoryClass::Passing);
        Payload output = device.run(pass, std::move(input));
        device.endSlot();
        if (output)
            onTheWay_.emplace(
                Key { pass.stage.value, pass.microBatch.value, pass.kind == PassKind::F }, std::move(output));
    }

    void run(const std::vector<Pass>& order)
    {
        for (const Pass& pass : order)
            run(pass);
    }

    /// One whole step but for the optimizer; gives the sum of the loss.
    double step(std::int64_t step, const std::vector<Pass>& order)
    {
        beginStep(step);
        run(order);
        double loss = 0;
        for (const auto& device : devices_)
            for (const StageSums& sums : device->sums())
                loss += sums.lossSum;
        return loss;
    }

    void optimizerStep(std::int64_t step, double scale = 1)
    {
        for (const auto& device : devices_)
            device->optimizerStep(step, scale);
    }

    [[nodiscard]] ModelWork& device(int number) { return *devices_.at(static_cast<std::size_t>(number)); }

    [[nodiscard]] std::vector<ModelValues> devices() const
    {
        std::vector<ModelValues> all;
        for (const auto& device : devices_)
            all.push_back(valuesOf(*device));
        return all;
    }

    [[nodiscard]] const ModelSetup& setup() const { return setup_; }
    [[nodiscard]] ValuesByName gradients() const { return byName(&ModelWork::gradients); }
    [[nodiscard]] ValuesByName parameters() const { return byName(&ModelWork::parameters); }

private:
    using Key = std::tuple<int, int, bool>; ///< stage that made it, micro-batch, forward

    Payload takeInput(const Pass& pass)
    {
        const bool forward = pass.kind == PassKind::F;
        const int from = pass.stage.value + (forward ? -1 : 1);
        if (pass.kind == PassKind::W || from < 0 || from == pipeline_.stages)
            return {};
        auto node = onTheWay_.extract(Key { from, pass.microBatch.value, forward });
        if (node.empty())
            throw std::logic_error("no input for " + text(pass));
        return std::move(node.mapped());
    }

    ValuesByName byName(std::vector<NamedValues> (ModelWork::*what)() const) const
    {
        ValuesByName all;
        for (const auto& device : devices_)
            for (NamedValues& entry : (device.get()->*what)())
                all.emplace(std::move(entry.name), std::move(entry.values));
        return all;
    }

    Pipeline pipeline_;
    ModelSetup setup_;
    std::vector<std::unique_ptr<ModelWork>> devices_;
    std::map<Key, Payload> onTheWay_;
};

inline Pass passOf(int stage, PassKind kind, int microBatch)
{
    return { StageId(stage), MicroBatch(microBatch), kind };
}

/// All F, micro-batch by micro-batch; then all of `backward` (B alone, or BW), micro-batch by micro-batch; after B
/// alone all W.
inline std::vector<Pass> phases(int stages, int microBatches, PassKind backward)
{
    std::vector<Pass> order;
    for (int j = 0; j < microBatches; ++j)
        for (int s = 0; s < stages; ++s)
            order.push_back(passOf(s, PassKind::F, j));
    for (int j = 0; j < microBatches; ++j)
        for (int s = stages - 1; s >= 0; --s)
            order.push_back(passOf(s, backward, j));
    if (backward == PassKind::B)
        for (int j = 0; j < microBatches; ++j)
            for (int s = 0; s < stages; ++s)
                order.push_back(passOf(s, PassKind::W, j));
    return order;
}

/// One of the orders in which each pass comes after those it needs; every stage and micro-batch has either B and W, or
/// BW.
inline std::vector<Pass> anyOrder(int stages, int microBatches, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Pass> order;
    std::vector<Pass> ready;
    for (int j = 0; j < microBatches; ++j)
        ready.push_back(passOf(0, PassKind::F, j));
    const auto backward
        = [&random](int s, int j) { return passOf(s, random() % 2 == 0 ? PassKind::B : PassKind::BW, j); };
    while (!ready.empty()) {
        const std::size_t pick = random() % ready.size();
        const Pass next = ready[pick];
        ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(pick));
        order.push_back(next);
        const int s = next.stage.value;
        const int j = next.microBatch.value;
        if (next.kind == PassKind::F)
            ready.push_back(s + 1 < stages ? passOf(s + 1, PassKind::F, j) : backward(s, j));
        if (next.kind == PassKind::B)
            ready.push_back(passOf(s, PassKind::W, j));
        if (givesInputGradient(next.kind) && s > 0)
            ready.push_back(backward(s - 1, j));
    }
    return order;
}

} // namespace pipeloom::executor
