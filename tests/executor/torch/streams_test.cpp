// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The model's stages as a GPU runs them, with a fake one under them: streams, events and messages, and the same bits as without.

#include "tests/executor/gpu/fake_gpu_bodies.h"
#include "tests/executor/tiny_model.h"

#include <ATen/ATen.h>
#include <QTest>

#include <cstring>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

class StreamsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theStreamsOfAGpuChangeNoBit_data();
    void theStreamsOfAGpuChangeNoBit();
    void passesAreTimedByEventsInTheOrderTheyWereRun();
    void resultsCarryTheEventThatMakesThemWhole();
    void messagesForOtherProcessesLieInFramedHostMemory();
    void aDiscardedStepLeavesNothing();
    void memoryIsPredictedAsWithoutAGpu();
};

namespace {

Design design() { return tinyDesign(PlacementKind::V, 2, 4, 3); }

struct OnFake {
    FakeWorld world;
    std::shared_ptr<FakeGpu> gpu = world.gpu();
    ModelSetup setup;
    std::unique_ptr<ModelWork> work;

    explicit OnFake(bool messagesOnHost = false, bool runsAhead = false)
        : setup(tinySetup(design()))
    {
        setup.place = { { gpu }, messagesOnHost, runsAhead };
        work = makeModelWork(setup, DeviceId(0), { StageId(0), StageId(3) });
        work->beginStep(0);
    }
};

} // namespace

void StreamsTest::theStreamsOfAGpuChangeNoBit_data()
{
    QTest::addColumn<bool>("messagesOnHost");
    QTest::addColumn<bool>("runsAhead");
    QTest::newRow("threads of one process") << false << false;
    QTest::newRow("through the host") << true << false;
    QTest::newRow("from GPU to GPU") << false << true;
}

void StreamsTest::theStreamsOfAGpuChangeNoBit()
{
    QFETCH(bool, messagesOnHost);
    QFETCH(bool, runsAhead);
    const auto order = anyOrder(4, 3, 11);
    TinyRun plain(design());
    const auto loss = plain.step(0, order);
    FakeWorld world;
    TinyRun run(design(), { { world.gpu() }, messagesOnHost, runsAhead });
    QCOMPARE(run.step(0, order), loss);
    QVERIFY(run.gradients() == plain.gradients());
    plain.optimizerStep(0);
    run.optimizerStep(0);
    QVERIFY(run.parameters() == plain.parameters());
}

void StreamsTest::passesAreTimedByEventsInTheOrderTheyWereRun()
{
    OnFake device;
    QVERIFY(device.work->timesItself());
    QVERIFY(!tinySetup(design()).place.of(DeviceId(0)));
    static_cast<void>(device.work->run(passOf(0, PassKind::F, 1), {}));
    device.work->endSlot();
    static_cast<void>(device.work->run(passOf(0, PassKind::F, 0), {}));
    device.work->endSlot();
    const auto ran = device.work->takeEnded();
    QCOMPARE(ran.size(), std::size_t { 2 });
    QVERIFY(ran[0].pass == passOf(0, PassKind::F, 1));
    QVERIFY(ran[1].pass == passOf(0, PassKind::F, 0));
    QVERIFY(device.work->takeEnded().empty());
}

void StreamsTest::resultsCarryTheEventThatMakesThemWhole()
{
    OnFake device(false, true);
    const auto result = device.work->run(passOf(0, PassKind::F, 0), {});
    QVERIFY(result.ready);
    QVERIFY(result.onGpu != nullptr);
    QVERIFY(result.data == nullptr);
    QCOMPARE(result.bytes, device.setup.messageBytes());
    const auto buffer = device.work->receiveBuffer(passOf(2, PassKind::F, 0));
    QVERIFY(buffer.ready);
    QCOMPARE(buffer.bytes, device.setup.messageBytes());
    // The next stage of the device waits for it on a stream of its own.
    device.work->endSlot();
    device.gpu->clearLog();
    static_cast<void>(device.work->run(passOf(3, PassKind::F, 0), buffer));
    const auto log = device.gpu->log();
    QVERIFY(std::ranges::any_of(log, [](const std::string& line) { return line.starts_with("wait s"); }));
}

void StreamsTest::messagesForOtherProcessesLieInFramedHostMemory()
{
    OnFake device(true);
    OnFake plain;
    const auto message = device.work->run(passOf(0, PassKind::F, 0), {});
    device.work->endSlot();
    QVERIFY(message.data != nullptr);
    QVERIFY(!message.ready);
    std::memset(message.data - frameBytes, 0xff, frameBytes); // is its transport's
    const auto expected = plain.work->run(passOf(0, PassKind::F, 0), {});
    QCOMPARE(message.bytes, expected.bytes);
    QVERIFY(std::memcmp(message.data, expected.onGpu, static_cast<std::size_t>(message.bytes)) == 0);
    const auto buffer = device.work->receiveBuffer(passOf(2, PassKind::F, 0));
    std::memset(buffer.data - frameBytes, 0xff, frameBytes + static_cast<std::size_t>(buffer.bytes));
}

void StreamsTest::aDiscardedStepLeavesNothing()
{
    const auto order = phases(4, 3, PassKind::B);
    FakeWorld world;
    TinyRun run(design(), { { world.gpu() }, false, true });
    const auto before = run.parameters();
    run.step(0, order);
    const auto once = run.gradients();
    for (int d = 0; d < 2; ++d)
        run.device(d).discardStep();
    for (const auto& [name, values] : run.gradients())
        QVERIFY2(std::ranges::all_of(values, [](float value) { return value == 0; }), name.c_str());
    QVERIFY(run.parameters() == before);
    run.step(0, order);
    QVERIFY(run.gradients() == once);
}

void StreamsTest::memoryIsPredictedAsWithoutAGpu()
{
    FakeWorld world;
    auto setup = tinySetup(design());
    const auto plain = measureMemory(setup, design().pipeline, design().memory);
    setup.place = { { world.gpu() }, false, true };
    const auto onGpu = measureMemory(setup, design().pipeline, design().memory);
    QVERIFY(onGpu.change.values == plain.change.values);
    QVERIFY(onGpu.fixed == plain.fixed);
}

QTEST_APPLESS_MAIN(StreamsTest)
#include "streams_test.moc"
