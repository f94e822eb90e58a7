// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Runs that cannot end well: each must end promptly, with a sentence that names the device, its pass and who waited.

#include "tests/executor/fake_job.h"
#include "tests/executor/hand_programs.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <condition_variable>
#include <limits>
#include <new>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

Program linear1F1B(const Pipeline& pipe) { return programOf(oneFOneBRows(pipe.devices, pipe.microBatches), pipe); }

bool says(const JobResult& run, const std::string& rule, const std::vector<std::string>& parts)
{
    if (!run.finding || run.finding->rule != rule) {
        qWarning("%s", run.finding ? text(*run.finding).c_str() : "no finding");
        return false;
    }
    for (const auto& part : parts) {
        if (run.finding->message.find(part) == std::string::npos) {
            qWarning("no `%s` in: %s", part.c_str(), run.finding->message.c_str());
            return false;
        }
    }
    return true;
}

/// A pass waits here until the test lets it go on.
struct Gate {
    std::mutex mutex;
    std::condition_variable opened;
    bool isOpen = false;

    void open()
    {
        const std::lock_guard held(mutex);
        isOpen = true;
        opened.notify_all();
    }
    void wait()
    {
        std::unique_lock held(mutex);
        opened.wait(held, [this] { return isOpen; });
    }
};

} // namespace

class FailuresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void case17AnExceptionEndsTheRunAndNamesDevicePassAndMessage();
    void usedUpMemoryIsNoCrash();
    void aLossThatIsNotANumberEndsTheRunBeforeTheOptimizerStep();
    void aGradientThatIsNotFiniteNamesItsStage();
    void devicesThatWaitForEachOtherAreSeenAtOnceAndPrintedAsACycle();
    void aDeviceThatNeedsItsOwnLaterPassWaitsForItself();
    void aPassThatIsStuckEndsTheRunWithinTheLimit();
    void aPassThatIsStuckOnTheOnlyDeviceEndsTheRunToo();
    void aSlowDeviceIsNoStuckOne();
    void endsThatDoNotAgreeNameBoth();
    void aSendWithoutReceiveIsSaid();
    void aSendBeforeItsPassIsSaid();
    void aResultThatNobodyTakesIsSaid();
    void aMissingSendIsSeenAtOnce();
    void sharedChannelsAreRefusedBeforeTheStart();
    void stoppingFromOutsideEndsTheRun();
    void stoppingWithCheckpointsSavesOneStepOnAllDevices();
    void aFailedSaveEndsTheRunWithItsFinding();
    void aFailedLoadEndsTheRunBeforeTheFirstPass();
    void aFailingStartNamesTheDevice();
};

void FailuresTest::case17AnExceptionEndsTheRunAndNamesDevicePassAndMessage()
{
    const auto pipe = pipeline(PlacementKind::Linear, 4, 4, 8);
    const auto model = std::make_shared<FakeModel>();
    model->before = [](DeviceId, const Pass& pass) {
        if (pass != passOf("1F2"))
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds(200)); // by then the others wait
        throw std::runtime_error("the tensor is torn\nat frame 1\nat frame 2");
    };
    QElapsedTimer timer;
    timer.start();
    const auto run = runLocally(fakeJob(linear1F1B(pipe), pipe, model));
    QVERIFY(timer.elapsed() < 5000);
    QVERIFY(says(run, "run/failed",
        { "Device 1 failed in 1F2: the tensor is torn (last finished 1F1).",
            "device 2 waited 0.2 s for 1F2 from device 1 before 2F2" }));
    QCOMPARE(run.finding->where[0].device, DeviceId { 1 });
    QCOMPARE(run.finding->where[0].pass, std::string("1F2"));
    QVERIFY(run.leftBehind.empty());
}

void FailuresTest::usedUpMemoryIsNoCrash()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 2);
    const auto model = std::make_shared<FakeModel>();
    model->before = [](DeviceId, const Pass& pass) {
        if (pass == passOf("1BW0"))
            throw std::bad_alloc();
    };
    const auto run = runLocally(fakeJob(linear1F1B(pipe), pipe, model));
    QVERIFY(says(run, "run/out-of-memory", { "Device 1 failed in 1BW0: the memory is used up (last finished 1F0)" }));
}

