// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_file.h"
#include "tests/core/formats/design_texts.h"

#include <QtTest>

#include <algorithm>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

std::vector<std::int64_t> devicesOf(const Placement& placement)
{
    std::vector<std::int64_t> numbers;
    for (const DeviceId device : placement)
        numbers.push_back(device.value);
    return numbers;
}

using Numbers = std::vector<std::int64_t>;

} // namespace

class DesignReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKeyOfTheFrameArrives();
    void everyKeyOfTheCostsArrives();
    void everyKeyOfTheBlockArrives();
    void everyKeyOfModelAndTrainingArrives();
    void everyKeyOfAScheduleArrives();
    void bothTextsAreCanonical();
    void whatIsLeftOutHasItsDefault();
    void fusedBackwardLeftOutIsTheSumOfItsParts();
    void brokenButWellFormedDesignsAreRead_data();
    void brokenButWellFormedDesignsAreRead();
};

void DesignReaderTest::everyKeyOfTheFrameArrives()
{
    const ReadDesign read = readDesign(blockDesign);
    QVERIFY2(read.design.has_value(), qPrintable(wordsOf(read.findings)));
    QCOMPARE(wordsOf(read.findings), QString());
    const Design& design = *read.design;
    QCOMPARE(design.name, std::string("All keys"));
    QCOMPARE(design.notes, std::string("none at its default"));
    QCOMPARE(design.pipeline.devices, 2);
    QCOMPARE(design.pipeline.stages, 3);
    QCOMPARE(design.pipeline.microBatches, 4);
    QCOMPARE(design.pipeline.kind, PlacementKind::List);
    QCOMPARE(design.pipeline.rule, RouteRule::Single);
    QCOMPARE(devicesOf(design.pipeline.routes.at(0)), Numbers({ 0, 1, 0 }));
    QCOMPARE(design.reorder->rule, ReorderRule::Weights);
    QCOMPARE(design.reorder->aim, ReorderAim::OwnSpan);
    QCOMPARE(design.view, std::string("{ \"zoom\":2 }"));
}

void DesignReaderTest::everyKeyOfTheCostsArrives()
{
    const Design design = readDesign(blockDesign).design.value();
    QCOMPARE(design.costs.tickUs, 2.5);
    QCOMPARE(design.costs.ticks.values[0], Numbers({ 1, 2, 3 }));
    QCOMPARE(design.costs.ticks.values[1], Numbers({ 2, 2, 2 }));
    QCOMPARE(design.costs.ticks.values[2], Numbers({ 3, 3, 3 }));
    QCOMPARE(design.costs.ticks.values[3], Numbers({ 4, 4, 4 }));
    QVERIFY(design.costs.pair == Ticks { 6 });
    const MemoryModel& memory = design.memory;
    QCOMPARE(memory.unit, MemoryUnit::Byte);
    QCOMPARE(memory.change.values[0], Numbers({ 10, 20, 30 }));
    QCOMPARE(memory.change.values[1], Numbers({ -1, -1, -1 }));
    QCOMPARE(memory.change.values[2], Numbers({ -2, -2, -2 }));
    QCOMPARE(memory.change.values[3], Numbers({ -3, -3, -3 }));
    QCOMPARE(memory.transient.values[0], Numbers({ 1, 1, 1 }));
    QCOMPARE(memory.transient.values[1], Numbers({ 2, 2, 2 }));
    QCOMPARE(memory.transient.values[2], Numbers({ 3, 3, 3 }));
    QCOMPARE(memory.transient.values[3], Numbers({ 4, 5, 6 }));
    QCOMPARE(memory.fixed, Numbers({ 100, 200 }));
    QCOMPARE(memory.communication, Numbers({ 7, 7 }));
    QVERIFY(!memory.limit.at(0).has_value());
    QVERIFY(memory.limit.at(1) == Bytes { 500 });
    const Network& network = design.network;
    QCOMPARE(network.queue, QueueModel::Pair);
    QVERIFY(network.transfer.empty());
    QCOMPARE(network.latency, Ticks { 3 });
    QCOMPARE(network.bytesPerTick, Bytes { 10 });
    QCOMPARE(network.bytes, Numbers({ 100, 101 }));
    QCOMPARE(network.window, 2);
    QCOMPARE(network.transferTicks(StageId { 1 }), Ticks { 3 + 11 });
}

