// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/event_files.h"
#include "core/run/run_figures.h"
#include "core/run/run_log.h"
#include "tests/support/made_run.h"
#include "tests/support/random_legal_design.h"
#include "tests/support/random_pipeline.h"

#include <QtTest>

#include <numeric>
#include <set>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

void begin(RunLog& log, const MadeRun& run)
{
    log.add(run.began());
    log.add(run.planned());
}

/// So many steps of those times.
std::unique_ptr<RunLog> stepsOf(const MadeRun& run, const Timeline& times, std::int64_t steps = 1, Nanos more = 0)
{
    auto log = std::make_unique<RunLog>();
    begin(*log, run);
    for (std::int64_t step = 0; step < steps; ++step)
        addStep(*log, run, step, 7 * milli + step * 1000 * milli, times, more);
    return log;
}

std::vector<MeasuredStepPtr> allSteps(const RunLog& log) { return { log.steps().begin(), log.steps().end() }; }

Nanos sum(const TimeSplit& split) { return split.compute + split.transfer + split.waiting + split.own; }

Nanos planned(const TimedPass& pass) { return pass.end - pass.start; }

bool isOf(const RunPlan& plan, const TimedPass& pass, int device)
{
    return plan.pipeline.deviceOf(pass.pass).value == device;
}

} // namespace

class RunFiguresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void case38ALateRankIsWaitedForNotTransferred();
    void slowTransfersAreTransfer();
    void whatIsBetweenPassesIsOwn();
    void pairsCountOnce();
    void partsAddUpInAnyStep();
    void partsAddUpInRealRuns_data();
    void partsAddUpInRealRuns();
    void partsAddUpWhenLinesAreLost();
    void driftIsMeasuredOverPlanned();
    void latenessCountsFromTheStepsBeginning();
    void aSlowDeviceIsAStraggler();
    void whatAllAreIsNoStraggler();
    void theRecordedStragglerIsFound();
    void whoIsHeldUpIsCompleteAndRight();
    void heldUpIsSaidInWords();
    void aWholeStepHoldsNobodyUp();
};

/// CASES 38: 50 ms more in one rank's first forward are waiting on the other rank, and no transfer.
void RunFiguresTest::case38ALateRankIsWaitedForNotTransferred()
{
    const MadeRun run(libraryDesign("1f1b", 2, 4));
    const Nanos transfer = milli / 10;
    const Pass first { StageId { 0 }, MicroBatch { 0 }, PassKind::F };
    const auto late = [&](const TimedPass& pass) { return planned(pass) + (pass.pass == first ? 50 * milli : 0); };
    const auto before = stepsOf(run, run.timeline({}, transfer));
    const auto after = stepsOf(run, run.timeline(late, transfer));
    const auto usual = timeSplit(*before->newest(), run.plan());
    const auto split = timeSplit(*after->newest(), run.plan());
    QCOMPARE(split[0].compute, usual[0].compute + 50 * milli);
    QCOMPARE(split[1].compute, usual[1].compute);
    QCOMPARE(split[1].waiting, usual[1].waiting + 50 * milli);
    QCOMPARE(split[1].transfer, usual[1].transfer);
    QCOMPARE(split[0].waiting, usual[0].waiting);
    for (const TimeSplit& one : split)
        QCOMPARE(sum(one), one.step);
    QCOMPARE(split[0].step, MadeRun::length(run.timeline(late, transfer)));
}

void RunFiguresTest::slowTransfersAreTransfer()
{
    const MadeRun run(libraryDesign("1f1b", 2, 1));
    const auto log = stepsOf(run, run.timeline({}, 5 * milli));
    const auto split = timeSplit(*log->newest(), run.plan());
    // One micro-batch: down once, up once; each device stands still while the data goes to it.
    QCOMPARE(split[0].transfer, 5 * milli);
    QCOMPARE(split[1].transfer, 5 * milli);
    QCOMPARE(split[0].own + split[1].own, Nanos { 0 });
}

