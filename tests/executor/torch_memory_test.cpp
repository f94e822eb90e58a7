// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// What passes hold is what the dry pass says, byte for byte, on the device that holds it.

#include "tests/executor/tiny_model.h"

#include <QtTest>

#include <numeric>

using namespace pipeloom;
using namespace pipeloom::executor;

class TorchMemoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changesOfAStageAddUpToNothing();
    void everyLayerHoldsSixteenActivations();
    void passesHoldWhatTheDryPassSays_data();
    void passesHoldWhatTheDryPassSays();
    void nothingIsLeftAtTheEndOfAStep();
    void staticMemoryIsWeightsGradientsAndMoments();
    void aMessageBelongsToWhoeverAdoptedItLast();
    void case23PeakDoesNotDependOnTheNumberOfMicroBatches();
    void peaksStartAnewWhenReset();
};

namespace {

constexpr auto activations = static_cast<std::size_t>(MemoryClass::Activations);
constexpr auto passing = static_cast<std::size_t>(MemoryClass::Passing);

} // namespace

void TorchMemoryTest::changesOfAStageAddUpToNothing()
{
    const Design design = tinyDesign(PlacementKind::V, 2, 4, 3);
    const MemoryModel memory = measureMemory(tinySetup(design), design.pipeline, design.memory);
    QCOMPARE(memory.unit, MemoryUnit::Byte);
    for (int s = 0; s < 4; ++s) {
        const auto change = [&](PassKind kind) { return memory.change.of(kind, StageId(s)); };
        QVERIFY(change(PassKind::F) > 0);
        QCOMPARE(change(PassKind::F) + change(PassKind::B) + change(PassKind::W), Bytes { 0 });
        QCOMPARE(change(PassKind::F) + change(PassKind::BW), Bytes { 0 });
        for (int kind = 0; kind < passKinds; ++kind)
            QVERIFY(memory.transient.of(static_cast<PassKind>(kind), StageId(s)) >= 0);
    }
    QCOMPARE(memory.limit, design.memory.limit);
    QCOMPARE(memory.communication, design.memory.communication);
    const std::vector<BackwardUse> both(4, { .split = true, .fused = true });
    QVERIFY(!hasErrors(check(unitCosts(4), memory, design.pipeline, both)));
}

void TorchMemoryTest::everyLayerHoldsSixteenActivations()
{
    // Input, normed, q, k, v, attended, middle, normed, four before and four after gelu; beside these only one row per
    // head and norm. In units of [batch, sequence, hidden].
    Design design = tinyDesign(PlacementKind::Linear, 3, 3, 1);
    design.model->hidden = 64;
    const ModelSetup setup = tinySetup(design);
    const MemoryModel memory = measureMemory(setup, design.pipeline, design.memory);
    const StageId inner(1);
    const Bytes unit = setup.messageBytes();
    const Bytes layers = setup.layersPerStage[1];
    const Bytes whole = memory.change.of(PassKind::F, inner);
    QVERIFY(whole >= 16 * layers * unit && whole < 16 * layers * unit + layers * unit / 8);
    // B gives back as much as it takes, but for those rows.
    QVERIFY(std::abs(memory.change.of(PassKind::B, inner)) < layers * unit / 8);
}

void TorchMemoryTest::passesHoldWhatTheDryPassSays_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 8; ++seed)
        QTest::addRow("order %u", seed) << seed;
}

void TorchMemoryTest::passesHoldWhatTheDryPassSays()
{
    QFETCH(unsigned, seed);
    const Design design = tinyDesign(PlacementKind::V, 2, 4, 4);
    TinyRun run(design);
    const MemoryModel memory = measureMemory(run.setup(), design.pipeline, design.memory);
    std::array<Bytes, 2> level {};
    run.beginStep(0);
    for (const Pass& pass : anyOrder(4, 4, seed)) {
        const int number = design.pipeline.deviceOf(pass).value;
        const ModelWork& device = run.device(number);
        run.device(number).resetMemoryPeaks();
        run.run(pass);

        Bytes& expected = level.at(static_cast<std::size_t>(number));
        const Bytes change = memory.change.of(pass.kind, pass.stage);
        const Bytes peak = expected + std::max<Bytes>(change, 0) + memory.transient.of(pass.kind, pass.stage);
        expected += change;
        QCOMPARE(device.memoryNow().byClass[activations], expected);
        QCOMPARE(device.memoryPeaks().byClass[activations], peak);
    }
}

