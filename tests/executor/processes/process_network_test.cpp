// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// What ranks do over their network ends, without a network.

#include "core/schedule/replicas.h"
#include "executor/processes/rank_threads.h"
#include "tests/executor/fake_job.h"
#include "tests/executor/hand_programs.h"
#include "tests/executor/processes/memory_messages.h"

#include <QTest>

#include <atomic>
#include <limits>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

/// Over messages in memory.
std::vector<JobResult> runRanks(const std::function<Job()>& makeJob, const std::stop_token& stop = {})
{
    const auto exchange = std::make_shared<MemoryExchange>();
    return executor::runRanks(
        makeJob, [&](std::int32_t rank) { return std::make_shared<MemoryMessages>(exchange, rank); }, stop);
}

QString sentence(const JobResult& run) { return run.finding ? QString::fromStdString(text(*run.finding)) : QString(); }

} // namespace

class ProcessNetworkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gradientsAreThoseOfOneProcess_data();
    void gradientsAreThoseOfOneProcess();
    void stagesOnSeveralRanksAreSummed_data();
    void stagesOnSeveralRanksAreSummed();
    void allSeeAllSumsAndTheSameEndOfAStep();
    void whatIsSentToAnotherPassThanExpectedIsFound();
    void aFailureOfOneEndsTheOthersAsALostConnection();
    void oneThatIsAskedToStopStopsAllAfterTheSameStep();
    void aStepThatWasWrongIsRolledBackOnAllRanks_data();
    void aStepThatWasWrongIsRolledBackOnAllRanks();
};

void ProcessNetworkTest::gradientsAreThoseOfOneProcess_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<int>("late");
    QTest::newRow("1F1B") << 2 << 4 << -1;
    QTest::newRow("1F1B, fewer micro-batches than devices") << 4 << 2 << -1;
    QTest::newRow("ZB-H1") << 3 << 6 << 1;
}

void ProcessNetworkTest::gradientsAreThoseOfOneProcess()
{
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    QFETCH(int, late);
    const auto pipe = pipeline(PlacementKind::Linear, devices, devices, microBatches);
    const auto program = programOf(oneFOneBRows(devices, microBatches, late), pipe);
    const auto model = std::make_shared<FakeModel>();
    const auto runs = runRanks([&] {
        Job job = fakeJob(program, pipe, model);
        job.steps = 3;
        return job;
    });
    for (const auto& run : runs)
        QVERIFY2(!run.finding, qPrintable(sentence(run)));
    for (std::int32_t s = 0; s < devices; ++s)
        QCOMPARE(model->gradients[s], expectedGradient(s, pipe));
    for (const auto& [stage, byMicroBatch] : model->weightGradients)
        for (const auto& [microBatch, times] : byMicroBatch)
            QCOMPARE(times, 3);
}

void ProcessNetworkTest::stagesOnSeveralRanksAreSummed_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("replicas");
    QTest::newRow("two of one") << 1 << 2;
    QTest::newRow("four of two") << 2 << 4;
    QTest::newRow("two of three") << 3 << 2;
}

void ProcessNetworkTest::stagesOnSeveralRanksAreSummed()
{
    QFETCH(int, devices);
    QFETCH(int, replicas);
    const auto one = pipeline(PlacementKind::Linear, devices, devices, 3);
    const auto all = replicated(one, replicas);
    const auto program = *lower(replicated(scheduleOf(oneFOneBRows(devices, 3, 1)), one, replicas), all,
        freeNetwork(devices), QueueModel::Directed);
    const auto model = std::make_shared<FakeModel>();
    const auto runs = runRanks([&] {
        Job job = fakeJob(program, all, model);
        job.steps = 3;
        return job;
    });
    for (const auto& run : runs)
        QVERIFY2(!run.finding, qPrintable(sentence(run)));
    for (std::int32_t s = 0; s < devices; ++s)
        for (const DeviceId holder : all.devicesOf(StageId { s })) {
            QCOMPARE(model->gradientsByDevice[holder.value][s], expectedGradient(s, all));
            QVERIFY(model->gradientsByDevice[holder.value][s] == model->gradientsByDevice[s][s]);
        }
}

void ProcessNetworkTest::allSeeAllSumsAndTheSameEndOfAStep()
{
    const auto pipe = pipeline(PlacementKind::Linear, 3, 3, 4);
    const auto program = programOf(oneFOneBRows(3, 4), pipe);
    const auto model = std::make_shared<FakeModel>();
    const auto runs = runRanks([&] {
        Job job = fakeJob(program, pipe, model);
        job.clip = 1e-3; // every device must know all norms
        return job;
    });
    for (std::size_t d = 0; d < runs.size(); ++d) {
        QVERIFY2(!runs[d].finding, qPrintable(sentence(runs[d])));
        QCOMPARE(runs[d].lastStepTime, runs[0].lastStepTime);
        const auto& record = runs[d].lastStep[d];
        QCOMPARE(record.passes.size(), std::size_t { 8 });
        QCOMPARE(record.busy + record.around + record.transfer + record.wait, runs[d].lastStepTime);
        for (const auto& transfer : record.transfers)
            QVERIFY(transfer.start <= transfer.end);
    }
    QCOMPARE(model->scales.size(), std::size_t { 3 });
    QCOMPARE(model->scales[0], model->scales[1]);
    QCOMPARE(model->scales[0], model->scales[2]);
    QVERIFY(model->scales[0] < 1);
}