void RunFiguresTest::whatIsBetweenPassesIsOwn()
{
    // One device alone: no inputs from others.
    const MadeRun run(libraryDesign("gpipe", 1, 3));
    Timeline times = run.timeline();
    for (std::size_t i = 0; i < times.passes.size(); ++i) {
        times.passes[i].start += static_cast<Ticks>(i + 1) * milli;
        times.passes[i].end += static_cast<Ticks>(i + 1) * milli;
    }
    const auto count = static_cast<Nanos>(times.passes.size());
    const auto log = stepsOf(run, times, 3, 4 * milli);
    const auto split = timeSplit(allSteps(*log), run.plan());
    QCOMPARE(split[0].between, count * milli);
    QCOMPARE(split[0].own, count * milli + 4 * milli);
    QCOMPARE(split[0].waiting + split[0].transfer, Nanos { 0 });
    QCOMPARE(sum(split[0]), split[0].step);
    QCOMPARE(split[0].peak, Bytes { 1000 });
}

void RunFiguresTest::pairsCountOnce()
{
    Design design = libraryDesign("1f1b", 2, 4);
    design.plan = schedule(
        { { { { StageId { 0 }, MicroBatch { 0 }, PassKind::F }, {} },
              { { StageId { 0 }, MicroBatch { 1 }, PassKind::F }, {} },
              { { StageId { 0 }, MicroBatch { 2 }, PassKind::F }, {} },
              { { StageId { 0 }, MicroBatch { 3 }, PassKind::F }, { StageId { 0 }, MicroBatch { 0 }, PassKind::BW } },
              { { StageId { 0 }, MicroBatch { 1 }, PassKind::BW }, {} },
              { { StageId { 0 }, MicroBatch { 2 }, PassKind::BW }, {} },
              { { StageId { 0 }, MicroBatch { 3 }, PassKind::BW }, {} } },
            { { { StageId { 1 }, MicroBatch { 0 }, PassKind::F }, {} },
                { { StageId { 1 }, MicroBatch { 0 }, PassKind::BW }, {} },
                { { StageId { 1 }, MicroBatch { 1 }, PassKind::F }, {} },
                { { StageId { 1 }, MicroBatch { 1 }, PassKind::BW }, {} },
                { { StageId { 1 }, MicroBatch { 2 }, PassKind::F }, {} },
                { { StageId { 1 }, MicroBatch { 2 }, PassKind::BW }, {} },
                { { StageId { 1 }, MicroBatch { 3 }, PassKind::F }, {} },
                { { StageId { 1 }, MicroBatch { 3 }, PassKind::BW }, {} } } });
    design.reorder.reset();
    const MadeRun run(design);
    QVERIFY(std::ranges::any_of(run.plan().timeline.passes, &TimedPass::joined));
    const auto log = stepsOf(run, run.timeline());
    const auto split = timeSplit(*log->newest(), run.plan());
    Nanos busy = 0;
    for (const TimedPass& pass : run.plan().timeline.row(DeviceId { 0 }))
        busy += pass.joined ? 0 : planned(pass);
    QCOMPARE(split[0].compute, busy);
    QCOMPARE(sum(split[0]), split[0].step);
}

void RunFiguresTest::partsAddUpInAnyStep()
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const MadeRun run(RandomLegalDesign(static_cast<unsigned>(seed)).design());
        const auto took
            = [&](const TimedPass& pass) { return planned(pass) + between(random, 0, 3) * between(random, 0, milli); };
        const Timeline times = run.timeline(took, between(random, 0, milli));
        const auto log = stepsOf(run, times, 1, between(random, 0, 5 * milli));
        const auto split = timeSplit(*log->newest(), run.plan());
        const auto levels = static_cast<std::int32_t>(split.size());
        for (std::int32_t d = 0; d < levels; ++d) {
            const TimeSplit& one = split[static_cast<std::size_t>(d)];
            QCOMPARE(sum(one), one.step);
            QVERIFY(one.compute >= 0 && one.transfer >= 0 && one.waiting >= 0 && one.own >= one.between);
            QCOMPARE(one.between, Nanos { 0 }); // the simulator has no overhead
        }
    }
}