void FailuresTest::aLossThatIsNotANumberEndsTheRunBeforeTheOptimizerStep()
{
    const auto pipe = pipeline(PlacementKind::Linear, 3, 3, 4);
    const auto model = std::make_shared<FakeModel>();
    model->report = [](StageSums sums) {
        if (sums.stage.value == 2)
            sums.lossSum = std::numeric_limits<double>::quiet_NaN();
        return sums;
    };
    const auto run = runLocally(fakeJob(linear1F1B(pipe), pipe, model));
    QVERIFY(says(run, "run/nan", { "Device 2 failed in the optimizer's step: the loss of step 0 is nan (stage 2)" }));
    QVERIFY(model->gradients.empty());
}

void FailuresTest::aGradientThatIsNotFiniteNamesItsStage()
{
    const auto pipe = pipeline(PlacementKind::Linear, 3, 3, 4);
    const auto model = std::make_shared<FakeModel>();
    model->report = [](StageSums sums) {
        if (sums.stage.value == 1)
            sums.squaredGradientNorm = std::numeric_limits<double>::infinity();
        return sums;
    };
    const auto run = runLocally(fakeJob(linear1F1B(pipe), pipe, model));
    QVERIFY(says(run, "run/nan", { "Device 1", "the gradients of stage 1 are not finite in step 0" }));
}

void FailuresTest::devicesThatWaitForEachOtherAreSeenAtOnceAndPrintedAsACycle()
{
    // Device 0 wants the gradient of micro-batch 0 before it gives the activation of micro-batch 1; device 1 the other way round.
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 2);
    const auto program = programOf({ "0F0 0BW0 0F1 0BW1", "1F0 1F1 1BW0 1BW1" }, pipe);
    QElapsedTimer timer;
    timer.start();
    const auto run = runLocally(fakeJob(program, pipe, std::make_shared<FakeModel>()));
    QVERIFY2(timer.elapsed() < 5000, "at once, not after the limit of 20 s");
    QVERIFY(says(run, "run/stalled",
        { "Devices wait for each other", "for 1BW0 from device 1 before 0BW0 (last finished 0F0)",
            "for 0F1 from device 0 before 1F1 (last finished 1F0)" }));
    QCOMPARE(run.finding->where.size(), std::size_t { 2 });
}

void FailuresTest::aDeviceThatNeedsItsOwnLaterPassWaitsForItself()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 1);
    const auto program = programOf({ "0F0 0BW0", "1BW0 1F0" }, pipe);
    const auto run = runLocally(fakeJob(program, pipe, std::make_shared<FakeModel>()));
    QVERIFY(says(run, "run/stalled", { "A device waits for itself", "device 1", "for 1F0 from device 1 before 1BW0" }));
}

void FailuresTest::aPassThatIsStuckEndsTheRunWithinTheLimit()
{
    const auto gate = std::make_shared<Gate>();
    const auto pipe = pipeline(PlacementKind::Linear, 3, 3, 4);
    const auto model = std::make_shared<FakeModel>();
    model->before = [gate](DeviceId, const Pass& pass) {
        if (pass == passOf("1F1"))
            gate->wait();
    };
    auto job = fakeJob(linear1F1B(pipe), pipe, model);
    job.limit = std::chrono::milliseconds(300);
    QElapsedTimer timer;
    timer.start();
    const auto run = runLocally(std::move(job));
    QVERIFY(timer.elapsed() >= 300);
    QVERIFY(timer.elapsed() < 3000);
    QVERIFY(says(run, "run/stalled",
        { "Device 1 has been in 1F1 for 0.3 s (last finished 1F0), more than the limit of 0.3 s",
            "device 0 waited 0.3 s for 1BW0 from device 1 before 0BW0",
            "device 2 waited 0.3 s for 1F1 from device 1 before 2F1" }));
    QCOMPARE(run.finding->where[0].device, DeviceId { 1 });
    QCOMPARE(run.leftBehind, (std::vector { DeviceId { 1 } }));

    // The thread that was left behind still has all it needs when it goes on.
    gate->open();
    for (int i = 0; i < 500 && model.use_count() > 1; ++i)
        QTest::qSleep(10);
}

void FailuresTest::aPassThatIsStuckOnTheOnlyDeviceEndsTheRunToo()
{
    const auto gate = std::make_shared<Gate>();
    const auto pipe = pipeline(PlacementKind::Linear, 1, 1, 1);
    const auto model = std::make_shared<FakeModel>();
    model->before = [gate](DeviceId, const Pass&) { gate->wait(); };
    auto job = fakeJob(programOf({ "0F0 0BW0" }, pipe), pipe, model);
    job.limit = std::chrono::milliseconds(200);
    const auto run = runLocally(std::move(job));
    QVERIFY(says(run, "run/stalled", { "Device 0 has been in 0F0 for 0.2 s (no pass finished)" }));
    gate->open();
    for (int i = 0; i < 500 && model.use_count() > 2; ++i)
        QTest::qSleep(10);
}

