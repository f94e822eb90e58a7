// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Streams and events of a device's passes: order, overlap and times.

#include "executor/gpu/pass_streams.h"
#include "tests/executor/gpu/fake_gpu_bodies.h"

#include <QTest>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::executor::gpu;
using namespace pipeloom::test;
using namespace std::chrono_literals;

class PassStreamsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void slotsOfTwoStagesRunOneAfterTheOther();
    void theTwoPassesOfASlotRunAtTheSameTime();
    void aPassStartsAfterItsInputIsThere();
    void passesAreGivenOnceTheyHaveEndedAndNotBefore();
    void eventsAreUsedAgain();
    void aStageWithoutStreamIsRefused();
};

namespace {

Pass pass(int stage, PassKind kind, int microBatch) { return { StageId(stage), MicroBatch(microBatch), kind }; }

/// A device with stages 0 and 3.
struct Device {
    explicit Device(unsigned seed = 1)
        : world(seed)
        , gpu(world.gpu())
        , streams(*gpu, std::array { StageId(0), StageId(3) })
    {
        streams.beginStep();
    }

    SharedEvent run(const Pass& what, std::chrono::nanoseconds time, const SharedEvent& input = nullptr)
    {
        streams.begin(what, input);
        gpu->run(streams.of(what.stage), time, [this, what] { done.push_back(text(what)); });
        return streams.end();
    }

    FakeWorld world;
    std::shared_ptr<FakeGpu> gpu;
    PassStreams streams;
    std::vector<std::string> done;
};

} // namespace

void PassStreamsTest::slotsOfTwoStagesRunOneAfterTheOther()
{
    for (unsigned seed = 0; seed < 20; ++seed) {
        Device device(seed);
        const std::vector<Pass> passes { pass(0, PassKind::F, 0), pass(3, PassKind::F, 0), pass(3, PassKind::B, 0),
            pass(0, PassKind::F, 1), pass(0, PassKind::B, 0), pass(3, PassKind::W, 0) };
        std::vector<std::string> expected;
        for (const auto& one : passes) {
            device.run(one, 10us);
            device.streams.endSlot();
            expected.push_back(text(one));
        }
        const auto ran = device.streams.takeEnded();
        QVERIFY(device.done == expected);
        QCOMPARE(ran.size(), passes.size());
        for (std::size_t i = 0; i < ran.size(); ++i) {
            QVERIFY(ran[i].pass == passes[i]);
            QVERIFY(ran[i].ended - ran[i].started == 10us);
            QVERIFY(i == 0 || ran[i].started == ran[i - 1].ended);
            QVERIFY(!ran[i].joined);
        }
    }
}

void PassStreamsTest::theTwoPassesOfASlotRunAtTheSameTime()
{
    Device device;
    device.run(pass(0, PassKind::F, 1), 10us);
    device.streams.endSlot();
    device.run(pass(0, PassKind::F, 2), 30us);
    device.run(pass(3, PassKind::B, 0), 20us);
    device.streams.endSlot();
    device.run(pass(3, PassKind::W, 0), 5us);
    device.streams.endSlot();
    device.streams.awaitSlot();
    const auto ran = device.streams.takeEnded();
    QCOMPARE(ran.size(), std::size_t { 4 });
    QVERIFY(ran[1].started == ran[0].ended);
    QVERIFY(ran[2].started == ran[0].ended);
    QVERIFY(!ran[1].joined && ran[2].joined && !ran[3].joined);
    QVERIFY(ran[3].started == ran[1].ended); // the longer of the two
}

void PassStreamsTest::aPassStartsAfterItsInputIsThere()
{
    Device device;
    const auto from = device.gpu->newStream();
    device.gpu->stall(from, true);
    device.gpu->hold(from, 70us);
    EventPool events(*device.gpu);
    device.run(pass(0, PassKind::F, 0), 10us, events.record(from));
    device.streams.endSlot();
    QVERIFY(device.streams.takeEnded().empty());
    QVERIFY(device.done.empty());
    device.gpu->stall(from, false);
    device.streams.awaitSlot();
    const auto ran = device.streams.takeEnded();
    QCOMPARE(ran.size(), std::size_t { 1 });
    QVERIFY(ran[0].ended - ran[0].started == 10us); // waiting for the input is not part of it
}

void PassStreamsTest::passesAreGivenOnceTheyHaveEndedAndNotBefore()
{
    Device device;
    device.run(pass(0, PassKind::F, 0), 10us);
    device.streams.endSlot();
    device.gpu->stall(device.streams.of(StageId(3)), true);
    device.run(pass(3, PassKind::F, 0), 10us);
    device.streams.endSlot();
    device.run(pass(0, PassKind::F, 1), 10us);
    device.streams.endSlot();
    QCOMPARE(device.streams.takeEnded().size(), std::size_t { 1 });
    QCOMPARE(device.streams.takeEnded().size(), std::size_t { 0 });
    QCOMPARE(device.done.size(), std::size_t { 1 }); // the third waits for the second
    device.gpu->stall(device.streams.of(StageId(3)), false);
    const auto rest = device.streams.takeEnded();
    QCOMPARE(rest.size(), std::size_t { 2 });
    QVERIFY(rest[0].pass == pass(3, PassKind::F, 0));
}

void PassStreamsTest::eventsAreUsedAgain()
{
    Device device;
    const auto events = [&] {
        const auto log = device.gpu->log();
        return std::ranges::count_if(log, [](const std::string& line) { return line.starts_with("event "); });
    };
    const auto step = [&] {
        device.streams.beginStep();
        for (int j = 0; j < 8; ++j) {
            device.run(pass(0, PassKind::F, j), 1us);
            device.streams.endSlot();
        }
        device.streams.awaitSlot();
        static_cast<void>(device.streams.takeEnded());
    };
    step();
    const auto after = events();
    for (int i = 0; i < 5; ++i)
        step();
    QCOMPARE(events(), after);
}

void PassStreamsTest::aStageWithoutStreamIsRefused()
{
    Device device;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(device.streams.of(StageId(1))), std::logic_error);
}

QTEST_APPLESS_MAIN(PassStreamsTest)
#include "pass_streams_test.moc"