void RunFiguresTest::partsAddUpInRealRuns_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : { "v-half", "straggler", "nan-skip", "killed" })
        QTest::newRow(name) << name;
}

void RunFiguresTest::partsAddUpInRealRuns()
{
    QFETCH(QString, name);
    RunLog log;
    EventFileReader reader(PIPELOOM_SOURCE_DIR "/tests/recordings/" + name.toStdString() + ".jsonl");
    QVERIFY(!hasErrors(reader.look()));
    reader.finish([&](RunEvent&& event, EventFileReader::Origin) { log.add(std::move(event)); });
    QVERIFY(log.plan());
    for (const auto& step : log.steps())
        for (const TimeSplit& one : timeSplit(*step, *log.plan())) {
            QCOMPARE(sum(one), one.step);
            QVERIFY(one.compute >= 0 && one.transfer >= 0 && one.waiting >= 0 && one.own >= one.between);
        }
    for (const TimeSplit& one : timeSplit(allSteps(log), *log.plan()))
        QCOMPARE(sum(one), one.step);
}

void RunFiguresTest::partsAddUpWhenLinesAreLost()
{
    const MadeRun run(libraryDesign("v-half", 4, 8));
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Random random(seed);
        RunLog log;
        begin(log, run);
        auto rows = run.step(0, 5 * milli, run.timeline({}, milli / 3));
        for (auto& row : rows)
            for (RunEvent& event : row)
                if (!chance(random, 40))
                    log.add(std::move(event));
        if (!log.newest())
            continue;
        for (const TimeSplit& one : timeSplit(*log.newest(), run.plan())) {
            QCOMPARE(sum(one), one.step);
            QVERIFY(one.compute >= 0 && one.transfer >= 0 && one.waiting >= 0 && one.own >= 0);
        }
    }
}

void RunFiguresTest::driftIsMeasuredOverPlanned()
{
    const MadeRun run(libraryDesign("v-half", 4, 8));
    const auto took = [](const TimedPass& pass) {
        return planned(pass) * (pass.pass.stage.value == 3 && pass.pass.kind == PassKind::B ? 3 : 2);
    };
    const auto log = stepsOf(run, run.timeline(took), 4);
    const Drift found = drift(allSteps(*log), run.plan());
    QCOMPARE(found.steps, std::int64_t { 4 });
    for (std::int32_t s = 0; s < 8; ++s) {
        QCOMPARE(found.ratio.of(PassKind::F, StageId { s }), 2.0);
        QCOMPARE(found.ratio.of(PassKind::B, StageId { s }), s == 3 ? 3.0 : 2.0);
        QCOMPARE(found.ratio.of(PassKind::BW, StageId { s }), 0.0); // none ran
        QCOMPARE(found.spread.of(PassKind::W, StageId { s }), 0.0);
    }
    QVERIFY(std::abs(found.overall - (2 + 1.0 / 24)) < 1e-9);
    const Drift none = drift({}, run.plan());
    QCOMPARE(none.overall, 0.0);
    QCOMPARE(none.ratio.of(PassKind::F, StageId { 0 }), 0.0);
}

void RunFiguresTest::latenessCountsFromTheStepsBeginning()
{
    const MadeRun run(libraryDesign("1f1b", 2, 4));
    const auto log = stepsOf(run, run.timeline());
    for (const MeasuredRow& row : log->newest()->rows)
        for (const PassEnded& pass : row.passes)
            QCOMPARE(lateness(pass, *log->newest(), run.plan()), std::optional<Nanos>(0));
    PassEnded moved = log->newest()->rows[1].passes[1];
    moved.start -= 3;
    QCOMPARE(lateness(moved, *log->newest(), run.plan()), std::optional<Nanos>(-3));
    moved.pass.stage = StageId { 5 };
    QVERIFY(!lateness(moved, *log->newest(), run.plan()));
}

