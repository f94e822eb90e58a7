// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Sums of weight gradients among the devices that hold a stage, on threads, with the fake model.

#include "core/formats/design_file.h"
#include "core/plan/plan.h"
#include "core/schedule/replicas.h"
#include "executor/device_thread.h"
#include "tests/executor/fake_job.h"
#include "tests/executor/hand_programs.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

QString sentence(const JobResult& run) { return run.finding ? QString::fromStdString(text(*run.finding)) : QString(); }

Design designOf(const QString& name)
{
    return *loadDesign(PIPELOOM_SOURCE_DIR "/resources/designs/" + name.toStdString() + ".pipeloom.json").design;
}

/// Every holder of every stage has the gradient of all micro-batches, to the last bit the same.
void compareWithUnpipelined(const FakeModel& model, const Pipeline& pipeline)
{
    for (std::int32_t s = 0; s < pipeline.stages; ++s) {
        const double expected = expectedGradient(s, pipeline);
        const auto holders = pipeline.devicesOf(StageId { s });
        const double first = model.gradientsByDevice.at(holders.front().value).at(s);
        QVERIFY2(std::abs(first - expected) <= 1e-12 * expected,
            qPrintable(QString("stage %1: %2, not %3").arg(s).arg(first).arg(expected)));
        for (const DeviceId holder : holders)
            QVERIFY2(model.gradientsByDevice.at(holder.value).at(s) == first, "the same bits");
    }
}

struct Replicated {
    Pipeline pipeline;
    Program program;
};

Replicated replicatedRows(const std::vector<std::string>& rows, const Pipeline& one, std::int32_t replicas)
{
    const Pipeline all = replicated(one, replicas);
    return { all,
        *lower(replicated(scheduleOf(rows), one, replicas), all, freeNetwork(one.stages), QueueModel::Directed) };
}

std::vector<std::vector<Instruction>> rowsOf(const Program& program)
{
    std::vector<std::vector<Instruction>> rows;
    for (std::int32_t d = 0; d < program.devices(); ++d)
        rows.emplace_back(program.row(DeviceId { d }).begin(), program.row(DeviceId { d }).end());
    return rows;
}

void dropReduction(std::vector<Instruction>& row, std::int32_t stage)
{
    std::erase_if(
        row, [stage](const Instruction& at) { return at.op == Op::Reduce && at.pass.stage == StageId { stage }; });
}

} // namespace

class ReductionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoRoutesTrainTheWholeModel_data();
    void twoRoutesTrainTheWholeModel();
    void replicasTrainTheWholeModel_data();
    void replicasTrainTheWholeModel();
    void case40GradientsLeaveAfterTheLastWAndTheOptimizerComesLast();
    void devicesMayReduceTheirStagesInAnotherOrder();
    void gradientsLeaveAsSoonAsTheStageIsDone();
    void aHolderWithoutPassesGetsTheSumsToo();
    void everyStepSumsAnew();
    void clippingCountsAStageOnceHoweverManyHoldIt();
    void theLossIsTheMeanOverAllTokens();
    void waitingForAnotherHolderIsNotCountedAsWork();
    void aReductionMissingOnOneDeviceIsNamed();
    void aReductionMissingEverywhereIsFoundByTheGradients();
    void aReductionBeforeTheLastWeightGradientIsFound();
    void aStageReducedTwiceIsFound();
    void aHolderThatFailsEndsTheOthers();
    void gradientsThatAreNotFiniteAreNoQuarrelOfHolders();
};

void ReductionsTest::twoRoutesTrainTheWholeModel_data()
{
    QTest::addColumn<QString>("design");
    QTest::addColumn<int>("replicas");
    for (const char* name : { "chimera", "two-routes", "dualpipev" })
        for (const int replicas : { 1, 2, 3 })
            QTest::addRow("%s x %d", name, replicas) << QString(name) << replicas;
}

