// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Training with stages on several devices, with the real model: two routes, overlapped pairs, replicas of a pipeline. All train
// what one pipeline trains on the same micro-batches.

#include "core/formats/design_file.h"
#include "executor/checkpoint.h"
#include "executor/emulation/emulation.h"
#include "executor/local_run.h"
#include "executor/run_preparation.h"
#include "tests/executor/training_designs.h"
#include "tests/support/text_rows.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

/// One of the examples, or of the library by name.
Design designOf(const QString& name, int microBatches)
{
    Design design = trainingDesign("1f1b", 4, 8);
    if (name.endsWith(".json")) {
        Design example = *loadDesign(sourceFile("resources/designs/") + name.toStdString()).design;
        example.model = design.model;
        example.training = design.training;
        return example;
    }
    return trainingDesign(name.toUtf8().constData(), 4, microBatches);
}

/// What the unpipelined model does, in one stage on one device.
std::vector<double> expectedLosses(std::int64_t steps, int microBatches)
{
    std::vector<double> losses;
    for (const auto& step : run(trainingDesign("gpipe", 1, microBatches), trainingOptions(steps)).steps)
        losses.push_back(step.loss);
    return losses;
}

void compareLosses(const RunResult& result, const std::vector<double>& expected)
{
    QCOMPARE(result.steps.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(result.steps[i].loss - expected[i]) <= 1e-5 * expected[i],
            qPrintable(QString("step %1: %2, not %3")
                           .arg(i)
                           .arg(result.steps[i].loss, 0, 'g', 9)
                           .arg(expected[i], 0, 'g', 9)));
}

Bytes passing(const MemoryUse& use) { return use.byClass[static_cast<std::size_t>(MemoryClass::Passing)]; }

} // namespace

class ReplicasTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stagesOnSeveralDevicesTrainTheSameModel_data();
    void stagesOnSeveralDevicesTrainTheSameModel();
    void theLossesAreTheSameBitsFromRunToRun();
    void allHoldersKeepTheSameBits_data();
    void allHoldersKeepTheSameBits();
    void reportsAreOfAllDevices();
    void memoryIsThePlannedOne_data();
    void memoryIsThePlannedOne();
    void aCheckpointHasEachStageOnceAndGoesOnWithTheSameBits_data();
    void aCheckpointHasEachStageOnceAndGoesOnWithTheSameBits();
    void aCheckpointOfReplicasGoesOnInOnePipeline();
    void case5AccumulatedGradientsAreThoseOfAllRounds_data();
    void case5AccumulatedGradientsAreThoseOfAllRounds();
    void rehearsalsHaveReplicasToo();

private:
    QTemporaryDir folder_;
};

void ReplicasTest::stagesOnSeveralDevicesTrainTheSameModel_data()
{
    QTest::addColumn<QString>("design");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<int>("replicas");
    QTest::newRow("Chimera") << "chimera.pipeloom.json" << 4 << 1;
    QTest::newRow("two routes") << "two-routes.pipeloom.json" << 2 << 1;
    QTest::newRow("DualPipeV, with pairs") << "dualpipev.pipeloom.json" << 8 << 1;
    QTest::newRow("2 x 1F1B") << "1f1b" << 4 << 2;
    QTest::newRow("3 x 1F1B") << "1f1b" << 4 << 3;
    QTest::newRow("2 x V-Half") << "v-half" << 4 << 2;
    QTest::newRow("2 x ZB-H1") << "zb-h1" << 4 << 2;
    QTest::newRow("2 x Chimera") << "chimera.pipeloom.json" << 4 << 2;
    QTest::newRow("2 x DualPipeV") << "dualpipev.pipeloom.json" << 8 << 2;
}

void ReplicasTest::stagesOnSeveralDevicesTrainTheSameModel()
{
    QFETCH(QString, design);
    QFETCH(int, microBatches);
    QFETCH(int, replicas);
    auto options = trainingOptions(4);
    options.verify = true;
    options.replicas = replicas;
    const auto result = run(designOf(design, microBatches), options);
    QVERIFY2(result.ok(), said(result).c_str());
    QVERIFY(result.verify);
    QVERIFY2(result.verify->worst <= 1e-5, result.verify->parameter.c_str());
    compareLosses(result, expectedLosses(4, microBatches * replicas));
}

void ReplicasTest::theLossesAreTheSameBitsFromRunToRun()
{
    auto options = trainingOptions(4);
    options.replicas = 3;
    const auto first = run(designOf("v-half", 4), options);
    QVERIFY2(first.ok(), said(first).c_str());
    for (int i = 0; i < 3; ++i)
        QVERIFY(losses(run(designOf("v-half", 4), options)) == losses(first));
}

