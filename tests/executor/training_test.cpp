// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Whole training runs with the real model, small: every schedule trains the same model, verified against the unpipelined one.

#include "tests/executor/training_designs.h"

#include <QTest>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

class TrainingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyScheduleTrainsTheSameModelAndIsVerified_data();
    void everyScheduleTrainsTheSameModelAndIsVerified();
    void theLossFalls();
    void case7FewerMicroBatchesThanDevicesTrainWithAWarning();
    void case34AnySizeAndLengthOfMicroBatchesGivesTheRightGradients_data();
    void case34AnySizeAndLengthOfMicroBatchesGivesTheRightGradients();
    void case23ThePeakDoesNotRiseWithTheNumberOfMicroBatches();
    void measuredMemoryIsThePlannedOne_data();
    void measuredMemoryIsThePlannedOne();
    void theMeasuredTimelineHasEveryPassOnceAndItsPartsAddUp();
    void aDesignWithoutModelTrainsASmallOneAndSaysSo();
    void anOverlappedPairTrainsTheSameModel();
};

namespace {

/// What the unpipelined model does, in one stage on one device.
std::vector<double> expectedLosses(std::int64_t steps)
{
    std::vector<double> losses;
    for (const auto& step : run(trainingDesign("gpipe", 1, 8), trainingOptions(steps)).steps)
        losses.push_back(step.loss);
    return losses;
}

Bytes activations(const MemoryUse& use) { return use.byClass[static_cast<std::size_t>(MemoryClass::Activations)]; }

} // namespace

