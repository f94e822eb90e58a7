// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/event_files.h"
#include "core/run/run_log.h"
#include "tests/support/made_run.h"
#include "tests/support/random_pipeline.h"

#include <QtTest>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

MadeRun vHalf() { return MadeRun(libraryDesign("v-half", 4, 8)); }

void begin(RunLog& log, const MadeRun& run)
{
    log.add(run.began());
    log.add(run.planned());
}

std::int64_t noticesOf(const RunLog& log, RunNotice::Kind kind)
{
    return std::ranges::count(log.notices(), kind, &RunNotice::kind);
}

/// All that does not hang on the order in which the lines of several devices came.
QStringList contents(const RunLog& log)
{
    QStringList all;
    for (const auto& step : log.steps()) {
        QString line = QString("step %1 of attempt %2, %3 passes, whole %4")
                           .arg(step->step)
                           .arg(step->attempt)
                           .arg(step->passes())
                           .arg(step->isWhole());
        for (const MeasuredRow& row : step->rows) {
            line += QString(" | %1 %2:").arg(row.began.value_or(-1)).arg(row.peak.value_or(-1));
            for (const PassEnded& pass : row.passes)
                line += QString(" %1@%2").arg(QString::fromStdString(text(pass.pass))).arg(pass.start);
        }
        QStringList transfers;
        for (const TransferEnded& transfer : step->transfers)
            transfers << QString("%1>%2@%3")
                             .arg(QString::fromStdString(text(transfer.pass)))
                             .arg(transfer.to.value)
                             .arg(transfer.start);
        transfers.sort();
        all << line << transfers.join(' ');
    }
    const RunFaults& faults = log.faults();
    all << QString("late %1, lost %2 and %3, strange %4, passes %5")
               .arg(faults.late)
               .arg(faults.lostPasses)
               .arg(faults.lostLines)
               .arg(faults.strange)
               .arg(log.passesTold());
    for (const StepSummary& summary : log.summaries())
        all << QString("%1 %2 %3").arg(summary.step).arg(summary.stepMs).arg(summary.loss);
    return all;
}

std::unique_ptr<RunLog> recorded(const char* name)
{
    auto log = std::make_unique<RunLog>();
    EventFileReader reader(std::string(PIPELOOM_SOURCE_DIR "/tests/recordings/") + name + ".jsonl");
    if (hasErrors(reader.look()))
        qFatal("no recording %s", name);
    reader.finish([&](RunEvent&& event, EventFileReader::Origin) { log->add(std::move(event)); });
    return log;
}

} // namespace

class RunLogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAreBuiltUp();
    void linesOfSeveralDevicesMayComeInAnyOrder();
    void memoryStaysBounded();
    void stepsWithoutPassesAreBoundedToo();
    void passesWithoutAPlanAreBoundedToo();
    void spikesSurviveTheThinning();
    void lostPassesAreCounted();
    void lostLinesAreCounted();
    void strangeLinesAreCountedAndLeftOut();
    void whatComesBeforeTheRunIsKept();
    void aSecondRunBeginsAnew();
    void aStepThatBeginsAgainForgetsItsPasses();
    void noticesAreTheNewest();
    void aRunThatTellsAnotherOrderHasNoPlan();
    void aPlanMayComeBehindItsPasses();
    void case14ASkipIsOneStepWithRankAndParameter();
    void aKilledRunStandsWhereItWas();
    void aVerifiedRunIsWhole();
};

