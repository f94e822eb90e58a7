// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/diff_model.h"
#include "app/designer/run/diff_panel.h"
#include "app/designer/run/loss_chart.h"
#include "app/designer/run/run_diff.h"
#include "app/designer/run/run_medians.h"
#include "tests/designer/run/event_text.h"
#include "tests/designer/run/panel_run.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractItemModel>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include <fstream>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class RunDiffTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void lossesAreComparedToTheLastBit();
    void ratiosStandWhereBothHaveFigures();
    void otherPipelinesAreRefusedWithTheReason();
    void aStepBecomesAPlan();
    void anotherRunIsReadAndStandsBeside();
    void theOutlineIsTheSameStepOfTheOtherRun();
    void aFileThatIsNoRunIsSaid();
    void closingTakesItAway();

private:
    static void show(QWidget& widget)
    {
        widget.resize(420, 330);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
    }
    /// Writes a run and gives its path.
    [[nodiscard]] QString written(const RunRecipe& recipe, const char* name, std::int64_t otherLossFrom = -1) const
    {
        std::vector<RunEvent> events = runEvents(recipe);
        for (RunEvent& event : events)
            if (auto* step = std::get_if<StepEnded>(&event); step && otherLossFrom >= 0 && step->step >= otherLossFrom)
                *step->loss += 1e-5;
        const QString path = folder_.filePath(name);
        std::ofstream(path.toStdString()) << linesOf(events);
        return path;
    }
    static void open(RunDiff& diff, const QString& path)
    {
        diff.open(path);
        QCOMPARE(diff.state(), RunDiff::State::Reading);
        QTRY_VERIFY(diff.state() != RunDiff::State::Reading);
    }
    static Pipeline pipelineOf(std::int32_t devices) { return libraryDesign("1f1b", devices).pipeline; }

    QTemporaryDir folder_;
};

void RunDiffTest::lossesAreComparedToTheLastBit()
{
    const std::vector<StepSummary> here { { 2, 60, 2.5 }, { 3, 60, 2.25 }, { 4, 60, NAN }, { 5, 60, 2.0 } };
    std::vector<StepSummary> there { { 0, 60, 9 }, { 2, 61, 2.5 }, { 4, 61, NAN }, { 5, 61, 2.0 }, { 6, 61, 1 } };
    LossComparison found = compareLosses(here, there);
    QCOMPARE(found.common, std::int64_t { 3 });
    QVERIFY(!found.differs);
    there[3].loss = std::nextafter(2.0, 3.0);
    found = compareLosses(here, there);
    QCOMPARE(found.differs, std::optional<std::int64_t>(5));
    QCOMPARE(found.here, 2.0);
    QCOMPARE(compareLosses({}, there).common, std::int64_t { 0 });
}

void RunDiffTest::ratiosStandWhereBothHaveFigures()
{
    Drift here;
    Drift there;
    here.ratio.values[index(PassKind::F)] = { 1.0, 2.0, 0.0 };
    there.ratio.values[index(PassKind::F)] = { 1.1, 1.0, 1.0 };
    const ByKindAndStage<double> ratio = ratioOf(there, here);
    QCOMPARE(ratio.of(PassKind::F, StageId { 0 }), 1.1);
    QCOMPARE(ratio.of(PassKind::F, StageId { 1 }), 0.5);
    QCOMPARE(ratio.of(PassKind::F, StageId { 2 }), 0.0);
}

void RunDiffTest::otherPipelinesAreRefusedWithTheReason()
{
    QVERIFY(whyNotComparable(pipelineOf(4), pipelineOf(4)).empty());
    QCOMPARE(QString::fromStdString(whyNotComparable(pipelineOf(4), pipelineOf(8))),
        QString("The other run has 8 devices, this one 4."));
    Pipeline moved = pipelineOf(4);
    std::swap(moved.routes[0][1], moved.routes[0][2]);
    QCOMPARE(QString::fromStdString(whyNotComparable(pipelineOf(4), moved)),
        QString("Stage 1 is on another device in the other run."));
}

void RunDiffTest::aStepBecomesAPlan()
{
    RunLog log;
    RunRecipe recipe;
    recipe.slower = { 1, 1, 1.5, 1 };
    for (RunEvent& event : runEvents(recipe))
        log.add(std::move(event));
    QVERIFY(log.plan() && log.newestWhole());
    const RunPlanPtr made = planOf(*log.newestWhole(), *log.plan(), "run a, step 2");
    QCOMPARE(made->name, std::string("run a, step 2"));
    QCOMPARE(made->timeline.passes.size(), log.plan()->timeline.passes.size());
    QVERIFY(made->makespan > log.plan()->makespan);
    const Pass pass { StageId { 2 }, MicroBatch { 3 }, PassKind::B };
    const std::int32_t place = made->find(pass);
    QVERIFY(place >= 0);
    const TimedPass& found = made->timeline.passes[static_cast<std::size_t>(place)];
    QCOMPARE(found.pass, pass);
    QCOMPARE(found.end - found.start, Ticks { 1'500'000 });
    // Held against itself nothing has drifted.
    const std::vector<MeasuredStepPtr> steps { log.newestWhole() };
    QVERIFY(std::abs(drift(steps, *made).overall - 1) < 1e-9);
}