void FailuresTest::aSlowDeviceIsNoStuckOne()
{
    // Device 0 waits longer than the limit in all, while passes of half the limit go on elsewhere.
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 4);
    const auto model = std::make_shared<FakeModel>();
    model->before = [](DeviceId device, const Pass&) {
        if (device.value == 1)
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
    };
    auto job = fakeJob(programOf(gpipeRows(2, 4), pipe), pipe, model);
    job.limit = std::chrono::milliseconds(250);
    const auto run = runLocally(std::move(job));
    QVERIFY2(!run.finding, run.finding ? text(*run.finding).c_str() : "");
    QVERIFY(run.lastStep[0].wait > std::chrono::milliseconds(350));
}

void FailuresTest::endsThatDoNotAgreeNameBoth()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 2);
    auto program = programOf(gpipeRows(2, 2), pipe);
    auto receives = std::vector<Instruction*> {};
    for (auto& instruction : program.instructions)
        if (instruction.op == Op::Receive && instruction.peer.value == 0)
            receives.push_back(&instruction);
    std::swap(*receives[0], *receives[1]);
    const auto run = runLocally(fakeJob(program, pipe, std::make_shared<FakeModel>()));
    QVERIFY(says(run, "run/mismatch", { "Device 0 sends 0F0 to device 1, which receives 0F1" }));
    QCOMPARE(run.finding->where.size(), std::size_t { 2 });
}

void FailuresTest::aSendWithoutReceiveIsSaid()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 1);
    const Instruction again { Op::Send, false, passOf("0F0"), DeviceId { 1 }, -1 };
    const Instruction receive { Op::Receive, false, passOf("0F0"), DeviceId { 0 }, -1 };
    auto first = computes("0F0");
    first.push_back(again);
    const auto sendOnly = program({ first, {} }, pipe, Pairing::ByKind);
    const auto run = runLocally(fakeJob(sendOnly, pipe, std::make_shared<FakeModel>()));
    QVERIFY(says(run, "run/mismatch", { "Device 0 sends 0F0 to device 1, which never receives it" }));
    const auto other
        = runLocally(fakeJob(program({ {}, { receive } }, pipe, Pairing::ByKind), pipe, std::make_shared<FakeModel>()));
    QVERIFY(says(other, "run/mismatch", { "Device 1 receives 0F0 from device 0, which never sends it" }));
}

void FailuresTest::aSendBeforeItsPassIsSaid()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 1);
    auto rows = std::vector { computes("0F0"), computes("1F0") };
    rows[0].insert(rows[0].begin(), Instruction { Op::Send, false, passOf("0F0"), DeviceId { 1 }, -1 });
    rows[1].insert(rows[1].begin(), Instruction { Op::Receive, false, passOf("0F0"), DeviceId { 0 }, -1 });
    const auto run = runLocally(fakeJob(program(rows, pipe, Pairing::ByKind), pipe, std::make_shared<FakeModel>()));
    QVERIFY(says(run, "run/program", { "Device 0", "the result of 0F0 is to be sent before it is made" }));
}

void FailuresTest::aResultThatNobodyTakesIsSaid()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 1);
    const auto run = runLocally(
        fakeJob(program({ computes("0F0"), {} }, pipe, Pairing::ByKind), pipe, std::make_shared<FakeModel>()));
    QVERIFY(says(run, "run/program", { "Device 0", "nobody took" }));
}

void FailuresTest::aMissingSendIsSeenAtOnce()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 1);
    auto program = programOf(gpipeRows(2, 1), pipe);
    std::erase_if(
        program.instructions, [](const Instruction& i) { return i.op == Op::Send && i.pass == passOf("1BW0"); });
    program.deviceBegin = { 0, 4, 7 };
    QElapsedTimer timer;
    timer.start();
    const auto run = runLocally(fakeJob(program, pipe, std::make_shared<FakeModel>()));
    QVERIFY(run.finding);
    QVERIFY(timer.elapsed() < 5000);
}

