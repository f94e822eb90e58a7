// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The rank loop on threads, with the fake model: what it runs, in which order, and that the sums come out right.

#include "tests/executor/fake_job.h"
#include "tests/executor/hand_programs.h"

#include <QTest>

#include <algorithm>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

QString sentence(const JobResult& run) { return run.finding ? QString::fromStdString(text(*run.finding)) : QString(); }

bool gradientsAreRight(const FakeModel& model, const Pipeline& pipeline)
{
    for (std::int32_t s = 0; s < pipeline.stages; ++s) {
        const auto expected = expectedGradient(s, pipeline);
        const auto found = model.gradients.find(s);
        if (found == model.gradients.end() || std::abs(found->second - expected) > 1e-9 * expected) {
            qWarning("stage %d: %g instead of %g", s, found == model.gradients.end() ? 0 : found->second, expected);
            return false;
        }
    }
    return true;
}

} // namespace

class RankLoopTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void case7FewerMicroBatchesThanDevicesRunToTheirEnd_data();
    void case7FewerMicroBatchesThanDevicesRunToTheirEnd();
    void case28AnyOrderOfBackwardsGivesTheSameGradients_data();
    void case28AnyOrderOfBackwardsGivesTheSameGradients();
    void case40TheOptimizerStartsAfterTheLastWAndEveryWeightGradientIsAddedOnce();
    void neighbouringStagesOfOneDeviceHandOverWithoutSend();
    void bothResultsOfAnOverlappedPairLeaveAtItsEnd();
    void severalStepsAreReportedInOrder();
    void case38DelayOfOneDeviceIsWaitingOfTheOther();
    void clippingMultipliesAllGradientsByClipOverTheGlobalNorm();
    void everyDeviceSavesThenOneCommits();
};

void RankLoopTest::case7FewerMicroBatchesThanDevicesRunToTheirEnd_data()
{
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<bool>("isGPipe");
    for (const int m : { 1, 4 })
        for (const bool isGPipe : { false, true })
            QTest::addRow("%s m=%d", isGPipe ? "gpipe" : "1f1b", m) << m << isGPipe;
}