void RunDiffTest::anotherRunIsReadAndStandsBeside()
{
    RunRecipe recipe;
    recipe.steps = 8;
    RunSession session;
    session.take(runEvents(recipe));
    recipe.slower = { 1, 1.3, 1, 1 };
    recipe.steps = 6;
    RunDiff diff(session);
    DiffPanel panel(session, diff);
    LossChart loss(session, &diff);
    show(loss);
    QVERIFY(!panel.isVisible());
    open(diff, written(recipe, "other.jsonl", 4));
    QVERIFY2(diff.state() == RunDiff::State::Ready, qPrintable(diff.problem()));
    QCOMPARE(diff.problem(), QString());
    QCOMPARE(diff.counts().garbled, std::int64_t { 0 });
    QVERIFY(panel.isVisible());
    QTRY_VERIFY(panel.summary().startsWith("Step time"));
    QCOMPARE(panel.findChild<QLabel*>("panelTitle")->text(), QString("Other run: other.jsonl"));
    QVERIFY2(panel.summary().contains("61.0 ms here"), qPrintable(panel.summary()));
    QVERIFY2(panel.summary().contains("Losses differ from step 4 on"), qPrintable(panel.summary()));
    const auto* passes = panel.findChild<QAbstractItemView*>("diffPasses")->model();
    QCOMPARE(passes->rowCount(), 8);
    QCOMPARE(passes->index(1, 1).data().toString(), QString::fromUtf8("1.30 ×"));
    QCOMPARE(passes->index(2, 1).data().toString(), QString::fromUtf8("1.00 ×"));
    const auto* devices = panel.findChild<QAbstractItemView*>("diffDevices")->model();
    QCOMPARE(devices->rowCount(), 4);
    QCOMPARE(devices->index(1, 1).data().toString(), QString::fromUtf8("48.0 → 62.4"));
    QTRY_COMPARE(loss.chart().shownContent().other.points(), std::size_t { 6 });
    QVERIFY(loss.chart().shownContent().tip(5).contains("run other.jsonl: loss "));
}

void RunDiffTest::theOutlineIsTheSameStepOfTheOtherRun()
{
    RunRecipe recipe;
    recipe.steps = 8;
    RunSession session;
    session.take(runEvents(recipe));
    recipe.steps = 5;
    RunDiff diff(session);
    DiffPanel panel(session, diff);
    open(diff, written(recipe, "other.jsonl"));
    session.showStep(3);
    auto* outline = panel.findChild<QToolButton*>("diffOutline");
    QTRY_VERIFY(outline->isEnabled());
    QTest::mouseClick(outline, Qt::LeftButton);
    QVERIFY(diff.isOutline());
    QCOMPARE(session.reference()->name, std::string("run other.jsonl, step 3"));
    session.showStep(1);
    QTRY_COMPARE(session.reference()->name, std::string("run other.jsonl, step 1"));
    session.showStep(7); // it has only five
    QTRY_COMPARE(session.reference()->name, std::string("run other.jsonl, step 4"));
    QTest::mouseClick(outline, Qt::LeftButton);
    QCOMPARE(session.reference()->name, session.log().plan()->name);
}

void RunDiffTest::aFileThatIsNoRunIsSaid()
{
    RunSession session;
    session.take(runEvents({}));
    RunDiff diff(session);
    DiffPanel panel(session, diff);
    open(diff, folder_.filePath("is-not-there.jsonl"));
    QCOMPARE(diff.state(), RunDiff::State::Failed);
    QTRY_VERIFY(panel.findChild<QLabel*>("runPanelEmpty")->text().contains("cannot be read"));
    const QString text = folder_.filePath("text.jsonl");
    std::ofstream(text.toStdString()) << "hello\n{}\n";
    open(diff, text);
    QCOMPARE(diff.state(), RunDiff::State::Failed);
    QVERIFY2(diff.problem().contains("does not begin"), qPrintable(diff.problem()));
    RunRecipe other;
    other.design = libraryDesign("1f1b", 8);
    other.slower.assign(8, 1.0);
    open(diff, written(other, "eight.jsonl"));
    QVERIFY2(
        diff.state() == RunDiff::State::Ready, qPrintable(diff.problem())); // losses can be compared, passes cannot
    QCOMPARE(diff.problem(), QString("The other run has 8 devices, this one 4."));
    QVERIFY(!diff.planOfStep(0));
    diff.setOutline(true);
    QVERIFY(!diff.isOutline());
}

void RunDiffTest::closingTakesItAway()
{
    RunSession session;
    session.take(runEvents({}));
    RunDiff diff(session);
    DiffPanel panel(session, diff);
    open(diff, written({}, "other.jsonl"));
    QVERIFY(panel.isVisible());
    diff.setOutline(true);
    QVERIFY(diff.isOutline());
    QTest::mouseClick(panel.findChild<QToolButton*>("diffClose"), Qt::LeftButton);
    QCOMPARE(diff.state(), RunDiff::State::None);
    QVERIFY(!panel.isVisible());
    QVERIFY(!diff.log());
    QCOMPARE(session.reference()->name, session.log().plan()->name);
    // While it is still being read, too.
    diff.open(written({}, "other.jsonl"));
    diff.close();
    QTest::qWait(50);
    QCOMPARE(diff.state(), RunDiff::State::None);
}

PIPELOOM_WINDOW_TEST_MAIN(RunDiffTest)
#include "run_diff_test.moc"
