// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Replicas of a pipeline: each does what the one does, at the same times and with the same memory, and all reduce.

#include "core/check/memory_check.h"
#include "core/check/program_check.h"
#include "core/check/schedule_check.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "core/program/program_memory.h"
#include "core/schedule/replicas.h"
#include "core/simulate/simulator.h"

#include <QTest>

#include <algorithm>

using namespace pipeloom;

namespace {

Design make(const QString& name, std::int32_t devices, std::int32_t microBatches)
{
    if (name.endsWith(".json"))
        return *loadDesign(PIPELOOM_SOURCE_DIR "/resources/designs/" + name.toStdString()).design;
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    request.transfer = 1;
    return *findInLibrary(name.toStdString())->make(request).design;
}

std::int64_t reductionsOf(const Program& program, DeviceId device, StageId stage)
{
    const auto row = program.row(device);
    return std::count_if(
        row.begin(), row.end(), [&](const Instruction& at) { return at.op == Op::Reduce && at.pass.stage == stage; });
}

} // namespace

class ReplicasTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneReplicaIsThePipelineItself();
    void aReplicaIsARouteOfItsOwn();
    void everyReplicaRunsAsTheOneDoes_data();
    void everyReplicaRunsAsTheOneDoes();
    void replicasShareNoMessage();
    void everyHolderReducesBehindItsLastWeightGradient();
    void aHolderWithoutPassesReducesAllTheSame();
    void reductionsTakeMemoryFromTheirPlaceOn();
    void impossibleNumbersAreRefused();
};

void ReplicasTest::oneReplicaIsThePipelineItself()
{
    const Design design = make("v-half", 4, 6);
    const Schedule order = plan(design).schedule;
    QVERIFY(replicated(design.pipeline, 1) == design.pipeline);
    QVERIFY(replicated(order, design.pipeline, 1) == order);
    QVERIFY(replicated(design.memory, 1) == design.memory);
}

void ReplicasTest::aReplicaIsARouteOfItsOwn()
{
    const Pipeline linear = replicated(pipeline(PlacementKind::Linear, 2, 2, 3), 3);
    QCOMPARE(linear.devices, 6);
    QCOMPARE(linear.stages, 2);
    QCOMPARE(linear.microBatches, 9);
    QCOMPARE(linear.routeCount(), 3);
    QVERIFY(!hasErrors(check(linear)));
    QVERIFY(linear.devicesOf(StageId { 1 }) == (std::vector { DeviceId { 1 }, DeviceId { 3 }, DeviceId { 5 } }));
    for (int j = 0; j < 9; ++j)
        QCOMPARE(linear.routeOf(MicroBatch { j }).value, j / 3);

    // Two routes, the first half of the micro-batches down and the second up, in each replica.
    const Pipeline chimera = replicated(make("chimera.pipeloom.json", 0, 0).pipeline, 2);
    QCOMPARE(chimera.routeCount(), 4);
    const std::vector<int> routes { 0, 0, 1, 1, 2, 2, 3, 3 };
    for (int j = 0; j < 8; ++j)
        QCOMPARE(chimera.routeOf(MicroBatch { j }).value, routes[static_cast<std::size_t>(j)]);
    QVERIFY(chimera.devicesOf(StageId { 0 })
        == (std::vector { DeviceId { 0 }, DeviceId { 3 }, DeviceId { 4 }, DeviceId { 7 } }));
}

void ReplicasTest::everyReplicaRunsAsTheOneDoes_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("replicas");
    for (const char* name : { "1f1b", "v-half", "zb-h2", "interleaved-1f1b", "chimera.pipeloom.json",
             "two-routes.pipeloom.json", "dualpipev.pipeloom.json" })
        for (const int replicas : { 2, 3, 8 })
            QTest::addRow("%d of %s", replicas, name) << QString(name) << replicas;
}

void ReplicasTest::everyReplicaRunsAsTheOneDoes()
{
    QFETCH(QString, schedule);
    QFETCH(int, replicas);
    const Design one = make(schedule, 4, 8);
    const Plan planned = plan(one);
    QVERIFY(planned.ok());
    const Pipeline all = replicated(one.pipeline, replicas);
    const Schedule order = replicated(planned.schedule, one.pipeline, replicas);
    const MemoryModel memory = replicated(one.memory, replicas);
    QVERIFY(!hasErrors(check(all)));
    const Findings ofOrder = check(order, all, one.costs);
    QVERIFY2(!hasErrors(ofOrder), ofOrder.empty() ? "" : text(ofOrder.front()).c_str());

    for (const QueueModel queue : { QueueModel::Ideal, QueueModel::Directed, QueueModel::Pair, QueueModel::Device }) {
        const Plan alone = plan(one, { {}, queue });
        const auto program = lower(order, all, one.network, queue);
        QVERIFY(program);
        const Findings found = check(*program, all, queue);
        QVERIFY2(found.empty(), found.empty() ? "" : text(found.front()).c_str());
        const auto timeline = simulate(*program, all, one.costs, one.network, queue);
        QVERIFY(timeline);
        if (queue == QueueModel::Directed)
            QCOMPARE(metrics(*timeline, memory).makespan(), alone.metrics.makespan());
        const std::vector<Bytes> high = peaks(*program, all, memory, one.network);
        QCOMPARE(high.size(), static_cast<std::size_t>(all.devices));
        if (queue == QueueModel::Directed)
            for (std::size_t d = 0; d < high.size(); ++d)
                QCOMPARE(high[d], alone.metrics.devices[d % static_cast<std::size_t>(one.pipeline.devices)].peak);
    }
}

