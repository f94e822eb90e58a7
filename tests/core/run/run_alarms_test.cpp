// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_log.h"
#include "tests/support/made_run.h"

#include <QtTest>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

/// A run whose steps a test makes one by one.
class Watched {
public:
    explicit Watched(MadeRun run)
        : run_(std::move(run))
    {
        log_.add(run_.began());
        log_.add(run_.planned());
    }

    void step(const Timeline& times, Nanos more = 0)
    {
        addStep(log_, run_, next_, next_ * 1000 * milli, times, more);
        ++next_;
    }
    void steps(int count, const Timeline& times)
    {
        for (int i = 0; i < count; ++i)
            step(times);
    }
    /// One device slower than planned, by so many percent.
    [[nodiscard]] Timeline slow(int device, int percent) const
    {
        return run_.timeline([&](const TimedPass& pass) {
            const Nanos planned = pass.end - pass.start;
            return run_.plan().pipeline.deviceOf(pass.pass).value == device ? planned * (100 + percent) / 100 : planned;
        });
    }
    [[nodiscard]] std::vector<RunNotice> told(RunNotice::Kind kind) const
    {
        std::vector<RunNotice> found;
        for (const RunNotice& notice : log_.notices())
            if (notice.kind == kind)
                found.push_back(notice);
        return found;
    }
    [[nodiscard]] const MadeRun& run() const { return run_; }
    RunLog& log() { return log_; }
    [[nodiscard]] std::int64_t next() const { return next_; }

private:
    MadeRun run_;
    RunLog log_;
    std::int64_t next_ = 0;
};

Watched vHalf() { return Watched(MadeRun(libraryDesign("v-half", 4, 8))); }

QString said(const RunNotice& notice) { return QString::fromStdString(notice.text); }

} // namespace

class RunAlarmsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunAsPlannedTellsNothing();
    void aStragglerIsToldOnceUntilItHasCaughtUp();
    void allBeingSlowIsNoStraggler();
    void aSlowStepIsToldWithItsReason();
    void memoryBeyondThePlanIsTold();
    void memoryBeyondALimitIsAnError();
    void case23OverheadThatDominatesIsTold();
    void waitingIsNoOverhead();
    void stallsAreTold();
};

void RunAlarmsTest::aRunAsPlannedTellsNothing()
{
    Watched watched = vHalf();
    watched.steps(30, watched.run().timeline());
    for (const RunNotice& notice : watched.log().notices())
        QVERIFY2(notice.kind == RunNotice::Kind::Began || notice.kind == RunNotice::Kind::Step, notice.text.c_str());
}

void RunAlarmsTest::aStragglerIsToldOnceUntilItHasCaughtUp()
{
    Watched watched = vHalf();
    const Timeline slow = watched.slow(2, 12);
    const Timeline usual = watched.run().timeline();
    watched.steps(40, slow);
    auto told = watched.told(RunNotice::Kind::Straggler);
    QCOMPARE(told.size(), std::size_t { 1 });
    QCOMPARE(said(told.front()), QString("Device 2 runs 12 % slower than planned in F, B and W."));
    QCOMPARE(told.front().level, RunNotice::Level::Warning);
    QCOMPARE(told.front().devices, (std::vector { DeviceId { 2 } }));
    QVERIFY(told.front().advice.starts_with("Step time +"));
    // A little less is no reason to tell it anew.
    watched.steps(40, watched.slow(2, 7));
    watched.steps(40, slow);
    QCOMPARE(watched.told(RunNotice::Kind::Straggler).size(), std::size_t { 1 });
    watched.steps(40, usual);
    watched.steps(40, slow);
    QCOMPARE(watched.told(RunNotice::Kind::Straggler).size(), std::size_t { 2 });
}

void RunAlarmsTest::allBeingSlowIsNoStraggler()
{
    Watched watched = vHalf();
    watched.steps(30, watched.run().timeline([](const TimedPass& pass) { return 3 * (pass.end - pass.start); }));
    QVERIFY(watched.told(RunNotice::Kind::Straggler).empty());
}

void RunAlarmsTest::aSlowStepIsToldWithItsReason()
{
    Watched watched = vHalf();
    const Timeline usual = watched.run().timeline();
    watched.steps(20, usual);
    watched.step(usual, 2 * milli); // less than matters
    QVERIFY(watched.told(RunNotice::Kind::Slow).empty());
    watched.log().add(CheckpointSaved { watched.next(), 18.6 });
    watched.step(usual, 20 * milli);
    watched.step(usual, 20 * milli);
    watched.steps(5, usual);
    Pass held;
    const Timeline late = watched.run().timeline([&](const TimedPass& pass) {
        const bool isIt = pass.pass == Pass { StageId { 2 }, MicroBatch { 3 }, PassKind::F };
        held = isIt ? pass.pass : held;
        return pass.end - pass.start + (isIt ? 60 * milli : 0);
    });
    QVERIFY(held.kind == PassKind::F);
    watched.step(late);
    watched.log().add(DeviceStalled { DeviceId { 1 }, 0, {}, 1000, { DeviceId { 0 } }, "" });
    watched.step(usual, 40 * milli);
    const auto told = watched.told(RunNotice::Kind::Slow);
    QCOMPARE(told.size(), std::size_t { 4 });
    const QString first = QString("Step 21 took %1 ms, 20.0 more than usual: a checkpoint was written (18.6 ms).")
                              .arg(static_cast<double>(MadeRun::length(usual)) / milli + 20, 0, 'f', 1);
    QCOMPARE(said(told[0]), first);
    QCOMPARE(told[0].step, std::int64_t { 21 });
    QVERIFY(said(told[1]).endsWith("20.0 more than usual."));
    QVERIFY2(said(told[2]).contains(": the passes of device 2 took 60.0 ms more."), told[2].text.c_str());
    QVERIFY2(said(told[3]).contains(": device 1 kept the others waiting."), told[3].text.c_str());
}

