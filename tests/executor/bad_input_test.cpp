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
    void anImpossibleNumberOfReplicasIsRefused();
    void noRoundsAreRefused();
    void aLimitInBytesIsHeldWithWhatReductionsTake();
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

void BadInputTest::anImpossibleNumberOfReplicasIsRefused()
{
    for (const std::int32_t replicas : { 0, -3, 2049, 2'000'000'000 }) {
        auto options = trainingOptions(1);
        options.replicas = replicas;
        const auto result = run(trainingDesign("1f1b", 2, 2), options);
        QVERIFY(result.outcome == Outcome::Refused);
        QVERIFY2(hasFinding(result, "pipeline/replicas"), said(result).c_str());
    }
}

void BadInputTest::noRoundsAreRefused()
{
    for (const std::int64_t rounds : { std::int64_t { 0 }, std::int64_t { 1 } << 40 }) {
        auto design = trainingDesign("1f1b", 2, 2);
        design.training->accumulate = rounds;
        const auto result = run(design, trainingOptions(1));
        QVERIFY(result.outcome == Outcome::Refused);
        QVERIFY2(hasFinding(result, "training/accumulate"), said(result).c_str());
    }
}

void BadInputTest::aLimitInBytesIsHeldWithWhatReductionsTake()
{
    // A model of wide layers and short sequences: packed gradients are larger than all that passes hold.
    auto design = trainingDesign("gpipe", 2, 1);
    design.model->hidden = 128;
    design.model->sequence = 4;
    design.memory.unit = MemoryUnit::Byte;
    const auto alone = run(design, trainingOptions(1));
    QVERIFY2(alone.ok(), said(alone).c_str());
    auto options = trainingOptions(1);
    options.replicas = 2;
    const auto two = run(design, options);
    QVERIFY2(two.ok(), said(two).c_str());
    const auto least = alone.devices[0].predicted.total;
    const auto most = two.devices[0].predicted.total;
    QVERIFY(most > least);
    design.memory.limit.assign(2, std::max(most, two.devices[1].predicted.total));
    QVERIFY2(run(design, options).ok(), "at the limit");
    design.memory.limit[0] = most - 1;
    const auto result = run(design, options);
    QVERIFY(result.outcome == Outcome::Refused);
    QVERIFY2(hasFinding(result, "memory/limit"), said(result).c_str());
    QVERIFY2(run(design, trainingOptions(1)).ok(), "without reductions it fits");
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