void ReductionsTest::twoRoutesTrainTheWholeModel()
{
    QFETCH(QString, design);
    QFETCH(int, replicas);
    const Design one = designOf(design);
    const Pipeline all = replicated(one.pipeline, replicas);
    const auto program
        = lower(replicated(*one.schedule(), one.pipeline, replicas), all, one.network, QueueModel::Directed);
    const auto model = std::make_shared<FakeModel>();
    const auto run = runLocally(fakeJob(*program, all, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    compareWithUnpipelined(*model, all);
    for (const auto& [stage, byMicroBatch] : model->weightGradients) {
        QCOMPARE(byMicroBatch.size(), static_cast<std::size_t>(all.microBatches));
        for (const auto& [microBatch, times] : byMicroBatch)
            QCOMPARE(times, 1);
    }
}

void ReductionsTest::replicasTrainTheWholeModel_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("replicas");
    QTest::newRow("one device") << 1 << 4;
    QTest::newRow("two of four") << 4 << 2;
    QTest::newRow("five of three") << 3 << 5;
    QTest::newRow("sixteen of two") << 2 << 16;
}

void ReductionsTest::replicasTrainTheWholeModel()
{
    QFETCH(int, devices);
    QFETCH(int, replicas);
    const auto one = pipeline(PlacementKind::Linear, devices, devices, 4);
    for (const int late : { -1, 0, 1 }) { // backward as one, W at once, W late
        const auto [all, program] = replicatedRows(oneFOneBRows(devices, 4, late), one, replicas);
        const auto model = std::make_shared<FakeModel>();
        const auto run = runLocally(fakeJob(program, all, model));
        QVERIFY2(!run.finding, qPrintable(sentence(run)));
        compareWithUnpipelined(*model, all);
    }
}

void ReductionsTest::case40GradientsLeaveAfterTheLastWAndTheOptimizerComesLast()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(2, 4, 1), pipeline(PlacementKind::Linear, 2, 2, 4), 2);
    const auto model = std::make_shared<FakeModel>();
    const auto run = runLocally(fakeJob(program, all, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    for (int d = 0; d < 4; ++d) {
        const auto prefix = std::to_string(d) + " ";
        std::vector<std::string> mine;
        std::copy_if(model->log.begin(), model->log.end(), std::back_inserter(mine),
            [&](const std::string& line) { return line.starts_with(prefix); });
        QCOMPARE(mine.size(), std::size_t { 4 * 3 + 2 });
        QVERIFY(mine[mine.size() - 3].find('W') != std::string::npos);
        QCOMPARE(mine[mine.size() - 2], prefix + "reduce " + std::to_string(d % 2));
        QCOMPARE(mine.back(), prefix + "optimizer");
    }
    for (const auto& [stage, byMicroBatch] : model->weightGradients) {
        QCOMPARE(byMicroBatch.size(), std::size_t { 8 });
        for (const auto& [microBatch, times] : byMicroBatch)
            QCOMPARE(times, 1);
    }
}

void ReductionsTest::devicesMayReduceTheirStagesInAnotherOrder()
{
    // Device 0 is done with stage 1 first, device 1 with stage 1 last.
    Pipeline pipe = designOf("two-routes").pipeline;
    const auto program = programOf({ "0F0 1F1 1BW1 0BW0", "0F1 1F0 1BW0 0BW1" }, pipe);
    const auto reduces = [&](int device) {
        std::vector<int> stages;
        for (const auto& at : program.row(DeviceId { device }))
            if (at.op == Op::Reduce)
                stages.push_back(at.pass.stage.value);
        return stages;
    };
    QCOMPARE(reduces(0), (std::vector<int> { 1, 0 }));
    auto rows = rowsOf(program);
    const auto firstReduce
        = std::find_if(rows[1].begin(), rows[1].end(), [](const auto& i) { return i.op == Op::Reduce; });
    std::rotate(firstReduce, firstReduce + 1, rows[1].end()); // to the end, behind the other
    const auto swapped = pipeloom::program(rows, pipe, Pairing::ByKind);
    QCOMPARE(swapped.row(DeviceId { 1 }).back().pass.stage.value, 1);
    const auto model = std::make_shared<FakeModel>();
    const auto run = runLocally(fakeJob(swapped, pipe, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    compareWithUnpipelined(*model, pipe);
}

void ReductionsTest::gradientsLeaveAsSoonAsTheStageIsDone()
{
    // Nothing waits at a reduction: device 0 goes on with stage 0 while device 3, its twin, has not come to stage 3.
    const Design chimera = designOf("chimera");
    const auto model = std::make_shared<FakeModel>();
    std::atomic<bool> lastOfDevice0 = false;
    model->before = [&](DeviceId device, const Pass& pass) {
        lastOfDevice0 = lastOfDevice0 || (device.value == 0 && pass == passOf("0BW0"));
        if (device.value == 3 && pass == passOf("3BW1"))
            while (!lastOfDevice0)
                std::this_thread::yield();
    };
    // 0BW0 needs 1BW0, which needs nothing of 3BW1.
    const auto run = runLocally(fakeJob(plan(chimera).program, chimera.pipeline, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    compareWithUnpipelined(*model, chimera.pipeline);
    const auto at = [&](const char* line) { return std::find(model->log.begin(), model->log.end(), line); };
    QVERIFY(at("0 reduce 3") < at("0 0BW0"));
}

void ReductionsTest::aHolderWithoutPassesGetsTheSumsToo()
{
    Pipeline pipe = designOf("two-routes").pipeline;
    pipe.routeOfMicroBatch = { RouteId { 0 }, RouteId { 0 } };
    const auto model = std::make_shared<FakeModel>();
    const auto run = runLocally(fakeJob(programOf({ "0F0 0F1 0BW0 0BW1", "1F0 1BW0 1F1 1BW1" }, pipe), pipe, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    compareWithUnpipelined(*model, pipe);
}

void ReductionsTest::everyStepSumsAnew()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(2, 3), pipeline(PlacementKind::Linear, 2, 2, 3), 3);
    const auto model = std::make_shared<FakeModel>();
    auto job = fakeJob(program, all, model);
    job.steps = 5;
    const auto run = runLocally(std::move(job));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    compareWithUnpipelined(*model, all);
    QCOMPARE(std::count(model->log.begin(), model->log.end(), "4 reduce 0"), 5);
}

void ReductionsTest::clippingCountsAStageOnceHoweverManyHoldIt()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(3, 2), pipeline(PlacementKind::Linear, 3, 3, 2), 2);
    const auto model = std::make_shared<FakeModel>();
    auto job = fakeJob(program, all, model);
    job.clip = 0.5;
    double squares = 0;
    for (int s = 0; s < 3; ++s)
        squares += std::pow(expectedGradient(s, all), 2);
    const auto run = runLocally(std::move(job));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    for (int d = 0; d < 6; ++d)
        QVERIFY(std::abs(model->scales[d] / (0.5 / std::sqrt(squares)) - 1) < 1e-12);
}

void ReductionsTest::theLossIsTheMeanOverAllTokens()
{
    // One sum and one token per device that holds the last stage: (1+2+3) and (4+5+6), times the weights.
    const auto [all, program] = replicatedRows(oneFOneBRows(2, 3), pipeline(PlacementKind::Linear, 2, 2, 3), 2);
    std::vector<double> losses;
    const auto run = runLocally(fakeJob(program, all, std::make_shared<FakeModel>()),
        [&](const StepReport& report) { losses.push_back(report.loss); });
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    QCOMPARE(losses, std::vector<double> { 21 * 1.0 * 1.1 / 2 });

    const std::vector<StageSums> sums { { StageId { 0 }, 4, 0, 0 }, { StageId { 0 }, 4, 0, 0 },
        { StageId { 1 }, 12, 6, 2 }, { StageId { 1 }, 12, 3, 1 } };
    QCOMPARE(meanLoss(sums), 3.0);
    QCOMPARE(clipScale(sums, 2), 0.5);
}

void ReductionsTest::waitingForAnotherHolderIsNotCountedAsWork()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(1, 1), pipeline(PlacementKind::Linear, 1, 1, 1), 2);
    const auto model = std::make_shared<FakeModel>();
    model->before = [](DeviceId device, const Pass& pass) {
        if (device.value == 1 && pass.kind == PassKind::BW)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
    };
    const auto run = runLocally(fakeJob(program, all, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    QVERIFY(run.lastStep[0].wait > std::chrono::milliseconds(40));
    for (const auto& device : run.lastStep) {
        QVERIFY(device.busy + device.around + device.wait + device.transfer == run.lastStepTime);
        QVERIFY2(device.transfers.empty(), "transfers are those of activations and gradients");
    }
}

void ReductionsTest::aReductionMissingOnOneDeviceIsNamed()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(2, 2), pipeline(PlacementKind::Linear, 2, 2, 2), 2);
    auto rows = rowsOf(program);
    dropReduction(rows[3], 1);
    const auto run
        = runLocally(fakeJob(pipeloom::program(rows, all, Pairing::ByKind), all, std::make_shared<FakeModel>()));
    QVERIFY(run.finding);
    QCOMPARE(run.finding->rule, std::string("run/stalled"));
    const auto& message = run.finding->message;
    QVERIFY2(
        message.find("for the weight gradients of stage 1 from device 3 at the end of its list") != std::string::npos,
        message.c_str());
    QVERIFY(std::any_of(run.finding->where.begin(), run.finding->where.end(),
        [](const Place& place) { return place.device == DeviceId { 3 }; }));
}

void ReductionsTest::aReductionMissingEverywhereIsFoundByTheGradients()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(2, 2), pipeline(PlacementKind::Linear, 2, 2, 2), 2);
    auto rows = rowsOf(program);
    dropReduction(rows[1], 1);
    dropReduction(rows[3], 1);
    const auto model = std::make_shared<FakeModel>();
    const auto run = runLocally(fakeJob(pipeloom::program(rows, all, Pairing::ByKind), all, model));
    QVERIFY(run.finding);
    QCOMPARE(run.finding->rule, std::string("run/reduction"));
    QVERIFY2(run.finding->message.find("stage 1") != std::string::npos, run.finding->message.c_str());
    QVERIFY2(model->gradients.empty(), "no optimizer's step was made");
}