void ReplicasTest::replicasShareNoMessage()
{
    const Design one = make("v-half", 4, 6);
    const Pipeline all = replicated(one.pipeline, 3);
    const auto program = lower(replicated(plan(one).schedule, one.pipeline, 3), all, one.network, QueueModel::Directed);
    QVERIFY(!program->channels.empty());
    for (const Channel& channel : program->channels)
        QCOMPARE(channel.from.value / 4, channel.to.value / 4);
    for (const Message& message : program->messages)
        QCOMPARE(message.from.value / 4, message.pass.microBatch.value / 6);
}

void ReplicasTest::everyHolderReducesBehindItsLastWeightGradient()
{
    const Design one = make("v-half", 4, 6);
    const Pipeline all = replicated(one.pipeline, 2);
    const Schedule order = replicated(plan(one).schedule, one.pipeline, 2);
    for (const QueueModel queue : { QueueModel::Directed, QueueModel::Pair }) {
        const auto program = lower(order, all, one.network, queue);
        for (std::int32_t d = 0; d < all.devices; ++d)
            for (const StageId stage : all.stagesOn(DeviceId { d })) {
                QCOMPARE(reductionsOf(*program, DeviceId { d }, stage), 1);
                const auto row = program->row(DeviceId { d });
                const auto reduce = std::find_if(row.begin(), row.end(),
                    [&](const Instruction& at) { return at.op == Op::Reduce && at.pass.stage == stage; });
                QVERIFY(std::none_of(reduce, row.end(), [&](const Instruction& at) {
                    return at.op == Op::Compute && at.pass.stage == stage && givesWeightGradient(at.pass.kind);
                }));
            }
    }
}

void ReplicasTest::aHolderWithoutPassesReducesAllTheSame()
{
    // All micro-batches go down: the devices hold the stages of the way up and have nothing to do for them.
    Design design = make("two-routes.pipeloom.json", 0, 0);
    design.pipeline.routeOfMicroBatch = { RouteId { 0 }, RouteId { 0 } };
    const auto slot = [](int stage, PassKind kind, int microBatch) {
        return Slot { { StageId { stage }, MicroBatch { microBatch }, kind }, {} };
    };
    const Schedule order = schedule(
        { { slot(0, PassKind::F, 0), slot(0, PassKind::F, 1), slot(0, PassKind::BW, 0), slot(0, PassKind::BW, 1) },
            { slot(1, PassKind::F, 0), slot(1, PassKind::BW, 0), slot(1, PassKind::F, 1), slot(1, PassKind::BW, 1) } });
    for (const QueueModel queue : { QueueModel::Directed, QueueModel::Pair }) {
        const auto program = lower(order, design.pipeline, design.network, queue);
        for (const int d : { 0, 1 })
            for (const int s : { 0, 1 })
                QCOMPARE(reductionsOf(*program, DeviceId { d }, StageId { s }), 1);
        QVERIFY(check(*program, design.pipeline, queue).empty());
    }
}

void ReplicasTest::reductionsTakeMemoryFromTheirPlaceOn()
{
    // 1F1B on two devices holds 2 and 1; when device 0 reduces, all its activations are gone.
    const Design one = make("1f1b", 2, 4);
    const Pipeline all = replicated(one.pipeline, 2);
    const auto program = lower(replicated(plan(one).schedule, one.pipeline, 2), all, one.network, QueueModel::Directed);
    const MemoryModel memory = replicated(one.memory, 2);
    const auto with = [&](Bytes reduction) {
        return peaks(*program, all, memory, one.network, { reduction, reduction });
    };
    QCOMPARE(with(0), (std::vector<Bytes> { 2, 1, 2, 1 }));
    QCOMPARE(with(1), (std::vector<Bytes> { 2, 1, 2, 1 }));
    QCOMPARE(with(5), (std::vector<Bytes> { 5, 5, 5, 5 }));
    QCOMPARE(peaks(*program, all, memory, one.network), with(0));

    // In Chimera the outer stages' twins still work when the inner ones reduce.
    const Design chimera = make("chimera.pipeloom.json", 0, 0);
    const std::vector<Bytes> high
        = peaks(plan(chimera).program, chimera.pipeline, chimera.memory, chimera.network, { 0, 0, 10, 10 });
    QCOMPARE(high, (std::vector<Bytes> { 12, 11, 11, 12 }));
}

void ReplicasTest::impossibleNumbersAreRefused()
{
    const Pipeline one = pipeline(PlacementKind::Linear, 64, 64, 256);
    QVERIFY(checkReplicas(one, 1).empty());
    QVERIFY(checkReplicas(one, 64).empty());
    for (const std::int32_t replicas : { 0, -1, 65, 2'000'000'000 }) {
        const Findings found = checkReplicas(one, replicas);
        QVERIFY(hasErrors(found));
        QCOMPARE(found.front().rule, std::string("pipeline/replicas"));
    }
    QVERIFY(hasErrors(checkReplicas(pipeline(PlacementKind::Linear, 2, 2, 4'000'000), 3)));
}

QTEST_APPLESS_MAIN(ReplicasTest)
#include "replicas_test.moc"
