// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// What cannot be run is refused before a thread is started, with a finding and the right way to end.

#include "tests/executor/training_designs.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

class BadInputTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMissingWeightPassIsRefused();
    void devicesThatWaitForEachOtherAreRefused();
    void fewerLayersThanStagesAreRefused();
    void noDevicesAreRefused();
    void twoRoutesAreRefused();
    void anEmptyTextIsUnreadable();
    void aMissingTextIsUnreadable();
    void noTextAtAllIsUnreadable();
    void aLimitInBytesIsHeldToWhatThePassesReallyTake();
    void aTimeLimitOfNothingIsRefused();
    void stoppingInTheMiddleIsAnInterruption();
    void aLossThatOverflowsEndsTheRunAsFailed();
    void theQueueModelOfTheDesignDoesNotMatter();
};

namespace {

bool isRefused(const Design& design, Outcome outcome = Outcome::Refused, RunOptions options = trainingOptions(1))
{
    const auto result = run(design, options);
    const bool ok = result.outcome == outcome && hasErrors(result.findings) && result.steps.empty();
    if (!ok)
        qWarning("%s", said(result).c_str());
    return ok;
}

} // namespace

void BadInputTest::aMissingWeightPassIsRefused()
{
    auto design = trainingDesign("zb-h1", 2, 4);
    auto& passes = std::get<BuildingBlock>(design.plan).passes;
    const auto weights = std::find_if(
        passes.begin(), passes.end(), [](const BlockPass& pass) { return pass.slot.first.kind == PassKind::W; });
    passes.erase(weights);
    QVERIFY(isRefused(design));
}

void BadInputTest::devicesThatWaitForEachOtherAreRefused()
{
    auto design = trainingDesign("1f1b", 2, 2);
    const auto pass = [](int stage, PassKind kind, int microBatch) {
        return Slot { { StageId { stage }, MicroBatch { microBatch }, kind }, {} };
    };
    design.plan = schedule(
        { { pass(0, PassKind::F, 0), pass(0, PassKind::BW, 0), pass(0, PassKind::F, 1), pass(0, PassKind::BW, 1) },
            { pass(1, PassKind::F, 0), pass(1, PassKind::F, 1), pass(1, PassKind::BW, 0), pass(1, PassKind::BW, 1) } });
    design.reorder.reset();
    QVERIFY(isRefused(design));
}

void BadInputTest::fewerLayersThanStagesAreRefused()
{
    auto design = trainingDesign("v-half", 4, 8);
    design.model->layers = 7;
    QVERIFY(isRefused(design));
}

void BadInputTest::noDevicesAreRefused()
{
    auto design = trainingDesign("1f1b", 2, 2);
    design.pipeline.devices = 0;
    QVERIFY(isRefused(design));
}

void BadInputTest::twoRoutesAreRefused()
{
    auto design = trainingDesign("1f1b", 2, 2);
    const auto pass = [](int stage, PassKind kind, int microBatch) {
        return Slot { { StageId { stage }, MicroBatch { microBatch }, kind }, {} };
    };
    design.pipeline.kind = PlacementKind::List;
    design.pipeline.routes = { { DeviceId { 0 }, DeviceId { 1 } }, { DeviceId { 1 }, DeviceId { 0 } } };
    design.pipeline.rule = RouteRule::Alternate;
    design.plan = schedule(
        { { pass(0, PassKind::F, 0), pass(1, PassKind::F, 1), pass(1, PassKind::BW, 1), pass(0, PassKind::BW, 0) },
            { pass(0, PassKind::F, 1), pass(1, PassKind::F, 0), pass(1, PassKind::BW, 0), pass(0, PassKind::BW, 1) } });
    design.reorder.reset();
    QVERIFY(isRefused(design));
}

void BadInputTest::anEmptyTextIsUnreadable()
{
    const QTemporaryDir folder;
    auto options = trainingOptions(1);
    options.data = { folder.filePath("empty").toStdString() };
    writeAll(options.data[0], "");
    QVERIFY(isRefused(trainingDesign("1f1b", 2, 2), Outcome::Unreadable, options));
}

void BadInputTest::aMissingTextIsUnreadable()
{
    auto options = trainingOptions(1);
    options.data = { "/nowhere/at/all" };
    QVERIFY(isRefused(trainingDesign("1f1b", 2, 2), Outcome::Unreadable, options));
}

void BadInputTest::noTextAtAllIsUnreadable()
{
    auto options = trainingOptions(1);
    options.data.clear();
    QVERIFY(isRefused(trainingDesign("1f1b", 2, 2), Outcome::Unreadable, options));
}

void BadInputTest::aLimitInBytesIsHeldToWhatThePassesReallyTake()
{
    auto design = trainingDesign("v-half", 4, 8);
    design.memory.unit = MemoryUnit::Byte;
    for (const Bytes limit : { Bytes { 100'000 }, Bytes { 100'000'000 } }) {
        design.memory.limit.assign(4, limit);
        const auto result = run(design, trainingOptions(1));
        QVERIFY2((result.outcome == Outcome::Finished) == (limit > 1'000'000), said(result).c_str());
        QVERIFY(result.outcome == Outcome::Finished || result.outcome == Outcome::Refused);
    }
}

void BadInputTest::aTimeLimitOfNothingIsRefused()
{
    for (const double limit : { 0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e300 }) {
        auto options = trainingOptions(1);
        options.timeoutSeconds = limit;
        QVERIFY(isRefused(trainingDesign("1f1b", 2, 2), Outcome::Refused, options));
    }
}

void BadInputTest::stoppingInTheMiddleIsAnInterruption()
{
    std::stop_source source;
    auto options = trainingOptions(1'000'000);
    options.stop = source.get_token();
    options.onStep = [&](const StepReport& report) {
        if (report.step == 2)
            source.request_stop();
    };
    const auto result = run(trainingDesign("1f1b", 2, 2), options);
    QVERIFY(result.outcome == Outcome::Interrupted);
    QVERIFY(result.steps.size() >= 3);
    QCOMPARE(result.devices.size(), std::size_t { 2 });
}

void BadInputTest::aLossThatOverflowsEndsTheRunAsFailed()
{
    auto design = trainingDesign("1f1b", 2, 2);
    design.training->learningRate = 1e30;
    const auto result = run(design, trainingOptions(50));
    QVERIFY2(result.outcome == Outcome::Failed, said(result).c_str());
    QVERIFY2(hasFinding(result, "run/nan"), said(result).c_str());
}

void BadInputTest::theQueueModelOfTheDesignDoesNotMatter()
{
    auto design = trainingDesign("1f1b", 2, 4);
    design.network.queue = QueueModel::Device;
    const auto result = run(design, trainingOptions(1));
    QVERIFY2(result.ok(), said(result).c_str());
}

QTEST_APPLESS_MAIN(BadInputTest)
#include "bad_input_test.moc"