void TorchMemoryTest::nothingIsLeftAtTheEndOfAStep()
{
    TinyRun run(tinyDesign(PlacementKind::V, 2, 4, 3));
    for (std::int64_t step = 0; step < 2; ++step) {
        run.step(step, anyOrder(4, 3, 5));
        run.optimizerStep(step);
        for (int d = 0; d < 2; ++d) {
            const MemoryUse now = run.device(d).memoryNow();
            QCOMPARE(now.byClass[activations], Bytes { 0 });
            QCOMPARE(now.byClass[passing], Bytes { 0 });
            QCOMPARE(now.total, std::accumulate(now.byClass.begin(), now.byClass.end(), Bytes { 0 }));
        }
    }
}

void TorchMemoryTest::staticMemoryIsWeightsGradientsAndMoments()
{
    const Design design = tinyDesign(PlacementKind::V, 2, 4, 1);
    TinyRun run(design);
    const MemoryModel memory = measureMemory(run.setup(), design.pipeline, design.memory);
    Bytes elements = 0;
    for (int d = 0; d < 2; ++d) {
        const MemoryUse now = run.device(d).memoryNow();
        const Bytes weights = now.byClass[static_cast<std::size_t>(MemoryClass::Weights)];
        QCOMPARE(now.byClass[static_cast<std::size_t>(MemoryClass::Gradients)], weights);
        QCOMPARE(now.byClass[static_cast<std::size_t>(MemoryClass::Optimizer)], 2 * weights);
        QCOMPARE(now.total, memory.fixed[static_cast<std::size_t>(d)]);
        elements += weights / 4;
    }
    // 8 layers of 12 hidden^2 + 2 hidden; two tables of 256 rows, one of 12, one norm.
    QCOMPARE(elements, Bytes { 8 * (12 * 16 * 16 + 2 * 16) + 2 * 256 * 16 + 12 * 16 + 16 });
}

void TorchMemoryTest::aMessageBelongsToWhoeverAdoptedItLast()
{
    TinyRun run(tinyDesign(PlacementKind::Linear, 2, 2, 1));
    run.beginStep(0);
    ModelWork& first = run.device(0);
    ModelWork& second = run.device(1);
    Payload message = first.run(passOf(0, PassKind::F, 0), {});
    QCOMPARE(message.bytes, run.setup().messageBytes());
    QCOMPARE(first.memoryNow().byClass[passing], message.bytes);

    const Bytes total = first.memoryNow().total;
    second.adopt(message, MemoryClass::Passing);
    QCOMPARE(first.memoryNow().byClass[passing], Bytes { 0 });
    QCOMPARE(first.memoryNow().total, total - message.bytes);
    QCOMPARE(second.memoryNow().byClass[passing], message.bytes);

    second.adopt(message, MemoryClass::Activations);
    QCOMPARE(second.memoryNow().byClass[passing], Bytes { 0 });
    QCOMPARE(second.memoryNow().byClass[activations], message.bytes);
    message = {};
    QCOMPARE(second.memoryNow().byClass[activations], Bytes { 0 });
    second.adopt({}, MemoryClass::Passing); // nothing is nothing
}

void TorchMemoryTest::case23PeakDoesNotDependOnTheNumberOfMicroBatches()
{
    // p=2, ZB-H1 (B and W of a micro-batch before the next F, two under way), m = 4, 16, 64.
    std::vector<MemoryUse> peaks;
    for (const int microBatches : { 4, 16, 64 }) {
        TinyRun run(tinyDesign(PlacementKind::Linear, 2, 2, microBatches));
        run.beginStep(0);
        run.run(passOf(0, PassKind::F, 0));
        for (int j = 0; j < microBatches; ++j) {
            if (j + 1 < microBatches)
                run.run(passOf(0, PassKind::F, j + 1));
            for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W })
                run.run(passOf(1, kind, j));
            for (const PassKind kind : { PassKind::B, PassKind::W })
                run.run(passOf(0, kind, j));
        }
        peaks.push_back(run.device(0).memoryPeaks());
    }
    QCOMPARE(peaks[0].total, peaks[1].total);
    QCOMPARE(peaks[0].total, peaks[2].total);
    QCOMPARE(peaks[0].byClass, peaks[2].byClass);
}

void TorchMemoryTest::peaksStartAnewWhenReset()
{
    TinyRun run(tinyDesign(PlacementKind::Linear, 1, 1, 2));
    run.step(0, phases(1, 2, PassKind::BW));
    ModelWork& device = run.device(0);
    QVERIFY(device.memoryPeaks().total > device.memoryNow().total);
    device.resetMemoryPeaks();
    QCOMPARE(device.memoryPeaks().total, device.memoryNow().total);
    QCOMPARE(device.memoryPeaks().byClass, device.memoryNow().byClass);
}

QTEST_APPLESS_MAIN(TorchMemoryTest)
#include "torch_memory_test.moc"