void RankLoopTest::case7FewerMicroBatchesThanDevicesRunToTheirEnd()
{
    QFETCH(int, microBatches);
    QFETCH(bool, isGPipe);
    const auto pipe = pipeline(PlacementKind::Linear, 8, 8, microBatches);
    const auto model = std::make_shared<FakeModel>();
    const auto rows = isGPipe ? gpipeRows(8, microBatches) : oneFOneBRows(8, microBatches);
    const auto run = runLocally(fakeJob(programOf(rows, pipe), pipe, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    QVERIFY(gradientsAreRight(*model, pipe));
}

void RankLoopTest::case28AnyOrderOfBackwardsGivesTheSameGradients_data()
{
    QTest::addColumn<QStringList>("rows");
    QTest::newRow("GPipe") << QStringList { "0F0 0F1 0F2 0F3 0BW0 0BW1 0BW2 0BW3",
        "1F0 1F1 1F2 1F3 1BW0 1BW1 1BW2 1BW3" };
    QTest::newRow("backwards from the last micro-batch on")
        << QStringList { "0F0 0F1 0F2 0F3 0BW3 0BW2 0BW1 0BW0", "1F0 1F1 1F2 1F3 1BW3 1BW2 1BW1 1BW0" };
    QTest::newRow("weights in another order than backwards")
        << QStringList { "0F0 0F1 0F2 0F3 0B0 0B1 0W1 0B2 0B3 0W3 0W0 0W2",
               "1F0 1F1 1B1 1B0 1F2 1W0 1F3 1B2 1B3 1W3 1W1 1W2" };
    QTest::newRow("1F1B") << QStringList { "0F0 0F1 0BW0 0F2 0BW1 0F3 0BW2 0BW3",
        "1F0 1BW0 1F1 1BW1 1F2 1BW2 1F3 1BW3" };
}

void RankLoopTest::case28AnyOrderOfBackwardsGivesTheSameGradients()
{
    QFETCH(QStringList, rows);
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 4);
    const auto model = std::make_shared<FakeModel>();
    const auto run
        = runLocally(fakeJob(programOf({ rows[0].toStdString(), rows[1].toStdString() }, pipe), pipe, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    QVERIFY(gradientsAreRight(*model, pipe));
}

void RankLoopTest::case40TheOptimizerStartsAfterTheLastWAndEveryWeightGradientIsAddedOnce()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 4);
    const auto model = std::make_shared<FakeModel>();
    const auto run = runLocally(fakeJob(programOf(oneFOneBRows(2, 4, 1), pipe), pipe, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    for (int d = 0; d < 2; ++d) {
        const auto prefix = std::to_string(d) + " ";
        std::vector<std::string> mine;
        std::copy_if(model->log.begin(), model->log.end(), std::back_inserter(mine),
            [&](const std::string& line) { return line.starts_with(prefix); });
        const auto backwards = std::count_if(mine.begin(), mine.end(), [](const std::string& line) {
            return line.find('B') != std::string::npos || line.find('W') != std::string::npos;
        });
        QCOMPARE(backwards, 8);
        QCOMPARE(mine.back(), prefix + "optimizer");
        QVERIFY(mine[mine.size() - 2].find('W') != std::string::npos);
        QCOMPARE(model->weightGradients[d].size(), std::size_t { 4 });
        for (const auto& [microBatch, times] : model->weightGradients[d])
            QCOMPARE(times, 1);
    }
}

void RankLoopTest::neighbouringStagesOfOneDeviceHandOverWithoutSend()
{
    const auto pipe = pipeline(PlacementKind::V, 2, 4, 2);
    const auto program = programOf(
        { "0F0 0F1 3F0 3B0 3W0 3F1 3B1 3W1 0B0 0W0 0B1 0W1", "1F0 2F0 1F1 2F1 2B0 1B0 2B1 1B1 2W0 1W0 2W1 1W1" }, pipe);
    const auto sends
        = std::count_if(program.instructions.begin(), program.instructions.end(), [](const Instruction& i) {
              return i.op == Op::Send && (i.pass.stage.value == 1 || i.pass.stage.value == 2) && i.peer.value == 1;
          });
    QCOMPARE(sends, 0);
    const auto model = std::make_shared<FakeModel>();
    const auto run = runLocally(fakeJob(program, pipe, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    QVERIFY(gradientsAreRight(*model, pipe));
}

void RankLoopTest::bothResultsOfAnOverlappedPairLeaveAtItsEnd()
{
    // Two stages, where device 1 runs the forward of micro-batch 1 together with the backward of micro-batch 0.
    const auto pipe = pipeline(PlacementKind::Linear, 3, 3, 2);
    const auto program = programOf({ "0F0 0F1 0BW0 0BW1", "1F0 (1F1+1BW0) 1BW1", "2F0 2BW0 2F1 2BW1" }, pipe);
    const auto model = std::make_shared<FakeModel>();
    const auto run = runLocally(fakeJob(program, pipe, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    QVERIFY(gradientsAreRight(*model, pipe));

    const auto& passes = run.lastStep[1].passes;
    QCOMPARE(passes.size(), std::size_t { 4 });
    QVERIFY(!passes[1].joined);
    QVERIFY(passes[2].joined);
    QCOMPARE(passes[1].start, passes[2].start);
    QCOMPARE(passes[1].end, passes[2].end);
    for (const auto& transfer : run.lastStep[2].transfers)
        if (transfer.pass == passOf("1F1"))
            QVERIFY(transfer.start >= passes[1].end);
}

void RankLoopTest::severalStepsAreReportedInOrder()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 3);
    const auto model = std::make_shared<FakeModel>();
    auto job = fakeJob(programOf(oneFOneBRows(2, 3), pipe), pipe, model);
    job.firstStep = 5;
    job.steps = 4;
    std::vector<std::int64_t> seen;
    std::vector<double> losses;
    const auto run = runLocally(std::move(job), [&](const StepReport& report) {
        seen.push_back(report.step);
        losses.push_back(report.loss);
        QVERIFY(report.stepMs > 0);
    });
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    QCOMPARE(seen, (std::vector<std::int64_t> { 5, 6, 7, 8 }));
    for (const auto loss : losses)
        QCOMPARE(loss, (1 + 2 + 3) * 1.0 * 1.1);
}

void RankLoopTest::case38DelayOfOneDeviceIsWaitingOfTheOther()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 4);
    const auto model = std::make_shared<FakeModel>();
    model->before = [](DeviceId device, const Pass& pass) {
        const bool isDelayed = device.value == 1 && pass == passOf("1F0");
        std::this_thread::sleep_for(std::chrono::milliseconds(isDelayed ? 52 : 2));
    };
    const auto run = runLocally(fakeJob(programOf(oneFOneBRows(2, 4), pipe), pipe, model));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    const auto& waiting = run.lastStep[0];
    QVERIFY2(waiting.wait > std::chrono::milliseconds(45), "the delay is waiting");
    QVERIFY2(waiting.transfer < std::chrono::milliseconds(10), "and no transfer");
    QVERIFY(run.lastStep[1].busy > std::chrono::milliseconds(60));
    for (const auto& device : run.lastStep)
        QVERIFY(device.busy + device.around + device.wait + device.transfer == run.lastStepTime);
}

void RankLoopTest::clippingMultipliesAllGradientsByClipOverTheGlobalNorm()
{
    const auto pipe = pipeline(PlacementKind::Linear, 3, 3, 2);
    const auto model = std::make_shared<FakeModel>();
    auto job = fakeJob(programOf(oneFOneBRows(3, 2), pipe), pipe, model);
    job.clip = 0.5;
    double squares = 0;
    for (int s = 0; s < 3; ++s)
        squares += expectedGradient(s, pipe) * expectedGradient(s, pipe);
    const auto run = runLocally(std::move(job));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    for (int d = 0; d < 3; ++d)
        QCOMPARE(model->scales[d], 0.5 / std::sqrt(squares));
}

void RankLoopTest::everyDeviceSavesThenOneCommits()
{
    const auto pipe = pipeline(PlacementKind::Linear, 3, 3, 2);
    const auto model = std::make_shared<FakeModel>();
    auto job = fakeJob(programOf(oneFOneBRows(3, 2), pipe), pipe, model);
    job.steps = 5;
    job.saveEvery = 2;
    job.save = [model](DeviceId device, DeviceWork&, std::int64_t step) -> Findings {
        model->note(device, "saved " + std::to_string(step));
        return {};
    };
    job.commit = [model](std::int64_t step) -> Findings {
        model->note(DeviceId { 0 }, "committed " + std::to_string(step));
        return {};
    };
    const auto run = runLocally(std::move(job));
    QVERIFY2(!run.finding, qPrintable(sentence(run)));
    for (const auto* step : { "1", "3", "4" }) {
        int saved = 0;
        bool committed = false;
        for (const auto& line : model->log) {
            if (line.ends_with(std::string("saved ") + step)) {
                QVERIFY(!committed);
                ++saved;
            }
            committed = committed || line == std::string("0 committed ") + step;
        }
        QCOMPARE(saved, 3);
        QVERIFY(committed);
    }
}

QTEST_APPLESS_MAIN(RankLoopTest)
#include "rank_loop_test.moc"
