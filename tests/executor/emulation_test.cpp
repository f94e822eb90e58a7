// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Rehearsals: passes that take their planned time. What a virtual clock says is held to the simulator, pass by pass.
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "core/program/lower.h"
#include "core/simulate/simulator.h"
#include "executor/emulation/emulation.h"

#include <QTest>

#include <algorithm>

using namespace pipeloom;
using namespace pipeloom::executor;

class EmulationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onAVirtualClockEveryPassEndsAsSimulated_data();
    void onAVirtualClockEveryPassEndsAsSimulated();
    void onAVirtualClockPairsAndTwoRoutesEndAsSimulated_data();
    void onAVirtualClockPairsAndTwoRoutesEndAsSimulated();
    void inRealTimePassesEndWhenPlanned();
    void case41WithoutWaitingForAllAStepTakesTheOwnSpan_data();
    void case41WithoutWaitingForAllAStepTakesTheOwnSpan();
    void postValidationInRealTimeKeepsItsDeadlines();
    void aRehearsalIsMarkedAndHasNoLoss();
    void whatOnlyAModelHasIsRefused();
    void aBrokenDesignIsRefused();

private:
    static Design made(const char* name, std::int32_t devices, std::int32_t microBatches, Ticks transfer = 0)
    {
        LibraryRequest request;
        request.devices = devices;
        request.microBatches = microBatches;
        request.transfer = transfer;
        return *findInLibrary(name)->make(request).design;
    }
    static void compareWithSimulated(const Design& design, const RunResult& result)
    {
        QVERIFY(result.ok());
        const auto program = lower(result.plan.schedule, design.pipeline, design.network, QueueModel::Directed);
        const auto simulated = simulate(*program, design.pipeline, design.costs, design.network, QueueModel::Directed);
        const Timeline& measured = result.measured;
        QCOMPARE(measured.passes.size(), simulated->passes.size());
        constexpr Ticks nsPerTick = 1'000'000; // tick_us 1000
        for (std::size_t i = 0; i < measured.passes.size(); ++i) {
            QVERIFY(measured.passes[i].pass == simulated->passes[i].pass);
            QCOMPARE(measured.passes[i].start, simulated->passes[i].start * nsPerTick);
            QCOMPARE(measured.passes[i].end, simulated->passes[i].end * nsPerTick);
        }
        QCOMPARE(measured.transfers.size(), simulated->transfers.size());
    }
};

void EmulationTest::onAVirtualClockEveryPassEndsAsSimulated_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("transfer");
    for (const char* name : { "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "v-min", "v-half", "v-zb" })
        for (const int transfer : { 0, 1, 3 })
            QTest::addRow("%s transfer %d", name, transfer) << QString(name) << 4 << transfer;
    QTest::newRow("v-half on 16") << QString("v-half") << 16 << 2;
}

void EmulationTest::onAVirtualClockEveryPassEndsAsSimulated()
{
    QFETCH(QString, schedule);
    QFETCH(int, devices);
    QFETCH(int, transfer);
    const Design design = made(schedule.toUtf8().constData(), devices, 2 * devices, transfer);
    RunOptions options;
    options.steps = 2;
    const RunResult result = emulate(design, options, EmulatedTime::Virtual);
    compareWithSimulated(design, result);
    QCOMPARE(result.steps.size(), std::size_t { 2 });
}

void EmulationTest::onAVirtualClockPairsAndTwoRoutesEndAsSimulated_data()
{
    QTest::addColumn<QString>("file");
    for (const char* name : { "chimera", "dualpipev", "two-routes" })
        QTest::newRow(name) << QString(PIPELOOM_SOURCE_DIR "/resources/designs/%1.pipeloom.json").arg(name);
}

void EmulationTest::onAVirtualClockPairsAndTwoRoutesEndAsSimulated()
{
    QFETCH(QString, file);
    const ReadDesign read = loadDesign(file.toStdString());
    QVERIFY(read.design.has_value());
    compareWithSimulated(*read.design, emulate(*read.design, {}, EmulatedTime::Virtual));
}

void EmulationTest::inRealTimePassesEndWhenPlanned()
{
    Design design = made("v-half", 4, 8);
    design.costs.tickUs = 2000;
    RunOptions options;
    options.steps = 2;
    const RunResult result = emulate(design, options, EmulatedTime::Real);
    QVERIFY(result.ok());
    QVERIFY(result.emulation.has_value());
    QCOMPARE(result.emulation->plannedMs, 106.0); // 53 ticks of 2 ms
    // No pass ends before it is planned to: that holds on the busiest machine. How late is for the benchmarks.
    const RunResult planned = emulate(design, options, EmulatedTime::Virtual);
    for (std::size_t i = 0; i < result.measured.passes.size(); ++i)
        QVERIFY(result.measured.passes[i].end >= planned.measured.passes[i].end);
    QVERIFY(result.steps.back().stepMs >= 106.0);
}

void EmulationTest::case41WithoutWaitingForAllAStepTakesTheOwnSpan_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<double>("together"); // ms of a step, tick_us 1000
    QTest::addColumn<double>("apart");
    QTest::newRow("zb-h2") << "zb-h2" << 27.0 << 24.0;
    QTest::newRow("zb-h1") << "zb-h1" << 27.0 << 27.0;
    QTest::newRow("1f1b") << "1f1b" << 33.0 << 33.0;
}

