// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_range.h"
#include "core/run/run_figures.h"
#include "tests/designer/run/plan_fixture.h"

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class RunPictureTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPassThatRanIsInItAndKnowsItsPlan();
    void gapsAddUpToWhereTheTimeGoes();
    void aLateStartIsWaitingAndALongTransferIsTransfer();
    void latenessIsGradedOverATenthOfThePlan();
    void withoutAPlanTheStepStandsAlone();
    void aStepUnderWayEndsWithItsLastEvent();
    void memoryIsWhatWasToldAndForetold();

private:
    static MeasuredStepPtr stepOf(RunLog& log, std::vector<RunEvent> events)
    {
        for (RunEvent& event : events)
            log.add(std::move(event));
        return log.newest();
    }
};

void RunPictureTest::everyPassThatRanIsInItAndKnowsItsPlan()
{
    RunLog log;
    const MeasuredStepPtr step = stepOf(log, eventsOf(recipeOfMs()));
    const RunPicture picture(step, log.plan());
    std::size_t count = 0;
    for (std::int32_t d = 0; d < picture.devices(); ++d) {
        const TimelineRow row = picture.actual(DeviceId { d });
        QCOMPARE(row.passes.size(), picture.planned(DeviceId { d }).passes.size());
        for (std::size_t i = 0; i < row.passes.size(); ++i) {
            const Pass& pass = row.passes[i].pass;
            QCOMPARE(picture.findActual(pass), (PassPlace { DeviceId { d }, static_cast<std::int32_t>(i) }));
            QVERIFY(picture.plannedAt(picture.findPlanned(pass)).pass == pass);
            QCOMPARE(picture.lateness(pass), std::optional<Ticks>(0));
            ++count;
        }
    }
    QCOMPARE(static_cast<std::int64_t>(count), log.passesTold());
}

void RunPictureTest::gapsAddUpToWhereTheTimeGoes()
{
    RunRecipe recipe = recipeOfMs();
    recipe.slower = { 1, 1, 1.2, 1 };
    RunLog log;
    const MeasuredStepPtr step = stepOf(log, eventsOf(recipe, [](RunEvent& event) {
        if (auto* moved = std::get_if<TransferEnded>(&event)) // it was sent a little earlier than it came
            moved->start -= 300'000;
        return true;
    }));
    const RunPicture picture(step, log.plan());
    const PlanRange range = planRange(picture, { 0, picture.end() });
    const std::vector<TimeSplit> split = timeSplit(*step, *log.plan());
    Ticks transfer = 0;
    for (std::size_t d = 0; d < split.size(); ++d) {
        QCOMPARE(range.devices[d].compute, split[d].compute);
        QCOMPARE(range.devices[d].transfer, split[d].transfer);
        QCOMPARE(range.devices[d].waiting, split[d].waiting);
        QCOMPARE(range.devices[d].own, split[d].own);
        QCOMPARE(range.devices[d].whole(), split[d].step);
        transfer += split[d].transfer;
    }
    QVERIFY(transfer > 0);
}