void ProcessNetworkTest::whatIsSentToAnotherPassThanExpectedIsFound()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 2);
    auto program = programOf(gpipeRows(2, 2), pipe);
    // Device 0 sends its forwards in the other order than device 1 receives them.
    std::vector<Instruction*> sends;
    for (auto& instruction : program.instructions)
        if (instruction.op == Op::Send && instruction.pass.kind == PassKind::F)
            sends.push_back(&instruction);
    const auto wanted = program.row(DeviceId { 0 });
    QCOMPARE(sends.size(), std::size_t { 2 });
    QVERIFY(!wanted.empty());
    // Both forwards first, then the sends turned round.
    std::vector<std::vector<Instruction>> rows { {}, {} };
    for (const auto& instruction : program.row(DeviceId { 0 }))
        if (instruction.op == Op::Compute && instruction.pass.kind == PassKind::F)
            rows[0].push_back(instruction);
    rows[0].push_back(*sends[1]);
    rows[0].push_back(*sends[0]);
    for (const auto& instruction : program.row(DeviceId { 0 }))
        if (instruction.pass.kind != PassKind::F || instruction.op == Op::Receive)
            rows[0].push_back(instruction);
    const auto second = program.row(DeviceId { 1 });
    rows[1].assign(second.begin(), second.end());
    const auto turned = pipeloom::program(rows, pipe, Pairing::ByKind);
    const auto model = std::make_shared<FakeModel>();
    const auto runs = runRanks([&] { return fakeJob(turned, pipe, model); });
    QVERIFY(runs[1].finding.has_value());
    QCOMPARE(runs[1].finding->rule, std::string("run/mismatch"));
    QVERIFY2(sentence(runs[1]).contains("device 0 sent 0F1 where 0F0 is expected"), qPrintable(sentence(runs[1])));
}

void ProcessNetworkTest::aFailureOfOneEndsTheOthersAsALostConnection()
{
    const auto pipe = pipeline(PlacementKind::Linear, 3, 3, 4);
    const auto program = programOf(oneFOneBRows(3, 4), pipe);
    const auto model = std::make_shared<FakeModel>();
    model->before = [](DeviceId device, const Pass& pass) {
        if (device.value == 1 && text(pass) == "1F2")
            throw std::runtime_error("a cosmic ray");
    };
    const auto runs = runRanks([&] { return fakeJob(program, pipe, model); });
    QCOMPARE(runs[1].finding->rule, std::string("run/failed"));
    QVERIFY2(sentence(runs[1]).contains("a cosmic ray"), qPrintable(sentence(runs[1])));
    for (const int d : { 0, 2 }) {
        const auto& run = runs[static_cast<std::size_t>(d)];
        QVERIFY(run.finding.has_value());
        QCOMPARE(run.finding->rule, std::string("run/lost"));
    }
}

void ProcessNetworkTest::oneThatIsAskedToStopStopsAllAfterTheSameStep()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 2);
    const auto program = programOf(oneFOneBRows(2, 2), pipe);
    const auto model = std::make_shared<FakeModel>();
    std::stop_source source;
    std::atomic<int> saved = 0;
    const auto runs = runRanks(
        [&] {
            Job job = fakeJob(program, pipe, model);
            job.steps = 1'000'000'000;
            job.save = [&](DeviceId, DeviceWork&, std::int64_t) {
                ++saved;
                return Findings {};
            };
            job.saveEvery = 0;
            source.request_stop();
            return job;
        },
        source.get_token());
    QVERIFY(runs[0].interrupted && runs[1].interrupted);
    QCOMPARE(runs[0].finding->message, runs[1].finding->message);
    QCOMPARE(saved.load(), 2);
}

void ProcessNetworkTest::aStepThatWasWrongIsRolledBackOnAllRanks_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<int>("late");
    QTest::newRow("1F1B") << 4 << 8 << -1;
    QTest::newRow("1F1B, fewer micro-batches than devices") << 5 << 2 << -1;
    QTest::newRow("W later") << 4 << 8 << 2;
}

void ProcessNetworkTest::aStepThatWasWrongIsRolledBackOnAllRanks()
{
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    QFETCH(int, late);
    const auto pipe = pipeline(PlacementKind::Linear, devices, devices, microBatches);
    const auto program = programOf(oneFOneBRows(devices, microBatches, late), pipe);
    const auto train = [&](OptimizerMode mode) {
        const auto model = std::make_shared<FakeModel>();
        model->rate = 1e-5;
        model->change = [devices](std::int64_t step, StageId stage, double& gradient) {
            if (step % 5 == 2 && stage.value == devices - 1)
                gradient = std::numeric_limits<double>::quiet_NaN();
            if (step % 5 == 4 && stage.value == 1)
                gradient *= 1000;
        };
        // Ranks are out of step with each other, so that there is something under way when they roll back.
        model->before = [](DeviceId device, const Pass& pass) {
            if (pass.kind != PassKind::F && pass.microBatch.value == 0)
                std::this_thread::sleep_for(std::chrono::microseconds(300 * device.value));
        };
        const auto runs = runRanks([&] {
            Job job = fakeJob(program, pipe, model);
            job.steps = 40;
            job.clip = 1e7;
            job.optimizer = mode;
            job.nanPolicy = NanPolicy::Skip;
            return job;
        });
        return std::pair(runs, model->weights);
    };
    const auto [runs, weights] = train(OptimizerMode::PostValidation);
    for (const auto& run : runs)
        QVERIFY2(!run.finding, qPrintable(sentence(run)));
    QCOMPARE(runs[0].counts.skipped, std::int64_t { 8 });
    QVERIFY(runs[0].counts.rolledBack > 0);
    QVERIFY(weights == train(OptimizerMode::Synchronised).second);
}

QTEST_APPLESS_MAIN(ProcessNetworkTest)
#include "process_network_test.moc"