void EmulationTest::case41WithoutWaitingForAllAStepTakesTheOwnSpan()
{
    QFETCH(QString, schedule);
    QFETCH(double, together);
    QFETCH(double, apart);
    const Design design = made(schedule.toUtf8().constData(), 4, 8);
    RunOptions options;
    options.steps = 6;
    const RunResult synchronised = emulate(design, options, EmulatedTime::Virtual);
    options.optimizer = OptimizerMode::PostValidation;
    const RunResult ahead = emulate(design, options, EmulatedTime::Virtual);
    QVERIFY(synchronised.ok() && ahead.ok());
    QCOMPARE(synchronised.emulation->plannedMs, together);
    QCOMPARE(ahead.emulation->plannedMs, apart);
    for (const StepReport& step : synchronised.steps)
        QCOMPARE(step.stepMs, together);
    QCOMPARE(ahead.steps.front().stepMs, together); // its beginning is still the same for all
    for (std::size_t i = 1; i < ahead.steps.size(); ++i)
        QCOMPARE(ahead.steps[i].stepMs, apart);
    QCOMPARE(ahead.counts.ahead, std::int64_t { 5 });
    // One step on its own is the same in both.
    QCOMPARE(ahead.measuredMetrics.makespan(), synchronised.measuredMetrics.makespan());
    QCOMPARE(ahead.measuredMetrics.ownSpan, synchronised.measuredMetrics.ownSpan);
}

void EmulationTest::postValidationInRealTimeKeepsItsDeadlines()
{
    Design design = made("zb-h2", 4, 8);
    design.costs.tickUs = 1000;
    RunOptions options;
    options.steps = 4;
    options.optimizer = OptimizerMode::PostValidation;
    const RunResult result = emulate(design, options, EmulatedTime::Real);
    QVERIFY(result.ok());
    QCOMPARE(result.emulation->plannedMs, 24.0);
    double sum = 0;
    for (const StepReport& step : result.steps)
        sum += step.stepMs;
    QVERIFY(sum >= 27.0 + 3 * 24.0); // no pass ends before it is planned to
}

void EmulationTest::aRehearsalIsMarkedAndHasNoLoss()
{
    const RunResult result = emulate(made("1f1b", 2, 4), {}, EmulatedTime::Virtual);
    QVERIFY(result.emulation && result.emulation->isVirtual);
    QCOMPARE(result.model.layers, 0);
    QCOMPARE(result.steps.size(), std::size_t { 3 });
    QCOMPARE(result.steps.front().stepMs, 15.0); // (m + p - 1) * 3
}

void EmulationTest::whatOnlyAModelHasIsRefused()
{
    RunOptions options;
    options.verify = true;
    options.checkpointDir = "somewhere";
    const RunResult result = emulate(made("1f1b", 2, 4), options, EmulatedTime::Virtual);
    QCOMPARE(result.outcome, Outcome::Refused);
    QCOMPARE(std::count_if(result.findings.begin(), result.findings.end(),
                 [](const Finding& finding) { return finding.rule == "run/options"; }),
        2);
}

void EmulationTest::aBrokenDesignIsRefused()
{
    Design broken = made("v-half", 4, 8);
    std::get<BuildingBlock>(broken.plan).passes.pop_back();
    const RunResult result = emulate(broken, {}, EmulatedTime::Virtual);
    QCOMPARE(result.outcome, Outcome::Refused);
    QVERIFY(hasErrors(result.findings));
}

QTEST_APPLESS_MAIN(EmulationTest)
#include "emulation_test.moc"
