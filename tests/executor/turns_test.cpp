// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Programs that take turns, step by step, on the same works; and what each step records.

#include "tests/executor/fake_job.h"
#include "tests/executor/hand_programs.h"

#include <QTest>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

class TurnsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void programsTakeTurnsStepByStepOnTheSameWorks();
    void everyDeviceRecordsEveryStepOnce();
    void aProgramThatCannotRunHereIsRefusedAmongOthersToo();
};

namespace {

struct Ran {
    JobResult result;
    std::shared_ptr<FakeModel> model = std::make_shared<FakeModel>();
    std::vector<std::vector<StepRecord>> records = std::vector<std::vector<StepRecord>>(2); ///< by device
};

Ran runInTurns(std::int64_t steps)
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 4);
    Ran ran;
    Job job = fakeJob(programOf(oneFOneBRows(2, 4), pipe), pipe, ran.model);
    job.others.push_back(programOf(gpipeRows(2, 4), pipe));
    job.others.push_back(programOf(oneFOneBRows(2, 4, 1), pipe));
    job.steps = steps;
    job.record = [&ran](DeviceId device, std::int64_t step, const StepRecord& record) {
        if (step == static_cast<std::int64_t>(ran.records[device.index()].size()))
            ran.records[device.index()].push_back(record);
    };
    ran.result = runLocally(std::move(job));
    return ran;
}

QString order(const StepRecord& record)
{
    QStringList passes;
    for (const TimedPass& timed : record.passes)
        passes << QString::fromStdString(text(timed.pass));
    return passes.join(' ');
}

} // namespace

void TurnsTest::programsTakeTurnsStepByStepOnTheSameWorks()
{
    const Ran ran = runInTurns(5);
    QVERIFY(!ran.result.finding);
    for (const std::size_t step : { 0, 3 })
        QCOMPARE(order(ran.records[0][step]), QString("0F0 0F1 0BW0 0F2 0BW1 0F3 0BW2 0BW3"));
    for (const std::size_t step : { 1, 4 })
        QCOMPARE(order(ran.records[0][step]), QString("0F0 0F1 0F2 0F3 0BW0 0BW1 0BW2 0BW3"));
    QCOMPARE(order(ran.records[1][2]), QString("1F0 1B0 1F1 1B1 1W0 1F2 1B2 1W1 1F3 1B3 1W2 1W3"));
    for (std::int32_t stage = 0; stage < 2; ++stage)
        for (const auto& [microBatch, times] : ran.model->weightGradients[stage])
            QCOMPARE(times, 5);
}

void TurnsTest::everyDeviceRecordsEveryStepOnce()
{
    const Ran ran = runInTurns(7);
    for (const auto& device : ran.records) {
        QCOMPARE(device.size(), std::size_t { 7 });
        for (const StepRecord& record : device) {
            QVERIFY(record.busy > Nanoseconds::zero());
            QVERIFY(record.processor > Nanoseconds::zero());
            QVERIFY(record.loop > Nanoseconds::zero());
            QVERIFY(record.wait >= Nanoseconds::zero());
        }
    }
}

void TurnsTest::aProgramThatCannotRunHereIsRefusedAmongOthersToo()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 4);
    const auto model = std::make_shared<FakeModel>();
    Job job = fakeJob(programOf(gpipeRows(2, 4), pipe), pipe, model);
    job.others.push_back(lowerMirrored(scheduleOf(gpipeRows(2, 4)), pipe).value());
    const JobResult result = runLocally(std::move(job));
    QVERIFY(result.finding && result.finding->rule == "run/lowering");
    QVERIFY(model->log.empty());
}

QTEST_APPLESS_MAIN(TurnsTest)
#include "turns_test.moc"