/// CASES 38: what came late because it was sent late is no transfer.
void RunPictureTest::aLateStartIsWaitingAndALongTransferIsTransfer()
{
    RunLog log;
    const MeasuredStepPtr step = stepOf(log, eventsOf(recipeOfMs(), [began = Nanos { 0 }](RunEvent& event) mutable {
        if (const auto* begin = std::get_if<StepBegan>(&event))
            began = begin->at;
        if (auto* ran = std::get_if<PassEnded>(&event);
            ran && ran->device.value == 1 && ran->pass == pass(1, PassKind::F, 0))
            ran->start = began + 2 * ms - 500'000; // planned at 1 ms
        if (auto* moved = std::get_if<TransferEnded>(&event); moved && moved->pass == pass(0, PassKind::F, 0)) {
            moved->start = began + 1 * ms;
            moved->end = began + 1 * ms + 400'000;
        }
        return true;
    }));
    const RunPicture picture(step, log.plan());
    const std::vector<RunGap>& gaps = picture.gaps(DeviceId { 1 });
    QVERIFY(gaps.size() >= 3);
    QCOMPARE(gaps[0].why, RunGap::Why::Waiting); // device 0 works on it
    QCOMPARE(gaps[0].to - gaps[0].from, 1 * ms);
    QCOMPARE(gaps[1].why, RunGap::Why::Transfer);
    QCOMPARE(gaps[1].to - gaps[1].from, Ticks { 400'000 });
    QCOMPARE(gaps[2].why, RunGap::Why::Own); // it was there
    QCOMPARE(gaps[2].to - gaps[2].from, Ticks { 100'000 });
}

void RunPictureTest::latenessIsGradedOverATenthOfThePlan()
{
    RunLog log;
    const Pass early = pass(0, PassKind::F, 1); // planned at 1 ms
    const Pass late = pass(0, PassKind::W, 7);
    const MeasuredStepPtr step = stepOf(log, eventsOf(recipeOfMs(), [&](RunEvent& event) {
        if (auto* ran = std::get_if<PassEnded>(&event)) {
            const Nanos by = ran->pass == early ? -500'000 : ran->pass == late ? 20 * ms : 0;
            ran->start += by;
            ran->end += by;
        }
        return true;
    }));
    const RunPicture picture(step, log.plan());
    QCOMPARE(picture.latenessScale(), log.plan()->makespan / 10);
    const TimelineRow row = picture.actual(DeviceId { 0 }, true);
    const auto gradeOf
        = [&](const Pass& of) { return int { row.grades[static_cast<std::size_t>(picture.findActual(of).at)] }; };
    QCOMPARE(gradeOf(pass(0, PassKind::F, 0)), int { RunPicture::onTime });
    QCOMPARE(gradeOf(early), RunPicture::onTime - 1); // 0.5 of 5.9 ms, in eight steps
    QCOMPARE(gradeOf(late), 2 * RunPicture::onTime);
    QCOMPARE(picture.lateness(late), std::optional<Ticks>(20 * ms));
}

void RunPictureTest::withoutAPlanTheStepStandsAlone()
{
    RunLog log;
    const MeasuredStepPtr step = stepOf(log, eventsOf(recipeOfMs()));
    const RunPicture picture(step, nullptr);
    const Pass some = pass(2, PassKind::F, 3);
    QVERIFY(!picture.findPlanned(some).isThere());
    QVERIFY(picture.findActual(some).isThere());
    QVERIFY(!picture.lateness(some));
    QVERIFY(picture.planned(DeviceId { 0 }).passes.empty());
    QCOMPARE(picture.needs(some), std::vector<Pass> { pass(1, PassKind::F, 3) });
    QCOMPARE(picture.last(), picture.end());
    const PlanRange range = planRange(picture, { 0, picture.end() });
    QCOMPARE(range.all.whole(), picture.end() * picture.devices());
}

void RunPictureTest::aStepUnderWayEndsWithItsLastEvent()
{
    RunLog log;
    const MeasuredStepPtr step = stepOf(log, eventsOf(recipeOfMs(), cutStep(0, 30 * ms)));
    const RunPicture picture(step, log.plan());
    QCOMPARE(picture.now(), std::optional<Ticks>(30 * ms));
    QCOMPARE(picture.last(), log.plan()->makespan);
    for (std::int32_t d = 0; d < picture.devices(); ++d) {
        QVERIFY(picture.actual(DeviceId { d }).passes.size() < picture.planned(DeviceId { d }).passes.size());
        QVERIFY(picture.gaps(DeviceId { d }).empty() || picture.gaps(DeviceId { d }).back().to <= 30 * ms);
    }
}

void RunPictureTest::memoryIsWhatWasToldAndForetold()
{
    RunRecipe recipe = recipeOfMs();
    recipe.design.memory.unit = MemoryUnit::Byte;
    RunLog log;
    const MeasuredStepPtr step = stepOf(log, eventsOf(recipe, [level = Bytes { 0 }](RunEvent& event) mutable {
        if (auto* ran = std::get_if<PassEnded>(&event))
            ran->bytes = ran->device.value == 0 ? ++level : -1;
        if (auto* peak = std::get_if<MemoryPeaked>(&event))
            peak->peak = 6;
        return true;
    }));
    const RunPicture picture(step, log.plan());
    const RunMemory& told = picture.memory(DeviceId { 0 });
    QCOMPARE(told.limit, std::optional<Bytes>(7));
    QVERIFY(!told.predicted.empty());
    const auto passes = static_cast<Bytes>(picture.actual(DeviceId { 0 }).passes.size());
    QCOMPARE(told.measuredPeak, std::optional<Bytes>(passes));
    QCOMPARE(picture.measuredLevel(DeviceId { 0 }, 1 * ms), std::optional<Bytes>(1)); // the first pass has ended
    QCOMPARE(picture.measuredLevel(DeviceId { 0 }, 999'999), std::optional<Bytes>());
    QVERIFY(picture.memory(DeviceId { 1 }).measured.empty());
    QCOMPARE(picture.memory(DeviceId { 1 }).measuredPeak, std::optional<Bytes>(6));
    QCOMPARE(picture.memoryScale(), passes);
}

PIPELOOM_WINDOW_TEST_MAIN(RunPictureTest)
#include "run_picture_test.moc"