void RunAlarmsTest::memoryBeyondThePlanIsTold()
{
    MadeRun run(libraryDesign("v-half", 4, 8));
    RunPlanned planned = run.planned();
    planned.predictedBytes = { 1'000'000, 1'000'000, 1'000'000, 1'000'000 };
    RunLog log;
    log.add(run.began());
    log.add(std::move(planned));
    const Timeline times = run.timeline();
    const auto step = [&](std::int64_t number, Bytes peak) {
        for (auto& row : run.step(number, number * 1000 * milli, times))
            for (RunEvent& event : row)
                log.add(std::move(event));
        log.add(MemoryPeaked { number, DeviceId { 1 }, peak });
        log.add(MadeRun::ended(number, times));
    };
    step(0, 1'009'000); // within a hundredth
    step(1, 1'020'000);
    step(2, 1'030'000);
    step(3, 900'000);
    step(4, 1'020'000);
    std::vector<std::int64_t> at;
    for (const RunNotice& notice : log.notices())
        if (notice.kind == RunNotice::Kind::Memory) {
            at.push_back(notice.step);
            QCOMPARE(notice.devices, (std::vector { DeviceId { 1 } }));
            QCOMPARE(said(notice), QString("Device 1 held 1.02 MB, more than foretold: 1.00 MB."));
        }
    QCOMPARE(at, (std::vector<std::int64_t> { 1, 4 }));
}

void RunAlarmsTest::memoryBeyondALimitIsAnError()
{
    Design design = libraryDesign("v-half", 4, 8);
    design.memory.unit = MemoryUnit::Byte;
    for (auto& kind : design.memory.change.values)
        for (Bytes& change : kind)
            change *= 100;
    design.memory.limit.assign(4, Bytes { 5'000 });
    Watched watched { MadeRun(design) };
    auto rows = watched.run().step(0, 0, watched.run().timeline(), 5'001);
    for (auto& row : rows)
        for (RunEvent& event : row)
            watched.log().add(std::move(event));
    watched.log().add(MadeRun::ended(0, watched.run().timeline()));
    const auto told = watched.told(RunNotice::Kind::Memory);
    QCOMPARE(told.size(), std::size_t { 4 });
    for (const RunNotice& notice : told) {
        QCOMPARE(notice.level, RunNotice::Level::Error);
        QVERIFY2(said(notice).contains("above its limit"), notice.text.c_str());
    }
}

/// CASES 23: passes so short that what is between them counts more than the schedule's bubble.
void RunAlarmsTest::case23OverheadThatDominatesIsTold()
{
    Watched watched(MadeRun(libraryDesign("1f1b", 2, 8)));
    // Passes end and data arrives long before the next pass begins.
    Timeline times = watched.run().timeline([](const TimedPass&) { return milli; });
    for (TimedPass& pass : times.passes)
        pass.end -= 7 * milli / 10;
    for (TimedTransfer& transfer : times.transfers) {
        transfer.start -= 7 * milli / 10;
        transfer.end -= 7 * milli / 10;
    }
    watched.steps(30, times);
    const auto told = watched.told(RunNotice::Kind::Overhead);
    QCOMPARE(told.size(), std::size_t { 1 });
    QVERIFY2(said(told.front()).startsWith("Per-pass overhead dominates: devices spend "), told.front().text.c_str());
    QVERIFY(!told.front().advice.empty());
}

void RunAlarmsTest::waitingIsNoOverhead()
{
    Watched watched(MadeRun(libraryDesign("gpipe", 4, 4)));
    watched.steps(30, watched.run().timeline({}, 2 * milli));
    QVERIFY(watched.told(RunNotice::Kind::Overhead).empty());
}

void RunAlarmsTest::stallsAreTold()
{
    Watched watched = vHalf();
    watched.log().add(DeviceStalled {
        DeviceId { 2 }, 5, Pass { StageId { 2 }, MicroBatch { 5 }, PassKind::B }, 1004, { DeviceId { 1 } }, "" });
    watched.log().add(
        DeviceStalled { DeviceId { 2 }, 6, Pass { StageId { 99 }, MicroBatch { 5 }, PassKind::B }, 1, {}, "so" });
    const auto told = watched.told(RunNotice::Kind::Stall);
    QCOMPARE(told.size(), std::size_t { 2 });
    QCOMPARE(said(told[0]), QString("rank 2 has not finished 2B5; rank 1 waits"));
    QCOMPARE(told[0].at, Nanos { 5 });
    QVERIFY(told[0].pass && !told[1].pass); // a pass that is none is not pointed at
    QCOMPARE(said(told[1]), QString("so"));
}

QTEST_APPLESS_MAIN(RunAlarmsTest)
#include "run_alarms_test.moc"