void DesignReaderTest::everyKeyOfTheBlockArrives()
{
    const Design design = readDesign(blockDesign).design.value();
    const BuildingBlock& block = *design.block();
    QCOMPARE(block.interval, Ticks { 6 });
    QCOMPARE(block.group, 2);
    QCOMPARE(block.durations.values[0], Numbers({ 1, 1, 2 }));
    QCOMPARE(block.durations.values[1], Numbers({ 2, 2, 2 }));
    QCOMPARE(block.durations.values[2], Numbers({ 4, 4, 4 }));
    QCOMPARE(block.durations.values[3], Numbers({ 3, 3, 3 }));
    const Pass f0 { StageId { 0 }, MicroBatch { 0 }, PassKind::F };
    const Pass f2 { StageId { 2 }, MicroBatch { 1 }, PassKind::F };
    const Pass f1 { StageId { 1 }, MicroBatch { 1 }, PassKind::F };
    const Pass bw1 { StageId { 1 }, MicroBatch { 0 }, PassKind::BW };
    QCOMPARE(block.passes.size(), std::size_t { 4 });
    QVERIFY((block.passes[0] == BlockPass { DeviceId { 0 }, { f0, {} }, 0 }));
    QVERIFY((block.passes[1] == BlockPass { DeviceId { 0 }, { f2, {} }, 7 }));
    QVERIFY((block.passes[3] == BlockPass { DeviceId { 1 }, { f1, bw1 }, 3 }));
}

void DesignReaderTest::everyKeyOfModelAndTrainingArrives()
{
    const Design design = readDesign(blockDesign).design.value();
    QVERIFY((design.model == Model { 6, 8, 2, 16, 5, 300 }));
    Training training;
    training.steps = 10;
    training.seed = 0;
    training.learningRate = 0.001;
    training.warmup = 1;
    training.decay = 2;
    training.weightDecay = 0.5;
    training.clip = 1.25;
    training.accumulate = 2;
    training.precision = Precision::Bf16;
    training.evaluateEvery = 5;
    training.checkpointEvery = 6;
    training.layersPerStage = { 1, 2, 3 };
    training.data = { "a.txt", "b.txt" };
    QVERIFY(design.training == training);
}

void DesignReaderTest::everyKeyOfAScheduleArrives()
{
    const ReadDesign read = readDesign(scheduleDesign);
    QVERIFY2(read.design.has_value(), qPrintable(wordsOf(read.findings)));
    const Pipeline& pipeline = read.design->pipeline;
    QCOMPARE(pipeline.routeCount(), 2);
    QCOMPARE(devicesOf(pipeline.routes[1]), Numbers({ 1, 0 }));
    QCOMPARE(pipeline.rule, RouteRule::List);
    QCOMPARE(pipeline.routeOf(MicroBatch { 1 }), RouteId { 1 });
    QCOMPARE(read.design->network.transfer, Numbers({ 2 }));
    const Schedule& schedule = *read.design->schedule();
    QCOMPARE(schedule.devices(), 2);
    QCOMPARE(schedule.row(DeviceId { 0 }).size(), std::size_t { 4 });
    QCOMPARE(text(schedule.row(DeviceId { 1 })[2]), std::string("1BW0"));
}

void DesignReaderTest::bothTextsAreCanonical()
{
    QCOMPARE(writeDesign(readDesign(blockDesign).design.value()), std::string(blockDesign));
    QCOMPARE(writeDesign(readDesign(scheduleDesign).design.value()), std::string(scheduleDesign));
}

void DesignReaderTest::whatIsLeftOutHasItsDefault()
{
    const Design design = readDesign(R"({"pipeloom":1,
        "pipeline":{"devices":2,"stages":4,"micro_batches":3,"placement":"v"},"block":{"interval":1,"rows":["",""]}})")
                              .design.value();
    QVERIFY(design == emptyDesign(pipeline(PlacementKind::V, 2, 4, 3)));
    QCOMPARE(design.costs.ticks.values[3], Numbers({ 2, 2, 2, 2 }));
    QCOMPARE(design.block()->durations.values[3], Numbers({ 2, 2, 2, 2 }));
    QCOMPARE(design.memory.change.values[2], Numbers({ -1, -1, -1, -1 }));
    QVERIFY(design.memory.limit == std::vector<std::optional<Bytes>>(2));
    QCOMPARE(design.network.window, 4);
    QVERIFY(!design.reorder.has_value() && !design.model.has_value() && !design.training.has_value());
}