void ReplicasTest::allHoldersKeepTheSameBits_data()
{
    QTest::addColumn<QString>("design");
    QTest::addColumn<int>("replicas");
    QTest::newRow("3 x V-Half") << "v-half" << 3;
    QTest::newRow("2 x Chimera") << "chimera.pipeloom.json" << 2;
    QTest::newRow("a route without micro-batches") << "two-routes.pipeloom.json" << 1;
}

void ReplicasTest::allHoldersKeepTheSameBits()
{
    QFETCH(QString, design);
    QFETCH(int, replicas);
    Design trained = designOf(design, 4);
    if (design.startsWith("two-routes")) {
        trained.pipeline.routeOfMicroBatch = { RouteId { 0 }, RouteId { 0 } };
        trained.plan = scheduleOf({ "0F0 0F1 0BW0 0BW1", "1F0 1BW0 1F1 1BW1" });
    }
    auto options = trainingOptions(5);
    options.replicas = replicas;
    RunResult prepared;
    const auto preparation = prepare(trained, options, prepared);
    QVERIFY2(preparation, said(prepared).c_str());

    std::mutex mutex;
    std::map<std::int32_t, std::vector<NamedValues>> first;
    std::map<std::int32_t, std::vector<NamedValues>> last;
    Job job;
    job.program = preparation->program;
    job.stages = preparation->setup.stages;
    job.steps = 5;
    job.clip = 0.1;
    job.makeWork = [&](DeviceId device) {
        auto work = makeModelWork(preparation->setup, device, preparation->pipeline.stagesOn(device));
        const std::lock_guard held(mutex);
        first[device.value] = work->parameters();
        return work;
    };
    job.save = [&](DeviceId device, DeviceWork& work, std::int64_t) {
        const std::lock_guard held(mutex);
        last[device.value] = static_cast<ModelWork&>(work).parameters();
        return Findings {};
    };
    const auto ran = runLocally(std::move(job));
    QVERIFY2(!ran.finding, ran.finding ? text(*ran.finding).c_str() : "");

    std::map<std::string, std::vector<float>> seen;
    std::size_t compared = 0;
    for (const auto& [device, values] : last) {
        QVERIFY2(values != first.at(device), "it was trained");
        for (const NamedValues& entry : values) {
            const auto [place, isNew] = seen.emplace(entry.name, entry.values);
            QVERIFY2(place->second == entry.values, entry.name.c_str());
            compared += isNew ? 0 : 1;
        }
    }
    QVERIFY(compared > 0);
    QCOMPARE(seen.size(), preparation->setup.parameters.size());
}

void ReplicasTest::reportsAreOfAllDevices()
{
    auto options = trainingOptions(2);
    options.replicas = 2;
    const auto result = run(designOf("v-half", 4), options);
    QVERIFY2(result.ok(), said(result).c_str());
    QCOMPARE(result.devices.size(), std::size_t { 8 });
    QCOMPARE(result.measured.devices(), 8);
    QCOMPARE(result.measuredMetrics.devices.size(), std::size_t { 8 });
    QCOMPARE(result.plan.metrics.devices.size(), std::size_t { 4 });
    QCOMPARE(result.measured.passes.size(), 2 * result.plan.timeline.passes.size());
    QCOMPARE(result.measured.transfers.size(), 2 * result.plan.timeline.transfers.size());
    QVERIFY(result.replayedMs && *result.replayedMs > 0);
    QVERIFY(std::any_of(result.notes.begin(), result.notes.end(),
        [](const std::string& note) { return note.starts_with("2 replicas of 4 devices: 8 micro-batches a step"); }));
}

void ReplicasTest::memoryIsThePlannedOne_data()
{
    QTest::addColumn<QString>("design");
    QTest::addColumn<int>("replicas");
    QTest::newRow("Chimera") << "chimera.pipeloom.json" << 1;
    QTest::newRow("3 x 1F1B") << "1f1b" << 3;
    QTest::newRow("2 x V-Half") << "v-half" << 2;
}

void ReplicasTest::memoryIsThePlannedOne()
{
    QFETCH(QString, design);
    QFETCH(int, replicas);
    auto options = trainingOptions(2);
    options.replicas = replicas;
    const auto result = run(designOf(design, 4), options);
    QVERIFY2(result.ok(), said(result).c_str());
    for (const auto& device : result.devices) {
        // Packed gradients are there at the end of the list, and nothing else is on its way then.
        const Bytes gradients = device.predicted.byClass[static_cast<std::size_t>(MemoryClass::Gradients)];
        QVERIFY2(passing(device.peak) >= gradients, "the gradients of all its stages, in one piece each");
        QVERIFY2(passing(device.peak) <= passing(device.predicted),
            qPrintable(QString("%1 of %2").arg(passing(device.peak)).arg(passing(device.predicted))));
        const auto total = static_cast<double>(device.peak.total) / static_cast<double>(device.predicted.total);
        QVERIFY2(total < 1.02 && total > 0.9, qPrintable(QString::number(total)));
    }
}

