// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/loss_chart.h"
#include "app/designer/run/step_time_chart.h"
#include "tests/designer/run/panel_run.h"
#include "tests/designer/window_test_main.h"

#include <QLabel>
#include <QToolButton>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class ChartsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void theLossStandsOverAllStepsOfTheRun();
    void aClickShowsTheStepUnderTheMouse();
    void arrowKeysGoFromStepToStep();
    void aLossThatIsNotFiniteIsAGapWithAMark();
    void rollbacksAndCheckpointsAreMarkedAtTheirSteps();
    void anEmulatedRunHasNoLoss();
    void withoutARunThePanelsSaySo();
    void stepTimesStandBesideWhatWasForetold();
    void throughputCountsTokensWhereTheyAreTold();
    void throughputCountsMicroBatchesElse();
    void anotherRunOpensAnotherChart();
    void bothThemesAreDrawn();

private:
    static void show(QWidget& widget)
    {
        widget.resize(400, 300);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
    }
    static QString emptyText(const QWidget& panel) { return panel.findChild<QLabel*>("runPanelEmpty")->text(); }
};

void ChartsTest::theLossStandsOverAllStepsOfTheRun()
{
    RunSession session;
    LossChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 40;
    recipe.ofSteps = 200;
    session.take(runEvents(recipe));
    QTRY_COMPARE(panel.chart().shownContent().curve.points(), std::size_t { 40 });
    const ChartContent& content = panel.chart().shownContent();
    QCOMPARE(content.firstStep, 0.0);
    QCOMPARE(content.lastStep, 200.0);
    QVERIFY(std::abs(content.curve.pieces[0][39].y() - lossAt(39)) < 1e-5);
    QCOMPARE(panel.note(), QString("%1 at step 39").arg(lossAt(39), 0, 'f', 3));
    // Later steps are appended.
    const Plan slow = slowPlan(recipe);
    session.take(stepEvents(recipe, slow, 40, 3'000'000'000, 2.5));
    QTRY_COMPARE(panel.chart().shownContent().curve.points(), std::size_t { 41 });
    QCOMPARE(panel.note(), QString("2.500 at step 40"));
}

void ChartsTest::aClickShowsTheStepUnderTheMouse()
{
    RunSession session;
    LossChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 12;
    session.take(runEvents(recipe));
    QTRY_COMPARE(panel.chart().shownContent().curve.points(), std::size_t { 12 });
    QTest::qWait(0);
    const QPointF at = panel.chart().place(4, lossAt(4));
    QTest::mouseClick(panel.chart().viewport(), Qt::LeftButton, {}, at.toPoint());
    QCOMPARE(session.shownNumber(), std::int64_t { 4 });
    QTRY_COMPARE(panel.chart().shownContent().shownStep, std::optional<double>(4));
    QVERIFY(!session.isLive());
    // The line of the step shown is where it was clicked.
    const QImage image = panel.chart().viewport()->grab().toImage();
    const int middle = static_cast<int>(panel.chart().place(4, lossAt(8)).y());
    bool found = false;
    for (int dx = -1; dx <= 1; ++dx)
        found = found || image.pixelColor(static_cast<int>(at.x()) + dx, middle) == lightTheme().accent;
    QVERIFY(found);
}

void ChartsTest::arrowKeysGoFromStepToStep()
{
    RunSession session;
    StepTimeChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 12;
    session.take(runEvents(recipe));
    session.showStep(5);
    QTRY_COMPARE(panel.chart().shownContent().shownStep, std::optional<double>(5));
    panel.chart().setFocus();
    QTest::keyClick(&panel.chart(), Qt::Key_Right);
    QCOMPARE(session.shownNumber(), std::int64_t { 6 });
    QTest::keyClick(&panel.chart(), Qt::Key_Left);
    QTest::keyClick(&panel.chart(), Qt::Key_Left);
    QCOMPARE(session.shownNumber(), std::int64_t { 4 });
    QTest::keyClick(&panel.chart(), Qt::Key_Home);
    QCOMPARE(session.shownNumber(), std::int64_t { 0 });
}

void ChartsTest::aLossThatIsNotFiniteIsAGapWithAMark()
{
    RunSession session;
    LossChart panel(session);
    show(panel);
    RunRecipe recipe;
    std::vector<RunEvent> events = openingEvents(recipe);
    const Plan slow = slowPlan(recipe);
    for (std::int64_t step = 0; step < 6; ++step)
        for (RunEvent& event : stepEvents(recipe, slow, step, 1'000'000 + step * 70'000'000,
                 step == 3 ? std::numeric_limits<double>::quiet_NaN() : lossAt(step)))
            events.push_back(std::move(event));
    session.take(std::move(events));
    QTRY_COMPARE(panel.chart().shownContent().curve.gaps, std::vector<double> { 3 });
    QCOMPARE(panel.chart().shownContent().curve.pieces.size(), std::size_t { 2 });
    const QPointF mark = panel.chart().place(3, 0);
    const QImage image = panel.chart().viewport()->grab().toImage();
    int red = 0;
    for (int y = 0; y < image.height() / 2; ++y)
        for (int dx = -5; dx <= 5; ++dx)
            red += image.pixelColor(static_cast<int>(mark.x()) + dx, y) == lightTheme().error;
    QVERIFY(red > 3);
}

void ChartsTest::rollbacksAndCheckpointsAreMarkedAtTheirSteps()
{
    RunSession session;
    LossChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 6;
    std::vector<RunEvent> events = runEvents(recipe);
    StepUndone undone;
    undone.step = 3;
    undone.device = DeviceId { 2 };
    undone.stage = StageId { 5 };
    undone.parameter = "layer 4 qkv";
    events.push_back(undone);
    events.push_back(CheckpointSaved { 6, 8.6 });
    session.take(std::move(events));
    QTRY_COMPARE(panel.chart().shownContent().marks.size(), std::size_t { 2 });
    const std::vector<RunMark>& marks = panel.chart().shownContent().marks;
    QCOMPARE(marks[0].kind, RunMark::Kind::Skip);
    QCOMPARE(marks[0].step, std::int64_t { 3 });
    QVERIFY(marks[0].text.contains("layer 4 qkv"));
    QCOMPARE(marks[1].kind, RunMark::Kind::Checkpoint);
    const QString tip = panel.chart().shownContent().tip(3);
    QVERIFY2(tip.startsWith("step 3: loss ") && tip.contains("layer 4 qkv"), qPrintable(tip));
}

void ChartsTest::anEmulatedRunHasNoLoss()
{
    RunSession session;
    LossChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.emulated = true;
    session.take(runEvents(recipe));
    QTRY_COMPARE(emptyText(panel), QString("No loss: emulated."));
    QVERIFY(!panel.chart().isVisible());
}

void ChartsTest::withoutARunThePanelsSaySo()
{
    RunSession session;
    LossChart loss(session);
    StepTimeChart times(session);
    show(loss);
    show(times);
    QCOMPARE(emptyText(loss), QString("No run is open."));
    QCOMPARE(emptyText(times), QString("No run is open."));
    RunRecipe recipe;
    session.take(openingEvents(recipe));
    QTRY_COMPARE(emptyText(loss), QString("The loss stands here once the first step has ended."));
    QTRY_COMPARE(emptyText(times), QString("Step times stand here once the first step has ended."));
}

void ChartsTest::stepTimesStandBesideWhatWasForetold()
{
    RunSession session;
    StepTimeChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 5;
    session.take(runEvents(recipe));
    QTRY_COMPARE(panel.chart().shownContent().curve.points(), std::size_t { 5 });
    // V-Half takes 59 ticks of a millisecond; 2 ms lie between steps.
    QCOMPARE(panel.note(), QString("predicted 59.0 · measured median 61.0").replace("·", QChar(0xB7)));
    QCOMPARE(panel.chart().shownContent().levels.size(), std::size_t { 1 });
    QCOMPARE(panel.chart().shownContent().levels[0].value, 59.0);
    QCOMPARE(panel.chart().shownContent().tip(2), QString("step 2: 61.0 ms"));
    panel.setSimulated(60.5);
    QTRY_COMPARE(panel.chart().shownContent().levels.size(), std::size_t { 2 });
    QVERIFY(panel.note().contains("with measured costs 60.5"));
}

void ChartsTest::throughputCountsTokensWhereTheyAreTold()
{
    RunSession session;
    StepTimeChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 5;
    recipe.tokensPerStep = 6100;
    session.take(runEvents(recipe));
    QTRY_COMPARE(panel.chart().shownContent().curve.points(), std::size_t { 5 });
    auto* toggle = panel.findChild<QToolButton*>("stepTimeThroughput");
    QTest::mouseClick(toggle, Qt::LeftButton);
    QCOMPARE(panel.findChild<QLabel*>("panelTitle")->text(), QString("Tokens a second"));
    QVERIFY(std::abs(panel.chart().shownContent().curve.pieces[0][4].y() - 100'000) < 1);
    QTest::mouseClick(toggle, Qt::LeftButton);
    QVERIFY(std::abs(panel.chart().shownContent().curve.pieces[0][4].y() - 61) < 0.01);
}

void ChartsTest::throughputCountsMicroBatchesElse()
{
    RunSession session;
    StepTimeChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 5;
    session.take(runEvents(recipe));
    panel.findChild<QToolButton*>("stepTimeThroughput")->toggle();
    QTRY_COMPARE(panel.findChild<QLabel*>("panelTitle")->text(), QString("Micro-batches a second"));
    QTRY_COMPARE(panel.chart().shownContent().curve.points(), std::size_t { 5 });
    QVERIFY(std::abs(panel.chart().shownContent().curve.pieces[0][4].y() - 8 / 0.061) < 0.1);
}

void ChartsTest::anotherRunOpensAnotherChart()
{
    RunSession session;
    LossChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 6;
    std::vector<RunEvent> events = runEvents(recipe);
    events.push_back(CheckpointSaved { 6, 8.6 });
    session.take(std::move(events));
    QTRY_COMPARE(panel.chart().shownContent().marks.size(), std::size_t { 1 });
    session.close();
    QTRY_COMPARE(emptyText(panel), QString("No run is open."));
    recipe.steps = 2;
    session.take(runEvents(recipe));
    QTRY_COMPARE(panel.chart().shownContent().curve.points(), std::size_t { 2 });
    QVERIFY(panel.chart().shownContent().marks.empty());
}

void ChartsTest::bothThemesAreDrawn()
{
    RunSession session;
    StepTimeChart panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 20;
    session.take(runEvents(recipe));
    QTRY_COMPARE(panel.chart().shownContent().curve.points(), std::size_t { 20 });
    const auto corner = [&] { return panel.chart().viewport()->grab().toImage().pixelColor(3, 3); };
    QCOMPARE(corner(), lightTheme().panel);
    applyTheme(*qApp, ThemeChoice::Dark);
    QTRY_COMPARE(corner(), darkTheme().panel);
    applyTheme(*qApp, ThemeChoice::Light);
    QTRY_COMPARE(corner(), lightTheme().panel);
}

PIPELOOM_WINDOW_TEST_MAIN(ChartsTest)
#include "charts_test.moc"
