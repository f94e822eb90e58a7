// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Simulation with a time of its own for every pass and message.

#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "core/simulate/simulator.h"

#include <QTest>

using namespace pipeloom;

class OwnTimesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void costsWrittenOutPassByPassGiveTheSameTimeline_data();
    void costsWrittenOutPassByPassGiveTheSameTimeline();
    void oneSlowPassAndOneSlowMessageDelayWhatFollowsThem();
    void aPairTakesTheTimeGivenForIt();
    void costsAreBackAfterARunWithOwnTimes();
};

namespace {

Design made(const char* name, std::int32_t devices, std::int32_t microBatches)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    request.f = 5;
    request.b = 7;
    request.w = 3;
    request.transfer = 2;
    return findInLibrary(name)->make(request).design.value();
}

Slot single(int stage, PassKind kind, int microBatch)
{
    return { { StageId { stage }, MicroBatch { microBatch }, kind }, {} };
}

} // namespace

void OwnTimesTest::costsWrittenOutPassByPassGiveTheSameTimeline_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("queue");
    for (const auto* name : { "1f1b", "interleaved-1f1b", "zb-h1", "v-half" })
        for (const auto queue : { QueueModel::Ideal, QueueModel::Directed, QueueModel::Pair, QueueModel::Device })
            QTest::addRow("%s %s", name, text(queue)) << name << static_cast<int>(queue);
}

void OwnTimesTest::costsWrittenOutPassByPassGiveTheSameTimeline()
{
    QFETCH(QString, schedule);
    QFETCH(int, queue);
    const auto model = static_cast<QueueModel>(queue);
    const Design design = made(schedule.toUtf8().constData(), 4, 8);
    const auto program = lower(plan(design).schedule, design.pipeline, design.network, model);
    QVERIFY(program);
    const auto byCosts = simulate(*program, design.pipeline, design.costs, design.network, model);
    QVERIFY(byCosts);
    std::vector<Ticks> passes;
    for (const TimedPass& timed : byCosts->passes)
        passes.push_back(design.costs.of(timed.pass));
    const std::vector<Ticks> transfers(program->messages.size(), 2);
    const auto byPass = simulate(*program, design.pipeline, OwnTimes { passes, transfers }, model);
    QVERIFY(byPass);
    QVERIFY(*byPass == *byCosts);
}

// Two devices, two micro-batches, forwards only: 0F0 0F1 on device 0, 1F0 1F1 on device 1. Passes take 10, messages 1.
void OwnTimesTest::oneSlowPassAndOneSlowMessageDelayWhatFollowsThem()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 2);
    const auto order = schedule({ { single(0, PassKind::F, 0), single(0, PassKind::F, 1) },
        { single(1, PassKind::F, 0), single(1, PassKind::F, 1) } });
    const auto program = lower(order, pipe, freeNetwork(2), QueueModel::Directed);
    QVERIFY(program);
    const std::vector<Ticks> passes { 10, 25, 10, 10 };
    const std::vector<Ticks> transfers { 1, 4 };
    const auto timeline = simulate(*program, pipe, OwnTimes { passes, transfers }, QueueModel::Directed);
    QVERIFY(timeline);
    const auto second = timeline->row(DeviceId { 1 });
    QCOMPARE(second[0].start, Ticks { 11 });
    QCOMPARE(second[1].start, Ticks { 39 }); // 10 + 25 + 4
    QCOMPARE(second[1].end, Ticks { 49 });
}

void OwnTimesTest::aPairTakesTheTimeGivenForIt()
{
    const auto pipe = pipeline(PlacementKind::Linear, 1, 1, 2);
    const Slot pair { { StageId { 0 }, MicroBatch { 1 }, PassKind::F },
        { StageId { 0 }, MicroBatch { 0 }, PassKind::BW } };
    const auto order = schedule({ { single(0, PassKind::F, 0), pair, single(0, PassKind::BW, 1) } });
    const auto program = lower(order, pipe, freeNetwork(1), QueueModel::Directed);
    QVERIFY(program);
    const std::vector<Ticks> passes { 3, 8, 8, 5 };
    const auto timeline = simulate(*program, pipe, OwnTimes { passes, {} }, QueueModel::Directed);
    QVERIFY(timeline);
    QCOMPARE(timeline->passes.back().end, Ticks { 16 });
    QCOMPARE(timeline->passes[1].end - timeline->passes[1].start, Ticks { 8 });
}

void OwnTimesTest::costsAreBackAfterARunWithOwnTimes()
{
    const Design design = made("1f1b", 3, 4);
    const auto program = lower(plan(design).schedule, design.pipeline, design.network, QueueModel::Directed);
    QVERIFY(program);
    const std::vector<Ticks> passes(24, 100);
    const std::vector<Ticks> transfers(program->messages.size(), 50);
    Simulator simulator;
    Timeline slow;
    Timeline again;
    QVERIFY(simulator.run(*program, design.pipeline, OwnTimes { passes, transfers }, QueueModel::Directed, slow));
    QVERIFY(simulator.run(*program, design.pipeline, design.costs, design.network, QueueModel::Directed, again));
    QVERIFY(again == *simulate(*program, design.pipeline, design.costs, design.network, QueueModel::Directed));
    QVERIFY(!(again == slow));
}

QTEST_APPLESS_MAIN(OwnTimesTest)
#include "own_times_test.moc"