void DesignReaderTest::fusedBackwardLeftOutIsTheSumOfItsParts()
{
    const Design design = readDesign(changed(Base::Block, "\"BW\": 4,\n    \"pair\"", "\"pair\"")).design.value();
    QCOMPARE(design.costs.ticks.values[3], Numbers({ 5, 5, 5 }));
    // Not so for what a block is drawn with, nor for memory: FORMAT.md gives these a number.
    const Design drawn = readDesign(changed(Base::Block, ", \"W\": 4, \"BW\": 3", ", \"W\": 4")).design.value();
    QCOMPARE(drawn.block()->durations.values[3], Numbers({ 2, 2, 2 }));
    const Design held = readDesign(changed(Base::Block, "\"BW\": -3,", "")).design.value();
    QCOMPARE(held.memory.change.values[3], Numbers({ -1, -1, -1 }));
}

void DesignReaderTest::brokenButWellFormedDesignsAreRead_data()
{
    QTest::addColumn<Base>("base");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("a collision") << Base::Block << "0F0@0 2F1@7"
                                 << "0F0@0 2F1@0";
    QTest::newRow("an empty block") << Base::Block << "\"0F0@0 2F1@7\",\n      \"1F0@1 (1F1+1BW0)@3\""
                                    << R"("", "")";
    QTest::newRow("a stage twice") << Base::Block << "0F0@0 2F1@7"
                                   << "0F0@0 0F0@3";
    QTest::newRow("a pass in another row") << Base::Block << "0F0@0 2F1@7"
                                           << "1F0@0";
    QTest::newRow("a pair of two F") << Base::Block << "(1F1+1BW0)@3"
                                     << "(1F1+1F0)@3";
    QTest::newRow("more blanks than needed") << Base::Block << "0F0@0 2F1@7"
                                             << "  0F0@0   2F1@7 ";
    QTest::newRow("a pass twice in a schedule") << Base::Scheduled << "0F0 1F1 1BW1 0BW0"
                                                << "0F0 0F0";
    QTest::newRow("a deadlock") << Base::Scheduled << "0F0 1F1 1BW1 0BW0"
                                << "0BW0 1BW1 1F1 0F0";
    QTest::newRow("a device without stages") << Base::Scheduled << "[[0, 1], [1, 0]]"
                                             << "[[0, 0], [0, 0]]";
    QTest::newRow("an empty schedule") << Base::Scheduled << "\"0F0 1F1 1BW1 0BW0\",\n      \"0F1 1F0 1BW0 0BW1\""
                                       << R"("","")";
    QTest::newRow("memory that leaks") << Base::Block << "\"B\": -1"
                                       << "\"B\": 1000";
    QTest::newRow("a pair that is too fast") << Base::Block << "\"pair\": 6"
                                             << "\"pair\": 0";
    QTest::newRow("data as one file") << Base::Block << R"(["a.txt", "b.txt"])"
                                      << R"("a.txt")";
    QTest::newRow("bytes beside transfer") << Base::Scheduled << "\"transfer\": 2"
                                           << R"("transfer": 2, "bytes": 5)";
}

void DesignReaderTest::brokenButWellFormedDesignsAreRead()
{
    QFETCH(Base, base);
    QFETCH(QString, from);
    QFETCH(QString, to);
    const ReadDesign read = readDesign(changed(base, from, to));
    QVERIFY2(read.design.has_value(), qPrintable(wordsOf(read.findings)));
    QVERIFY2(read.findings.empty(), qPrintable(wordsOf(read.findings)));
    // And it saves.
    const ReadDesign again = readDesign(writeDesign(*read.design));
    QVERIFY(again.design == read.design);
}

QTEST_APPLESS_MAIN(DesignReaderTest)
#include "design_reader_test.moc"