void TrainingTest::everyScheduleTrainsTheSameModelAndIsVerified_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("devices");
    for (const auto* name : { "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "v-min", "v-half", "v-zb" })
        QTest::newRow(name) << name << 4;
    QTest::newRow("1f1b on 8 devices") << "1f1b" << 8;
}

void TrainingTest::everyScheduleTrainsTheSameModelAndIsVerified()
{
    QFETCH(QString, schedule);
    QFETCH(int, devices);
    auto options = trainingOptions(5);
    options.verify = true;
    const auto result = run(trainingDesign(schedule.toUtf8().constData(), devices, 8), options);
    QVERIFY2(result.ok(), said(result).c_str());
    QVERIFY(result.verify);
    QVERIFY2(result.verify->worst <= 1e-5, result.verify->parameter.c_str());
    QVERIFY2(result.verify->worst > 0 || result.verify->parameter == "loss", "something was compared");

    static const auto expected = expectedLosses(5);
    QCOMPARE(result.steps.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(result.steps[i].loss - expected[i]) <= 1e-5 * expected[i],
            qPrintable(QString("step %1: %2, not %3")
                           .arg(i)
                           .arg(result.steps[i].loss, 0, 'g', 9)
                           .arg(expected[i], 0, 'g', 9)));
}

void TrainingTest::theLossFalls()
{
    auto design = trainingDesign("v-half", 4, 8);
    design.training->learningRate = 1e-2;
    const auto result = run(design, trainingOptions(40));
    QVERIFY2(result.ok(), said(result).c_str());
    QVERIFY(result.steps.front().loss > 5 && result.steps.front().loss < 6.5); // ln 256 = 5.5
    QVERIFY2(result.steps.back().loss < 0.7 * result.steps.front().loss,
        qPrintable(QString::number(result.steps.back().loss)));
}

void TrainingTest::case7FewerMicroBatchesThanDevicesTrainWithAWarning()
{
    for (const auto* name : { "1f1b", "gpipe" }) {
        for (const int microBatches : { 1, 4 }) {
            auto options = trainingOptions(1);
            options.verify = true;
            const auto result = run(trainingDesign(name, 8, microBatches), options);
            QVERIFY2(result.ok(), said(result).c_str());
            QVERIFY(hasFinding(result, "pipeline/few-micro-batches"));
        }
    }
}

void TrainingTest::case34AnySizeAndLengthOfMicroBatchesGivesTheRightGradients_data()
{
    QTest::addColumn<int>("devices"); // and micro-batches
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("length");
    // A design gives the size of each micro-batch, not of all together: there is no smaller last one.
    QTest::newRow("three times eight") << 3 << 8 << 16;
    QTest::newRow("length 10") << 2 << 1 << 10;
    QTest::newRow("length 12") << 2 << 1 << 12;
}

void TrainingTest::case34AnySizeAndLengthOfMicroBatchesGivesTheRightGradients()
{
    QFETCH(int, devices);
    QFETCH(int, size);
    QFETCH(int, length);
    auto design = trainingDesign("1f1b", devices, devices);
    design.model->microBatchSize = size;
    design.model->sequence = length;
    auto options = trainingOptions(1);
    options.verify = true;
    const auto result = run(design, options);
    QVERIFY2(result.ok(), said(result).c_str());
    QVERIFY(result.verify);
    QVERIFY2(result.verify->worst <= 1e-5, result.verify->parameter.c_str());
}

void TrainingTest::case23ThePeakDoesNotRiseWithTheNumberOfMicroBatches()
{
    std::vector<Bytes> first;
    for (const int microBatches : { 4, 16, 64 }) {
        const auto result = run(trainingDesign("zb-h1", 2, microBatches), trainingOptions(2));
        QVERIFY2(result.ok(), said(result).c_str());
        for (std::size_t d = 0; d < 2; ++d) {
            const auto peak = result.devices[d].peak.total;
            if (first.size() < 2)
                first.push_back(peak);
            const auto rise = std::abs(static_cast<double>(peak - first[d])) / static_cast<double>(first[d]);
            QVERIFY2(rise <= 0.05, qPrintable(QString("device %1, m=%2: %3").arg(d).arg(microBatches).arg(rise)));
        }
    }
}

void TrainingTest::measuredMemoryIsThePlannedOne_data()
{
    QTest::addColumn<QString>("schedule");
    for (const auto* name : { "gpipe", "1f1b", "zb-h1", "v-min", "v-half" })
        QTest::newRow(name) << name;
}

void TrainingTest::measuredMemoryIsThePlannedOne()
{
    QFETCH(QString, schedule);
    const auto result = run(trainingDesign(schedule.toUtf8().constData(), 4, 8), trainingOptions(3));
    QVERIFY2(result.ok(), said(result).c_str());
    for (const auto& device : result.devices) {
        const auto measured = static_cast<double>(activations(device.peak));
        const auto planned = static_cast<double>(activations(device.predicted));
        QVERIFY2(std::abs(measured / planned - 1) < 0.02, qPrintable(QString("%1 of %2").arg(measured).arg(planned)));
        for (const auto use : { MemoryClass::Weights, MemoryClass::Gradients, MemoryClass::Optimizer }) {
            const auto i = static_cast<std::size_t>(use);
            QVERIFY(device.peak.byClass[i] >= device.predicted.byClass[i]);
        }
        QCOMPARE(device.peak.byClass[0], device.predicted.byClass[0]);
    }
}

void TrainingTest::theMeasuredTimelineHasEveryPassOnceAndItsPartsAddUp()
{
    const auto design = trainingDesign("v-half", 4, 8);
    const auto result = run(design, trainingOptions(2));
    QVERIFY2(result.ok(), said(result).c_str());
    QCOMPARE(result.measured.devices(), 4);
    QCOMPARE(result.measured.passes.size(), result.plan.timeline.passes.size());
    for (std::int32_t d = 0; d < 4; ++d) {
        const auto measured = result.measured.row(DeviceId { d });
        const auto planned = result.plan.schedule.row(DeviceId { d });
        for (std::size_t i = 0; i < measured.size(); ++i) {
            QVERIFY(measured[i].pass == planned[i].first);
            QVERIFY(measured[i].end > measured[i].start);
            QVERIFY(i == 0 || measured[i].start >= measured[i - 1].end);
        }
        const auto& device = result.devices[static_cast<std::size_t>(d)];
        const auto parts = device.busyMs + device.transferMs + device.waitMs;
        QVERIFY(std::abs(parts - result.steps.back().stepMs) < 1e-6);
    }
    QVERIFY(result.measuredMetrics.makespan() > 0);
    QVERIFY(result.replayedMs && *result.replayedMs > 0);
    for (const auto& transfer : result.measured.transfers)
        QVERIFY(transfer.end >= transfer.start);
}

void TrainingTest::aDesignWithoutModelTrainsASmallOneAndSaysSo()
{
    auto design = trainingDesign("1f1b", 2, 2);
    design.model.reset();
    design.training.reset();
    const auto result = run(design, trainingOptions(1));
    QVERIFY2(result.ok(), said(result).c_str());
    QVERIFY(result.defaultModel);
    QVERIFY(result.model.layers >= 2);
    QVERIFY(result.notes.front().find("no model") != std::string::npos);
}

void TrainingTest::anOverlappedPairTrainsTheSameModel()
{
    auto design = trainingDesign("1f1b", 3, 2);
    const Slot f0 { { StageId { 1 }, MicroBatch { 0 }, PassKind::F }, {} };
    const Slot both { { StageId { 1 }, MicroBatch { 1 }, PassKind::F },
        { StageId { 1 }, MicroBatch { 0 }, PassKind::BW } };
    const Slot last { { StageId { 1 }, MicroBatch { 1 }, PassKind::BW }, {} };
    const auto single = [](int stage, PassKind kind, int microBatch) {
        return Slot { { StageId { stage }, MicroBatch { microBatch }, kind }, {} };
    };
    design.plan = schedule({ { single(0, PassKind::F, 0), single(0, PassKind::F, 1), single(0, PassKind::BW, 0),
                                 single(0, PassKind::BW, 1) },
        { f0, both, last },
        { single(2, PassKind::F, 0), single(2, PassKind::BW, 0), single(2, PassKind::F, 1),
            single(2, PassKind::BW, 1) } });
    design.reorder.reset();
    auto options = trainingOptions(1);
    options.verify = true;
    const auto result = run(design, options);
    QVERIFY2(result.ok(), said(result).c_str());
}

QTEST_APPLESS_MAIN(TrainingTest)
#include "training_test.moc"