void FailuresTest::sharedChannelsAreRefusedBeforeTheStart()
{
    const auto pipe = pipeline(PlacementKind::Linear, 1, 1, 1);
    auto shared = programOf({ "0F0 0BW0" }, pipe);
    shared.pairing = Pairing::Shared;
    QVERIFY(says(runLocally(fakeJob(shared, pipe, std::make_shared<FakeModel>())), "run/lowering", {}));
}

void FailuresTest::stoppingFromOutsideEndsTheRun()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 4);
    const auto model = std::make_shared<FakeModel>();
    model->before = [](DeviceId, const Pass&) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    auto job = fakeJob(linear1F1B(pipe), pipe, model);
    job.steps = 1'000'000;
    std::stop_source source;
    int steps = 0;
    const auto run = runLocally(
        std::move(job),
        [&](const StepReport&) {
            if (++steps == 3)
                source.request_stop();
        },
        source.get_token());
    QVERIFY(run.interrupted);
    QVERIFY(says(run, "run/interrupted", {}));
    QCOMPARE(run.lastStep.size(), std::size_t { 2 });
}

void FailuresTest::stoppingWithCheckpointsSavesOneStepOnAllDevices()
{
    const auto pipe = pipeline(PlacementKind::Linear, 4, 4, 4);
    for (int round = 0; round < 20; ++round) {
        auto job = fakeJob(linear1F1B(pipe), pipe, std::make_shared<FakeModel>());
        job.steps = 1'000'000;
        std::mutex mutex;
        std::vector<std::int64_t> saved;
        std::vector<std::int64_t> committed;
        job.save = [&](DeviceId, DeviceWork&, std::int64_t step) {
            const std::lock_guard held(mutex);
            saved.push_back(step);
            return Findings {};
        };
        job.commit = [&](std::int64_t step) {
            committed.push_back(step);
            return Findings {};
        };
        std::stop_source source;
        std::int64_t lastReported = -1;
        const auto run = runLocally(
            std::move(job),
            [&](const StepReport& report) {
                lastReported = report.step;
                if (report.step == round)
                    source.request_stop();
            },
            source.get_token());
        QVERIFY(run.interrupted);
        QVERIFY(says(run, "run/interrupted", {}));
        QCOMPARE(saved, std::vector<std::int64_t>(4, saved.front()));
        QCOMPARE(committed, std::vector<std::int64_t> { saved.front() });
        QCOMPARE(lastReported, saved.front());
        QVERIFY(saved.front() > round);
    }
}

void FailuresTest::aFailedSaveEndsTheRunWithItsFinding()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 2);
    auto job = fakeJob(linear1F1B(pipe), pipe, std::make_shared<FakeModel>());
    job.steps = 10;
    job.saveEvery = 2;
    job.save = [](DeviceId device, DeviceWork&, std::int64_t) -> Findings {
        if (device.value == 0)
            return {};
        return { { "checkpoint/write", Severity::Error, {}, "", "The disk is full.", "Make room." } };
    };
    bool committed = false;
    job.commit = [&](std::int64_t) -> Findings {
        committed = true;
        return {};
    };
    const auto run = runLocally(std::move(job));
    QVERIFY(says(run, "checkpoint/write", { "The disk is full." }));
    QCOMPARE(run.finding->where[0].device, DeviceId { 1 });
    QVERIFY(!committed);
}

void FailuresTest::aFailedLoadEndsTheRunBeforeTheFirstPass()
{
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, 2);
    const auto model = std::make_shared<FakeModel>();
    auto job = fakeJob(linear1F1B(pipe), pipe, model);
    job.load = [](DeviceId device, DeviceWork&) -> Findings {
        if (device.value == 1)
            return {};
        return { { "checkpoint/read", Severity::Error, {}, "", "The file is damaged.", "Take another." } };
    };
    QVERIFY(says(runLocally(std::move(job)), "checkpoint/read", {}));
    QVERIFY(model->log.empty());
}

void FailuresTest::aFailingStartNamesTheDevice()
{
    const auto pipe = pipeline(PlacementKind::Linear, 3, 3, 2);
    auto job = fakeJob(linear1F1B(pipe), pipe, std::make_shared<FakeModel>());
    const auto make = job.makeWork;
    job.makeWork = [make](DeviceId device) {
        if (device.value == 2)
            throw std::runtime_error("no such model");
        return make(device);
    };
    QVERIFY(says(runLocally(std::move(job)), "run/failed",
        { "Device 2 failed in making its share of the model: no such model" }));
}

QTEST_APPLESS_MAIN(FailuresTest)
#include "failures_test.moc"