void ReductionsTest::aReductionBeforeTheLastWeightGradientIsFound()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(1, 3), pipeline(PlacementKind::Linear, 1, 1, 3), 2);
    auto rows = rowsOf(program);
    std::swap(rows[0][rows[0].size() - 1], rows[0][rows[0].size() - 2]);
    // The sum overwrites the own gradient, with one micro-batch less than the other device has: both have the same, and wrong.
    const auto early = pipeloom::program(rows, all, Pairing::ByKind);
    const auto model = std::make_shared<FakeModel>();
    const auto run = runLocally(fakeJob(early, all, model));
    QVERIFY2(run.finding && run.finding->rule == "run/program", qPrintable(sentence(run)));
    QVERIFY2(run.finding->message.find("0BW2") != std::string::npos, run.finding->message.c_str());
}

void ReductionsTest::aStageReducedTwiceIsFound()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(1, 2), pipeline(PlacementKind::Linear, 1, 1, 2), 2);
    auto rows = rowsOf(program);
    rows[0].push_back(rows[0].back());
    const auto run
        = runLocally(fakeJob(pipeloom::program(rows, all, Pairing::ByKind), all, std::make_shared<FakeModel>()));
    QVERIFY2(run.finding && run.finding->rule == "run/program", qPrintable(sentence(run)));
}