void RunFiguresTest::aSlowDeviceIsAStraggler()
{
    const MadeRun run(libraryDesign("v-half", 4, 8));
    const auto took
        = [&](const TimedPass& pass) { return isOf(run.plan(), pass, 2) ? planned(pass) * 112 / 100 : planned(pass); };
    const Timeline slow = run.timeline(took);
    const auto log = stepsOf(run, slow, 5);
    const auto found = stragglers(allSteps(*log), run.plan());
    QCOMPARE(found.size(), std::size_t { 1 });
    QCOMPARE(found.front().device.value, 2);
    QVERIFY(std::abs(found.front().slower - 0.12) < 1e-6);
    QVERIFY(std::abs(found.front().base - 1) < 1e-9);
    QCOMPARE(found.front().kinds, (std::vector { PassKind::F, PassKind::B, PassKind::W }));
    const double costs = static_cast<double>(MadeRun::length(slow) - MadeRun::length(run.timeline())) / milli;
    QVERIFY(std::abs(found.front().stepMs - costs) < 1e-3);
    QVERIFY(isOf(run.plan(), { 0, 0, found.front().worst, false }, 2));
    const auto steps = allSteps(*log);
    QVERIFY(stragglers(std::span(steps).first(2), run.plan()).empty()); // two steps are no habit
    QVERIFY(stragglers(allSteps(*log), run.plan(), 0.13).empty());
}

void RunFiguresTest::whatAllAreIsNoStraggler()
{
    const MadeRun run(libraryDesign("v-half", 4, 8));
    const auto twice = [](const TimedPass& pass) { return 2 * planned(pass); };
    QVERIFY(stragglers(allSteps(*stepsOf(run, run.timeline(twice), 5)), run.plan()).empty());
    // Once held up, in one step of five, is no habit either.
    RunLog log;
    begin(log, run);
    for (std::int64_t step = 0; step < 5; ++step) {
        const auto once
            = [&](const TimedPass& pass) { return planned(pass) * (step == 2 && isOf(run.plan(), pass, 1) ? 5 : 1); };
        addStep(log, run, step, step * 1000 * milli, run.timeline(once));
    }
    QVERIFY(stragglers(allSteps(log), run.plan()).empty());
}

void RunFiguresTest::theRecordedStragglerIsFound()
{
    RunLog log;
    EventFileReader reader(PIPELOOM_SOURCE_DIR "/tests/recordings/straggler.jsonl");
    QVERIFY(!hasErrors(reader.look()));
    reader.finish([&](RunEvent&& event, EventFileReader::Origin) { log.add(std::move(event)); });
    const auto found = stragglers(allSteps(log), *log.plan());
    const auto most = std::ranges::max_element(found, {}, &Straggler::slower);
    QVERIFY(most != found.end());
    QCOMPARE(most->device.value, 2); // pass 2F3 was held up
    QCOMPARE(text(most->worst), std::string("2F0"));
}