void RunLogTest::stepsAreBuiltUp()
{
    const MadeRun run = vHalf();
    RunLog log;
    QVERIFY(!log.newest() && !log.newestWhole());
    begin(log, run);
    QVERIFY(log.plan());
    QCOMPARE(log.plan()->timeline, run.plan().timeline);
    const Timeline times = run.timeline();
    addStep(log, run, 0, 10 * milli, times);
    auto rows = run.step(1, 90 * milli, times);
    for (std::size_t i = 0; i < 5; ++i)
        log.add(std::move(rows[2][i]));
    QCOMPARE(log.steps().size(), std::size_t { 2 });
    QCOMPARE(log.newest()->step, std::int64_t { 1 });
    QCOMPARE(log.newestWhole()->step, std::int64_t { 0 });
    QVERIFY(!log.step(1)->isWhole());
    QCOMPARE(log.step(0)->timeline().passes, times.passes);
    QCOMPARE(*log.step(0)->began(), Nanos { 10 * milli });
    QCOMPARE(log.step(0)->latest(), 10 * milli + MadeRun::length(times));
    QCOMPARE(log.step(7), MeasuredStepPtr());
    QCOMPARE(log.peaks(), (std::vector<Bytes>(4, 1000)));
    QCOMPARE(log.faults().late + log.faults().lostPasses + log.faults().lostLines + log.faults().strange,
        std::int64_t { 0 });
    QCOMPARE(log.passesTold(), static_cast<std::int64_t>(times.passes.size()) + log.newest()->passes());
}

void RunLogTest::linesOfSeveralDevicesMayComeInAnyOrder()
{
    const MadeRun run(libraryDesign("1f1b", 4, 6));
    const Timeline times = run.timeline();
    constexpr std::int64_t steps = 4;
    std::vector<std::vector<RunEvent>> streams(5); // of four devices, and the run's own
    for (std::int64_t step = 0; step < steps; ++step) {
        auto rows = run.step(step, step * 100 * milli, times);
        for (std::size_t d = 0; d < rows.size(); ++d)
            streams[d].insert(streams[d].end(), rows[d].begin(), rows[d].end());
        streams[4].emplace_back(MadeRun::ended(step, times));
    }
    for (std::int32_t d = 0; d < 4; ++d)
        streams[static_cast<std::size_t>(d)].emplace_back(
            DeviceEnded { DeviceId { d }, static_cast<std::int64_t>(streams[static_cast<std::size_t>(d)].size()) });
    QStringList expected;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        Random random(seed);
        RunLog log;
        begin(log, run);
        std::array<std::size_t, 5> next {};
        std::size_t left = 0;
        for (const auto& stream : streams)
            left += stream.size();
        while (left > 0) {
            // Seed 0: one stream after the other.
            auto at = seed == 0 ? std::size_t { 0 } : static_cast<std::size_t>(between(random, 0, 4));
            while (next[at] == streams[at].size())
                at = (at + 1) % streams.size();
            log.add(RunEvent(streams[at][next[at]++]));
            --left;
        }
        log.add(RunEnded { "finished" });
        if (seed == 0) {
            expected = contents(log);
            QVERIFY(expected.join('\n').contains("late 0, lost 0 and 0, strange 0"));
        }
        QCOMPARE(contents(log), expected);
    }
}

void RunLogTest::memoryStaysBounded()
{
    const MadeRun run(libraryDesign("1f1b", 2, 4));
    const Timeline times = run.timeline();
    constexpr std::size_t most = 500;
    RunLog log(most);
    begin(log, run);
    for (std::int64_t step = 0; step < 2000; ++step)
        addStep(log, run, step, step * 50 * milli, times);
    std::size_t kept = 0;
    for (const auto& step : log.steps())
        kept += static_cast<std::size_t>(step->passes()) + step->transfers.size() + step->rows.size();
    QVERIFY(kept <= most);
    QVERIFY(kept > most / 2);
    QCOMPARE(log.summaries().size(), std::size_t { 2000 });
    QCOMPARE(log.newest()->step, std::int64_t { 1999 });
    QCOMPARE(log.faults().lostPasses, std::int64_t { 0 });
    log.add(StepBegan { 3, DeviceId { 0 }, 0 });
    QCOMPARE(log.faults().late, std::int64_t { 1 });
    QVERIFY(!log.step(3));
    // However small, the last two are there.
    RunLog small(1);
    begin(small, run);
    for (std::int64_t step = 0; step < 5; ++step)
        addStep(small, run, step, step * 50 * milli, times);
    QCOMPARE(small.steps().size(), std::size_t { 2 });
    QCOMPARE(small.steps().front()->passes(), static_cast<std::int64_t>(times.passes.size()));
}