void ReductionsTest::aHolderThatFailsEndsTheOthers()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(2, 2), pipeline(PlacementKind::Linear, 2, 2, 2), 3);
    const auto model = std::make_shared<FakeModel>();
    model->before = [](DeviceId device, const Pass& pass) {
        if (device.value == 5 && pass.kind == PassKind::BW && pass.microBatch.value % 2 == 1)
            throw std::runtime_error("a broken chip");
    };
    const auto run = runLocally(fakeJob(program, all, model));
    QVERIFY(run.finding);
    QVERIFY2(run.finding->message.find("Device 5 failed in 1BW5") != std::string::npos, run.finding->message.c_str());
    QVERIFY(run.leftBehind.empty());
}

void ReductionsTest::gradientsThatAreNotFiniteAreNoQuarrelOfHolders()
{
    const auto [all, program] = replicatedRows(oneFOneBRows(2, 2), pipeline(PlacementKind::Linear, 2, 2, 2), 2);
    const auto model = std::make_shared<FakeModel>();
    model->report = [](StageSums sums) {
        if (sums.stage.value == 0)
            sums.squaredGradientNorm = std::nan("");
        return sums;
    };
    const auto run = runLocally(fakeJob(program, all, model));
    QVERIFY2(run.finding && run.finding->rule == "run/nan", qPrintable(sentence(run)));
}

QTEST_APPLESS_MAIN(ReductionsTest)
#include "reductions_test.moc"