/// Steps cut anywhere: every device that has not ended is held up or waits for one that is, and who holds others up has all
/// that its next pass needs.
void RunFiguresTest::whoIsHeldUpIsCompleteAndRight()
{
    int cut = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Random random(seed);
        const MadeRun run(RandomLegalDesign(static_cast<unsigned>(seed)).design());
        const RunPlan& plan = run.plan();
        const auto took = [&](const TimedPass& pass) { return planned(pass) + between(random, 0, 3 * milli); };
        const Timeline times = run.timeline(took);
        const Nanos until = between(random, 0, MadeRun::length(times));
        MeasuredStep step;
        std::set<std::string> told;
        for (std::int32_t d = 0; d < times.devices(); ++d) {
            MeasuredRow& row = step.rows.emplace_back();
            for (const TimedPass& pass : times.row(DeviceId { d }))
                if (pass.end <= until) {
                    row.passes.push_back({ 0, DeviceId { d }, pass.pass, pass.start, pass.end });
                    told.insert(text(pass.pass));
                }
            row.ended = row.passes.size() == times.row(DeviceId { d }).size() && chance(random, 50);
        }
        std::set<std::int32_t> named;
        const auto held = heldUp(step, plan);
        for (const HeldUp& one : held) {
            named.insert(one.device.value);
            for (const DeviceId device : one.waiting) {
                QVERIFY(device != one.device);
                named.insert(device.value);
            }
            const std::set<std::int32_t> once = [&] {
                std::set<std::int32_t> all;
                for (const DeviceId device : one.waiting)
                    all.insert(device.value);
                return all;
            }();
            QCOMPARE(once.size(), one.waiting.size());
            QVERIFY(!step.rows[one.device.index()].ended);
            if (!one.pass)
                continue;
            QVERIFY(!told.contains(text(*one.pass)));
            const Pass& pass = *one.pass;
            const Pass input = pass.kind == PassKind::F
                ? Pass { StageId { pass.stage.value - 1 }, pass.microBatch, PassKind::F }
                : Pass { StageId { pass.stage.value + 1 }, pass.microBatch, PassKind::B };
            const bool needs = pass.kind == PassKind::F ? input.stage.value >= 0
                : givesInputGradient(pass.kind)         ? input.stage.value < plan.pipeline.stages
                                                        : false;
            Pass fused = input;
            fused.kind = PassKind::BW;
            QVERIFY(!needs || told.contains(text(input)) || told.contains(text(fused)));
        }
        for (std::size_t d = 0; d < step.rows.size(); ++d)
            QVERIFY(step.rows[d].ended || named.contains(static_cast<std::int32_t>(d)));
        cut += held.empty() ? 0 : 1;
    }
    QVERIFY(cut > 100);
}

void RunFiguresTest::heldUpIsSaidInWords()
{
    const Pass pass { StageId { 3 }, MicroBatch { 5 }, PassKind::B };
    QCOMPARE(text(HeldUp { DeviceId { 2 }, pass, { DeviceId { 1 }, DeviceId { 0 } } }),
        std::string("rank 2 has not finished 3B5; ranks 1 and 0 wait"));
    QCOMPARE(text(HeldUp { DeviceId { 2 }, pass, { DeviceId { 1 } } }),
        std::string("rank 2 has not finished 3B5; rank 1 waits"));
    QCOMPARE(text(HeldUp { DeviceId { 2 }, pass, { DeviceId { 1 }, DeviceId { 0 }, DeviceId { 3 } } }),
        std::string("rank 2 has not finished 3B5; ranks 1, 0 and 3 wait"));
    QCOMPARE(text(HeldUp { DeviceId { 0 }, {}, {} }), std::string("rank 0 has not ended the step"));
    // A chain: 1F1B on three devices, of which the middle one stands.
    const MadeRun run(libraryDesign("1f1b", 3, 3));
    MeasuredStep step;
    step.rows.resize(3);
    step.rows[0].passes = { { 0, DeviceId { 0 }, { StageId { 0 }, MicroBatch { 0 }, PassKind::F }, 0, 1 },
        { 0, DeviceId { 0 }, { StageId { 0 }, MicroBatch { 1 }, PassKind::F }, 1, 2 },
        { 0, DeviceId { 0 }, { StageId { 0 }, MicroBatch { 2 }, PassKind::F }, 2, 3 } };
    const auto held = heldUp(step, run.plan());
    QCOMPARE(held.size(), std::size_t { 1 });
    QCOMPARE(text(held.front()), std::string("rank 1 has not finished 1F0; ranks 0 and 2 wait"));
}

void RunFiguresTest::aWholeStepHoldsNobodyUp()
{
    const MadeRun run(libraryDesign("v-half", 4, 8));
    const auto log = stepsOf(run, run.timeline());
    QVERIFY(heldUp(*log->newest(), run.plan()).empty());
}

QTEST_APPLESS_MAIN(RunFiguresTest)
#include "run_figures_test.moc"