void ReplicasTest::aCheckpointHasEachStageOnceAndGoesOnWithTheSameBits_data()
{
    QTest::addColumn<QString>("design");
    QTest::addColumn<int>("replicas");
    QTest::newRow("Chimera") << "chimera.pipeloom.json" << 1;
    QTest::newRow("2 x 1F1B") << "1f1b" << 2;
    QTest::newRow("2 x Chimera") << "chimera.pipeloom.json" << 2;
}

void ReplicasTest::aCheckpointHasEachStageOnceAndGoesOnWithTheSameBits()
{
    QFETCH(QString, design);
    QFETCH(int, replicas);
    const Design trained = designOf(design, 4);
    auto options = trainingOptions(6);
    options.replicas = replicas;
    const auto whole = run(trained, options);
    QVERIFY2(whole.ok(), said(whole).c_str());

    options.steps = 3;
    options.checkpointDir = folder_.path().toStdString() + "/" + QTest::currentDataTag();
    const auto first = run(trained, options);
    QVERIFY2(first.ok(), said(first).c_str());
    const auto files = std::distance(
        std::filesystem::directory_iterator(options.checkpointDir), std::filesystem::directory_iterator {});
    QCOMPARE(files, 4 + 1); // stages and the manifest

    options.resumeDir = std::exchange(options.checkpointDir, "");
    options.verify = true;
    const auto second = run(trained, options);
    QVERIFY2(second.ok(), said(second).c_str());
    QVERIFY(!hasFinding(second, "checkpoint/differs"));
    auto joined = losses(first);
    for (const double loss : losses(second))
        joined.push_back(loss);
    QVERIFY2(joined == losses(whole), "every bit of every loss");
}

void ReplicasTest::aCheckpointOfReplicasGoesOnInOnePipeline()
{
    auto options = trainingOptions(2);
    options.replicas = 2;
    options.checkpointDir = folder_.path().toStdString() + "/one";
    QVERIFY(run(designOf("1f1b", 4), options).ok());
    options.replicas = 1;
    options.resumeDir = std::exchange(options.checkpointDir, "");
    const auto result = run(designOf("v-half", 8), options);
    QVERIFY2(result.ok(), said(result).c_str());
    QVERIFY(hasFinding(result, "checkpoint/differs"));
    auto expected = expectedLosses(4, 8);
    expected.erase(expected.begin(), expected.begin() + 2);
    compareLosses(result, expected);
}

void ReplicasTest::case5AccumulatedGradientsAreThoseOfAllRounds_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("replicas");
    for (const char* schedule : { "1f1b", "gpipe", "zb-h1" })
        QTest::newRow(schedule) << schedule << 1;
    QTest::newRow("2 x 1f1b") << "1f1b" << 2;
}

void ReplicasTest::case5AccumulatedGradientsAreThoseOfAllRounds()
{
    QFETCH(QString, schedule);
    QFETCH(int, replicas);
    Design design = trainingDesign(schedule.toUtf8().constData(), 2, 4);
    design.training->accumulate = 3;
    auto options = trainingOptions(4);
    options.verify = true;
    options.replicas = replicas;
    const auto result = run(design, options);
    QVERIFY2(result.ok(), said(result).c_str());
    QVERIFY(result.verify);
    // Every gradient, and so their norm: the loss alone would not show a wrong one.
    QVERIFY2(result.verify->worst <= 1e-5, result.verify->parameter.c_str());
    QCOMPARE(
        result.measured.passes.size(), 3 * static_cast<std::size_t>(replicas) * result.plan.timeline.passes.size());
    compareLosses(result, expectedLosses(4, 12 * replicas));
}

void ReplicasTest::rehearsalsHaveReplicasToo()
{
    Design design = designOf("v-half", 8);
    RunOptions options;
    const RunResult alone = emulate(design, options, EmulatedTime::Virtual);
    options.replicas = 3;
    const RunResult result = emulate(design, options, EmulatedTime::Virtual);
    QVERIFY2(result.ok(), said(result).c_str());
    QCOMPARE(result.devices.size(), std::size_t { 12 });
    QCOMPARE(result.steps.back().stepMs, alone.steps.back().stepMs);
    for (std::size_t i = 0; i < result.measured.passes.size(); ++i) {
        const auto& one = alone.measured.passes[i % alone.measured.passes.size()];
        QCOMPARE(result.measured.passes[i].start, one.start);
        QCOMPARE(result.measured.passes[i].end, one.end);
    }
    design.costs.tickUs = 500;
    options.steps = 2;
    const RunResult real = emulate(design, options, EmulatedTime::Real);
    QVERIFY2(real.ok(), said(real).c_str());
    QVERIFY(real.steps.back().stepMs >= real.emulation->plannedMs);
}

QTEST_APPLESS_MAIN(ReplicasTest)
#include "replicas_test.moc"