void RunLogTest::stepsWithoutPassesAreBoundedToo()
{
    const MadeRun run(libraryDesign("1f1b", 2, 4));
    RunLog log(1000);
    begin(log, run);
    for (std::int64_t step = 0; step < 10'000; ++step)
        log.add(StepEnded { step, {}, 10 });
    QVERIFY(log.steps().size() <= 500);
    QCOMPARE(log.summaries().size(), std::size_t { 10'000 });
    QVERIFY(std::isnan(log.summaries().front().loss));
    QVERIFY(log.faults().lostPasses > 0);
}

void RunLogTest::passesWithoutAPlanAreBoundedToo()
{
    RunLog log(100);
    RunBegan began;
    began.devices = 2;
    log.add(began); // it tells no design
    QVERIFY(!log.plan());
    for (std::int32_t i = 0; i < 1000; ++i)
        log.add(PassEnded { 0, DeviceId { 1 }, { StageId { i }, MicroBatch { 0 }, PassKind::F }, i, i + 1 });
    QVERIFY(!log.findings().empty());
    QCOMPARE(log.newest()->passes(), std::int64_t { 100 });
    QCOMPARE(log.faults().strange, std::int64_t { 900 });
}

void RunLogTest::spikesSurviveTheThinning()
{
    RunLog log(100);
    RunBegan began;
    began.devices = 1;
    log.add(began);
    constexpr std::int64_t spike = 12'345;
    for (std::int64_t step = 0; step < 300'000; ++step)
        log.add(StepEnded { step, 1.0, step == spike ? 900.0 : 10.0 });
    QVERIFY(log.summaries().size() <= 100'000);
    QVERIFY(log.summaries().size() >= 50'000);
    QCOMPARE(log.summaries().back().step, std::int64_t { 299'999 });
    QVERIFY(std::ranges::is_sorted(log.summaries(), {}, &StepSummary::step));
    QCOMPARE(std::ranges::count(log.summaries(), spike, &StepSummary::step), 1);
}

void RunLogTest::lostPassesAreCounted()
{
    const MadeRun run = vHalf();
    const Timeline times = run.timeline();
    RunLog log;
    begin(log, run);
    std::vector<RunEvent> lost;
    auto rows = run.step(0, 0, times);
    for (auto& row : rows)
        for (RunEvent& event : row) {
            const auto* pass = std::get_if<PassEnded>(&event);
            if (pass && lost.size() < 3 && pass->pass.kind == PassKind::W)
                lost.push_back(event);
            else
                log.add(std::move(event));
        }
    log.add(MadeRun::ended(0, times));
    QCOMPARE(log.faults().lostPasses, std::int64_t { 0 }); // they may still come
    for (std::int64_t step = 1; step < 5; ++step)
        addStep(log, run, step, step * 100 * milli, times);
    QCOMPARE(log.faults().lostPasses, std::int64_t { 3 });
    log.add(RunEvent(lost.front()));
    QCOMPARE(log.faults().lostPasses, std::int64_t { 2 });
    log.add(RunEnded { "finished" });
    QCOMPARE(log.faults().lostPasses, std::int64_t { 2 });
}

void RunLogTest::lostLinesAreCounted()
{
    const MadeRun run = vHalf();
    const Timeline times = run.timeline();
    RunLog log;
    begin(log, run);
    log.add(RankBegan { DeviceId { 1 }, 1, 4711, "here" });
    const auto rows = run.step(0, 0, times);
    const auto written = static_cast<std::int64_t>(rows[1].size());
    for (std::size_t i = 0; i < rows[1].size(); ++i)
        if (i != 3 && i != 7)
            log.add(RunEvent(rows[1][i]));
    log.add(StepUndone { 0, false, StepUndone::Reason::NotFinite, DeviceId { 1 }, StageId { 0 }, "w", 1 });
    log.add(DeviceEnded { DeviceId { 1 }, written });
    QCOMPARE(log.faults().lostLines, std::int64_t { 2 });
    log.add(DeviceEnded { DeviceId { 0 }, 0 });
    QCOMPARE(log.faults().lostLines, std::int64_t { 2 });
}

void RunLogTest::strangeLinesAreCountedAndLeftOut()
{
    const MadeRun run = vHalf();
    RunLog log;
    RunBegan began = run.began();
    began.stepsAreKnown = true;
    began.firstStep = 10;
    began.steps = 5;
    log.add(began);
    const Pass first { StageId { 0 }, MicroBatch { 0 }, PassKind::F }; // on device 0
    const auto add = [&log](RunEvent event) {
        const std::int64_t before = log.faults().strange;
        log.add(std::move(event));
        return log.faults().strange - before;
    };
    QCOMPARE(add(PassEnded { 10, DeviceId { 0 }, first, 0, 1 }), std::int64_t { 0 });
    QCOMPARE(add(PassEnded { 10, DeviceId { 0 }, first, 0, 1 }), std::int64_t { 1 }); // twice
    QCOMPARE(add(PassEnded { 11, DeviceId { 1 }, first, 0, 1 }), std::int64_t { 1 }); // of another device
    QCOMPARE(add(PassEnded { 11, DeviceId { 4 }, first, 0, 1 }), std::int64_t { 1 });
    const Pass beyond { StageId { 8 }, MicroBatch { 0 }, PassKind::F };
    QCOMPARE(add(PassEnded { 11, DeviceId { 0 }, beyond, 0, 1 }), std::int64_t { 1 });
    QCOMPARE(add(StepBegan { 9, DeviceId { 0 }, 0 }), std::int64_t { 1 });
    QCOMPARE(add(StepBegan { 15, DeviceId { 0 }, 0 }), std::int64_t { 1 });
    QCOMPARE(add(StepBegan { 14, DeviceId { 0 }, 0 }), std::int64_t { 0 });
    QCOMPARE(add(TransferEnded { 14, first, DeviceId { 0 }, DeviceId { 1 }, 0, 1 }), std::int64_t { 0 });
    QCOMPARE(add(TransferEnded { 14, first, DeviceId { 0 }, DeviceId { 1 }, 0, 1 }), std::int64_t { 1 });
    QCOMPARE(add(TransferEnded { 14, first, DeviceId { 0 }, DeviceId { 9 }, 0, 1 }), std::int64_t { 1 });
    QCOMPARE(add(RankBegan { DeviceId { 7 }, 0, 0, "" }), std::int64_t { 1 });
    QCOMPARE(add(DeviceEnded { DeviceId { 7 }, 0 }), std::int64_t { 1 });
    StepUndone clipped;
    clipped.step = 14;
    clipped.reason = StepUndone::Reason::Clipped;
    QCOMPARE(add(clipped), std::int64_t { 0 });
    QCOMPARE(add(RunFailed { "run/x", "m", "r", { DeviceId { 1 }, DeviceId { 77 } } }), std::int64_t { 0 });
    QCOMPARE(log.notices().back().devices, (std::vector { DeviceId { 1 } }));
    QCOMPARE(log.steps().size(), std::size_t { 2 });
}

void RunLogTest::whatComesBeforeTheRunIsKept()
{
    const MadeRun run = vHalf();
    const Timeline times = run.timeline();
    RunLog ordered;
    begin(ordered, run);
    addStep(ordered, run, 0, 0, times);
    RunLog log;
    addStep(log, run, 0, 0, times);
    QVERIFY(log.steps().empty());
    begin(log, run);
    QCOMPARE(contents(log), contents(ordered));
    QCOMPARE(log.events(), ordered.events());

    RunLog flooded;
    for (std::int64_t i = 0; i < 100'007; ++i)
        flooded.add(StepBegan { 0, DeviceId { 0 }, i });
    QCOMPARE(flooded.faults().late, std::int64_t { 7 });
}

void RunLogTest::aSecondRunBeginsAnew()
{
    const MadeRun run = vHalf();
    const MadeRun other(libraryDesign("1f1b", 2, 4));
    RunLog log;
    begin(log, run);
    addStep(log, run, 0, 0, run.timeline());
    log.add(RunFailed { "run/x", "it broke", "", {} });
    log.add(RunEnded { "failed" });
    begin(log, other);
    QVERIFY(log.steps().empty() && log.summaries().empty() && !log.failed() && !log.ended());
    QCOMPARE(log.ranks().size(), std::size_t { 2 });
    QCOMPARE(log.plan()->pipeline.devices, 2);
    addStep(log, other, 0, 0, other.timeline());
    log.add(RunEnded { "finished" });
    QCOMPARE(log.steps().size(), std::size_t { 1 });
    QCOMPARE(noticesOf(log, RunNotice::Kind::Began), std::int64_t { 2 });
    QCOMPARE(log.faults().strange + log.faults().lostPasses, std::int64_t { 0 });
}

void RunLogTest::aStepThatBeginsAgainForgetsItsPasses()
{
    const MadeRun run = vHalf();
    const Timeline times = run.timeline();
    RunLog log;
    begin(log, run);
    addStep(log, run, 0, 0, times);
    auto broken = run.step(1, 100 * milli, times);
    for (std::size_t d = 0; d < broken.size(); ++d)
        for (std::size_t i = 0; i < 6 + 2 * d; ++i)
            log.add(std::move(broken[d][i]));
    StepUndone undone { 0, true, StepUndone::Reason::NotFinite, DeviceId { 2 }, StageId { 5 }, "layer 1 qkv", 1 };
    log.add(undone);
    addStep(log, run, 1, 200 * milli, times);
    log.add(RunEnded { "finished" });
    QCOMPARE(log.step(1)->attempt, 1);
    QCOMPARE(log.step(0)->attempt, 0);
    QCOMPARE(log.step(1)->timeline().passes, times.passes);
    QCOMPARE(log.step(1)->transfers.size(), times.transfers.size());
    QVERIFY(log.step(0)->undone && log.step(0)->undone->rolledBack);
    QCOMPARE(noticesOf(log, RunNotice::Kind::Rollback), std::int64_t { 1 });
    QCOMPARE(log.faults().strange + log.faults().lostPasses, std::int64_t { 0 });
}

void RunLogTest::noticesAreTheNewest()
{
    RunLog log(100);
    RunBegan began;
    began.devices = 1;
    log.add(began);
    for (std::int64_t step = 0; step < 5000; ++step)
        log.add(StepEnded { step, 1.0, 10 });
    QCOMPARE(log.notices().size(), std::size_t { 2000 });
    QCOMPARE(log.noticesBefore(), std::int64_t { 3001 });
    QCOMPARE(log.notices().back().step, std::int64_t { 4999 });
}

void RunLogTest::aRunThatTellsAnotherOrderHasNoPlan()
{
    const MadeRun run = vHalf();
    RunPlanned planned = run.planned();
    std::swap(planned.rows[0], planned.rows[1]);
    RunLog log;
    log.add(run.began());
    log.add(std::move(planned));
    QVERIFY(!log.plan());
    QCOMPARE(log.findings().front().rule, std::string("run/plan"));
    addStep(log, run, 0, 0, run.timeline()); // what is told is kept all the same
    QVERIFY(log.newestWhole());
}

void RunLogTest::aPlanMayComeBehindItsPasses()
{
    const MadeRun run = vHalf();
    const Timeline times = run.timeline();
    const auto rows = run.step(0, 0, times);
    // The first line of all is a pass; so it is with lines before it lost.
    RunLog first;
    first.add(run.began());
    first.add(RunEvent(rows[0][1]));
    QCOMPARE(first.passesTold(), std::int64_t { 1 });
    // No plan could be made, then one that fits: what was told twice or elsewhere goes.
    RunPlanned wrong = run.planned();
    std::swap(wrong.rows[0], wrong.rows[1]);
    RunLog log;
    log.add(run.began());
    log.add(std::move(wrong));
    for (const auto& row : rows)
        for (const RunEvent& event : row)
            log.add(RunEvent(event));
    log.add(RunEvent(rows[2][1]));
    log.add(PassEnded { 0, DeviceId { 0 }, { StageId { 77 }, MicroBatch { 0 }, PassKind::F }, 0, 1 });
    log.add(MadeRun::ended(0, times));
    QVERIFY(!log.plan());
    log.add(run.planned());
    QVERIFY(log.plan());
    QCOMPARE(log.step(0)->timeline().passes, times.passes);
    QCOMPARE(log.faults().strange, std::int64_t { 2 });
    log.add(RunEvent(rows[2][1]));
    QCOMPARE(log.faults().strange, std::int64_t { 3 });
    log.add(RunEnded { "finished" });
    QCOMPARE(log.faults().lostPasses, std::int64_t { 0 });
}

void RunLogTest::case14ASkipIsOneStepWithRankAndParameter()
{
    const auto log = recorded("nan-skip");
    std::vector<RunNotice> skips;
    for (const RunNotice& notice : log->notices())
        if (notice.kind == RunNotice::Kind::Skip || notice.kind == RunNotice::Kind::Rollback)
            skips.push_back(notice);
    QCOMPARE(skips.size(), std::size_t { 1 });
    QCOMPARE(skips.front().step, std::int64_t { 3 });
    QCOMPARE(skips.front().devices.size(), std::size_t { 1 });
    const auto& undone = log->step(3)->undone;
    QVERIFY(undone && !undone->parameter.empty());
    const auto said = QString::fromStdString(skips.front().text);
    QVERIFY2(said.contains(QString::fromStdString(undone->parameter)), qPrintable(said));
    QVERIFY2(said.contains(QString("device %1").arg(undone->device.value)), qPrintable(said));
    for (const auto& step : log->steps())
        QCOMPARE(step->undone.has_value(), step->step == 3);
    QVERIFY(log->ended() && log->ended()->outcome == "finished");
}

void RunLogTest::aKilledRunStandsWhereItWas()
{
    const auto log = recorded("killed");
    QVERIFY(log->failed());
    QCOMPARE(log->failed()->rule, std::string("run/died"));
    QCOMPARE(log->failed()->devices.front().value, 1);
    QCOMPARE(log->newestWhole()->step, std::int64_t { 1 });
    QCOMPARE(log->newest()->step, std::int64_t { 2 });
    QVERIFY(!log->newest()->isWhole());
    QCOMPARE(log->faults().strange + log->faults().late + log->faults().lostPasses, std::int64_t { 0 });
    QCOMPARE(log->notices().back().kind, RunNotice::Kind::Ended);
}

void RunLogTest::aVerifiedRunIsWhole()
{
    const auto log = recorded("v-half");
    QCOMPARE(log->steps().size(), std::size_t { 4 });
    QCOMPARE(noticesOf(*log, RunNotice::Kind::Verified), std::int64_t { 1 });
    QCOMPARE(noticesOf(*log, RunNotice::Kind::Checkpoint), std::int64_t { 1 });
    QCOMPARE(noticesOf(*log, RunNotice::Kind::Step), std::int64_t { 4 });
    QCOMPARE(noticesOf(*log, RunNotice::Kind::Rank), std::int64_t { 4 });
    const RunFaults& faults = log->faults();
    QCOMPARE(faults.late + faults.lostLines + faults.lostPasses + faults.strange, std::int64_t { 0 });
    for (const auto& step : log->steps())
        QCOMPARE(step->passes(), static_cast<std::int64_t>(log->plan()->timeline.passes.size()));
}

QTEST_APPLESS_MAIN(RunLogTest)
#include "run_log_test.moc"
