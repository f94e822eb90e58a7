// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/designer/run/plan_fixture.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class PlanViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support (propagateSizeHints|raise)).*"));
    }
    void panningLeavesLiveAndEndReturns_data();
    void panningLeavesLiveAndEndReturns();
    void measuringARangeLeavesLiveAndZoomingDoesNot();
    void theScaleStaysFromStepToStep();
    void ctrlWheelKeepsTheTimeUnderTheCursor();
    void aClickSelectsThePassInBothRows();
    void keysWalkAlongTheRowAndTheDependencies();
    void focusBringsTheSelectionIntoTheMiddle();
    void escTakesBackOneThingAfterTheOther();
    void aRangeSaysWhatEachDeviceDid();
    void colourKeysChangeTheColours();
    void aTipHasAtMostSixLinesAndSaysWhatWasWaitedFor();
    void screenReadersSeeATableOfPasses();
    void nowIsMarkedOnlyWhileTheStepIsUnderWay();
    void rowsThatDoNotFitScroll();
    void anEmptyViewSaysWhatToDo();
    void aPlanAloneIsShownUntilTheFirstStep();
    void whatIsToldLaterOfTheStepIsShown();

private:
    static double shownTicks(ShownPlan& plan)
    {
        return plan.view().scene().plotWidth() / plan.view().axis().map().pixelsPerTick;
    }
};

void PlanViewTest::panningLeavesLiveAndEndReturns_data()
{
    QTest::addColumn<QString>("how");
    for (const char* how : { "shift+wheel", "key D", "key Left", "middle drag", "shift+drag", "wheel sideways" })
        QTest::newRow(how) << how;
}

void PlanViewTest::panningLeavesLiveAndEndReturns()
{
    QFETCH(QString, how);
    ShownPlan plan(eventsOf(recipeOfMs()));
    QVERIFY(plan.shown);
    QVERIFY(plan.session.isLive());
    plan.view().axis().show(10e6, 30e6);
    QVERIFY(plan.session.isLive());
    const double begin = plan.view().axis().map().begin;
    if (how == "shift+wheel")
        wheel(&plan.view(), { 500, 200 }, -120, Qt::ShiftModifier);
    else if (how == "wheel sideways")
        wheel(&plan.view(), { 500, 200 }, -120, {}, true);
    else if (how == "middle drag")
        drag(&plan.view(), { 600, 200 }, { 500, 200 }, {}, Qt::MiddleButton);
    else if (how == "shift+drag")
        drag(&plan.view(), { 600, 200 }, { 500, 200 }, Qt::ShiftModifier);
    else
        QTest::keyClick(&plan.view(), how == "key D" ? Qt::Key_D : Qt::Key_Left);
    QVERIFY(plan.view().axis().map().begin != begin);
    QVERIFY(!plan.session.isLive());
    QVERIFY(plan.view().standingText().contains("End"));
    QTest::keyClick(&plan.view(), Qt::Key_End);
    QVERIFY(plan.session.isLive());
    QCOMPARE(plan.view().standingText(), QString("Following the tail. Pan to leave, End to return."));
    QTest::keyClick(&plan.view(), Qt::Key_L);
    QVERIFY(!plan.session.isLive());
    QTest::keyClick(&plan.view(), Qt::Key_L);
    QVERIFY(plan.session.isLive());
}

void PlanViewTest::measuringARangeLeavesLiveAndZoomingDoesNot()
{
    ShownPlan plan(eventsOf(recipeOfMs()));
    wheel(&plan.view(), { 500, 200 }, 120, Qt::ControlModifier);
    QTest::keyClick(&plan.view(), Qt::Key_W);
    QTest::keyClick(&plan.view(), Qt::Key_Plus);
    QTest::keyClick(&plan.view(), Qt::Key_0);
    wheel(&plan.view(), { 500, 200 }, 120);
    QVERIFY(plan.session.isLive());
    drag(&plan.view(), plan.at(20 * ms, 1), plan.at(30 * ms, 1));
    QVERIFY(plan.view().range());
    QVERIFY(!plan.session.isLive());
}

void PlanViewTest::theScaleStaysFromStepToStep()
{
    RunRecipe recipe = recipeOfMs();
    ShownPlan plan(eventsOf(recipe));
    QVERIFY(plan.view().axis().isFitted());
    const TimeMap before = plan.view().axis().map();
    const Plan slow = slowPlan(recipe);
    Nanos at = 100 * ms;
    for (std::int64_t step = 1; step <= 4; ++step) { // each a little slower than the one before
        plan.session.take(stepEvents(recipe, slow, step, at, 2, 1 + 0.003 * static_cast<double>(step)));
        at += 100 * ms;
        QTRY_COMPARE(plan.session.shownNumber(), step);
        QCOMPARE(plan.view().axis().map(), before);
    }
    plan.view().axis().show(10e6, 30e6);
    const TimeMap zoomed = plan.view().axis().map();
    plan.session.take(stepEvents(recipe, slow, 5, at, 2, 3)); // far slower
    QTRY_COMPARE(plan.session.shownNumber(), 5);
    QCOMPARE(plan.view().axis().map(), zoomed);
    QVERIFY(plan.view().axis().last() >= plan.picture().end()); // but all of it can be seen
    plan.view().fit();
    QVERIFY(plan.view().axis().map().xOf(plan.picture().end()) < plan.view().scene().plotWidth());
}

void PlanViewTest::ctrlWheelKeepsTheTimeUnderTheCursor()
{
    ShownPlan plan(eventsOf(recipeOfMs()));
    const double before = shownTicks(plan);
    const double x = 500 - plan.view().scene().labelWidth;
    for (int i = 0; i < 8; ++i) {
        const double time = plan.view().axis().map().timeAt(x);
        wheel(&plan.view(), { 500, 200 }, 120, Qt::ControlModifier);
        QVERIFY(std::abs(plan.view().axis().map().xOf(time) - x) < 1);
    }
    QVERIFY(shownTicks(plan) < before / 4);
    wheel(&plan.view(), { 500, 200 }, -120, Qt::AltModifier);
    QTest::keyClick(&plan.view(), Qt::Key_0);
    QVERIFY(std::abs(shownTicks(plan) / before - 1) < 0.05);
}

void PlanViewTest::aClickSelectsThePassInBothRows()
{
    RunRecipe recipe = recipeOfMs();
    recipe.slower = { 1, 1, 1.3, 1 };
    ShownPlan plan(eventsOf(recipe));
    const Pass late = pass(2, PassKind::B, 6);
    const QRgb accent = themeOf(&plan.view()).accent.rgb();
    const auto isMarked = [&](const QRectF& rect) {
        const QImage seen = plan.view().grab().toImage();
        const QPoint edge(static_cast<int>(rect.left()) + 3, static_cast<int>(rect.top())); // beside the hair line
        return seen.pixel(edge * seen.devicePixelRatio()) == accent;
    };
    const QRectF planned = plan.view().scene().plannedRect(plan.picture().findPlanned(late));
    const QRectF actual = plan.view().scene().actualRect(plan.picture().findActual(late));
    for (const QRectF& rect : { planned, actual }) {
        plan.view().select(std::nullopt);
        QVERIFY(!isMarked(planned) && !isMarked(actual));
        QTest::mouseClick(&plan.view(), Qt::LeftButton, {}, rect.center().toPoint());
        QCOMPARE(plan.view().selection(), std::optional(late));
        QVERIFY(isMarked(planned));
        QVERIFY(isMarked(actual));
    }
    // The line between the two starts.
    const QPointF middle((planned.left() + actual.left()) / 2, (planned.center().y() + actual.center().y()) / 2);
    const QImage seen = plan.view().grab().toImage();
    bool isThere = false;
    for (int dx = -2; dx <= 2; ++dx)
        isThere = isThere || seen.pixel((middle.toPoint() + QPoint(dx, 0)) * seen.devicePixelRatio()) == accent;
    QVERIFY(isThere);
    QTest::mouseClick(&plan.view(), Qt::LeftButton, {}, plan.at(500'000, 3)); // idle
    QVERIFY(!plan.view().selection());
}

void PlanViewTest::keysWalkAlongTheRowAndTheDependencies()
{
    ShownPlan plan(eventsOf(recipeOfMs()));
    QTest::keyClick(&plan.view(), Qt::Key_Period);
    QCOMPARE(plan.view().selection(), std::optional(pass(0, PassKind::F, 0)));
    QTest::keyClick(&plan.view(), Qt::Key_Period);
    QCOMPARE(plan.view().selection(), std::optional(pass(0, PassKind::F, 1)));
    QTest::keyClick(&plan.view(), Qt::Key_Comma);
    QTest::keyClick(&plan.view(), Qt::Key_BracketRight);
    QCOMPARE(plan.view().selection(), std::optional(pass(1, PassKind::F, 0)));
    QTest::keyClick(&plan.view(), Qt::Key_BracketLeft);
    QCOMPARE(plan.view().selection(), std::optional(pass(0, PassKind::F, 0)));
}

void PlanViewTest::focusBringsTheSelectionIntoTheMiddle()
{
    ShownPlan plan(eventsOf(recipeOfMs()));
    plan.view().axis().show(0, 10e6);
    const Pass far = pass(0, PassKind::B, 4);
    plan.view().select(far);
    QTest::keyClick(&plan.view(), Qt::Key_F);
    const double width = plan.view().scene().plotWidth();
    const auto middle = [&] { return plan.actualMiddle(far).x() - plan.view().scene().labelWidth; };
    QVERIFY(std::abs(middle() - width / 2) < 3);
    const double wide = shownTicks(plan);
    QTest::keyClick(&plan.view(), Qt::Key_F);
    QVERIFY(shownTicks(plan) < wide);
    QVERIFY(std::abs(middle() - width / 2) < 3);
}

void PlanViewTest::escTakesBackOneThingAfterTheOther()
{
    ShownPlan plan(eventsOf(recipeOfMs()));
    plan.view().select(pass(0, PassKind::F, 0));
    drag(&plan.view(), plan.at(20 * ms, 1), plan.at(30 * ms, 1));
    QVERIFY(plan.view().range() && plan.view().selection());
    QTest::keyClick(&plan.view(), Qt::Key_Escape);
    QVERIFY(!plan.view().range() && plan.view().selection());
    QTest::keyClick(&plan.view(), Qt::Key_Escape);
    QVERIFY(!plan.view().selection());
}

void PlanViewTest::aRangeSaysWhatEachDeviceDid()
{
    ShownPlan plan(eventsOf(recipeOfMs()));
    QSignalSpy said(&plan.panel, &PlanPanel::statusText);
    drag(&plan.view(), plan.at(0, 3), plan.at(3 * ms, 3));
    const PlanRange& range = *plan.view().overlays().range;
    QCOMPARE(range.devices.size(), std::size_t { 4 });
    const Ticks length = range.range.length();
    QVERIFY(length > 2'900'000 && length < 3'100'000);
    const PlanDeviceRange& last = range.devices[3]; // works from 3 ms on
    QVERIFY(last.waiting > length * 9 / 10);
    QVERIFY(range.devices[0].compute > length / 2); // F0 and F1, of a millisecond each
    for (const PlanDeviceRange& device : range.devices)
        QCOMPARE(device.whole(), length);
    QVERIFY(said.last().first().toString().contains("waiting"));
}

void PlanViewTest::colourKeysChangeTheColours()
{
    ShownPlan plan(eventsOf(recipeOfMs()));
    QCOMPARE(plan.view().colours(), RunColours::Lateness);
    auto* legend = plan.panel.findChild<QWidget*>("run.latenessLegend");
    QVERIFY(legend->isVisible());
    QImage before = plan.view().grab().toImage();
    for (const auto& [key, colours] :
        { std::pair(Qt::Key_1, RunColours::Kind), std::pair(Qt::Key_2, RunColours::MicroBatch),
            std::pair(Qt::Key_3, RunColours::Stage), std::pair(Qt::Key_4, RunColours::Lateness) }) {
        QTest::keyClick(&plan.view(), key);
        QCOMPARE(plan.view().colours(), colours);
        QCOMPARE(legend->isVisible(), colours == RunColours::Lateness);
        const QImage now = plan.view().grab().toImage();
        QVERIFY(now != before);
        before = now;
    }
}

void PlanViewTest::aTipHasAtMostSixLinesAndSaysWhatWasWaitedFor()
{
    RunRecipe recipe = recipeOfMs();
    recipe.slower = { 1, 1, 1.2, 1 };
    ShownPlan plan(eventsOf(recipe));
    for (std::int32_t d = 0; d < 4; ++d)
        for (const TimedPass& each : plan.picture().actual(DeviceId { d }).passes) {
            const PlanHit hit = hitTest(plan.view().scene(), plan.actualMiddle(each.pass));
            const QStringList lines = tipLines(plan.picture(), hit);
            QVERIFY(lines.size() >= 4 && lines.size() <= 6);
        }
    const Pass first = pass(3, PassKind::F, 0); // waits for 2F0, which takes 1.2 ms
    const QPoint at = plan.actualMiddle(first);
    QHelpEvent event(QEvent::ToolTip, at, plan.view().mapToGlobal(at));
    QApplication::sendEvent(&plan.view(), &event);
    const QString tip = QToolTip::text();
    for (const char* part : { "3F0", "forward of stage 3", "device 3", "planned", "actual", "later than planned",
             "took 1.00 × planned", "2F0 of device 2" })
        QVERIFY2(tip.contains(QString::fromUtf8(part)), qPrintable(tip + " lacks " + part));
    QToolTip::hideText();
}

void PlanViewTest::screenReadersSeeATableOfPasses()
{
    ShownPlan plan(eventsOf(recipeOfMs()));
    QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(&plan.view());
    QVERIFY(seen && seen->tableInterface());
    QCOMPARE(seen->tableInterface()->rowCount(), 4);
    const QString row = plan.view().accessibleRowName(0);
    QVERIFY2(row.startsWith("device 0, rank 0 · pid 4711, 48 of 48 passes have run"), qPrintable(row));
    const QString cell = plan.view().accessibleCellName({ 0, 0 });
    QVERIFY2(cell.startsWith("0F0 on device 0 · planned") && cell.contains("actual"), qPrintable(cell));
    const Pass some = pass(2, PassKind::B, 3);
    plan.view().select(some);
    const AccessiblePlace at = plan.view().accessibleCurrent();
    QCOMPARE(at.row, 2);
    QVERIFY(plan.view().isAccessibleCellSelected(at));
    QVERIFY(plan.view().accessibleCellRect(at).contains(plan.actualMiddle(some)));
    QCOMPARE(plan.view().accessibleCellAt(plan.actualMiddle(some)), at);
    QCOMPARE(plan.view().accessibleCellAt(plan.plannedMiddle(some)), at);
    plan.view().selectAccessibleCell({ 1, 0 });
    QCOMPARE(plan.view().selection(), std::optional(pass(1, PassKind::F, 0)));
}

void PlanViewTest::nowIsMarkedOnlyWhileTheStepIsUnderWay()
{
    ShownPlan plan(eventsOf(recipeOfMs(), cutStep(0, 30 * ms)));
    QCOMPARE(plan.picture().now(), std::optional<Ticks>(30 * ms));
    const QRgb accent = themeOf(&plan.view()).accent.rgb();
    plan.view().clearFocus();
    const auto marked = [&] {
        const QImage seen = plan.view().grab().toImage();
        const int x = static_cast<int>(std::round(plan.view().scene().xOf(30 * ms)));
        return seen.pixel(QPoint(x, 100) * seen.devicePixelRatio()) == accent;
    };
    QVERIFY(marked());
    const RunRecipe recipe = recipeOfMs();
    std::vector<RunEvent> rest;
    for (const RunEvent& event : runEvents(recipe))
        if (std::holds_alternative<StepEnded>(event))
            rest.push_back(event);
    plan.session.take(std::move(rest));
    QVERIFY(!plan.picture().now());
    QVERIFY(!marked());
}

void PlanViewTest::rowsThatDoNotFitScroll()
{
    RunRecipe recipe = recipeOfMs();
    recipe.design = libraryDesign("v-half", 32, 32);
    recipe.slower.assign(32, 1);
    ShownPlan plan(eventsOf(recipe), { 1000, 300 });
    auto* bar = plan.view().findChild<QScrollBar*>("run.scroll");
    QVERIFY(bar->isVisible());
    wheel(&plan.view(), { 500, 100 }, -240);
    QVERIFY(bar->value() > 0);
    QVERIFY(plan.session.isLive()); // up and down is no panning through time
    plan.view().showDevice(DeviceId { 31 });
    const PlanBands bands = plan.view().scene().bandsAt(31);
    QVERIFY(bands.top + bands.height <= plan.view().height() + 1);
    const PlanHit hit = hitTest(plan.view().scene(), { 20, bands.top + bands.height / 2 });
    QCOMPARE(hit.what, PlanHit::What::Label);
    QCOMPARE(hit.device, DeviceId { 31 });
    for (int i = 0; i < 40; ++i)
        wheel(&plan.view(), { 500, 100 }, 120, Qt::AltModifier);
    QCOMPARE(plan.view().scene().rowHeight, PlanScene::mostRow);
}

void PlanViewTest::anEmptyViewSaysWhatToDo()
{
    ShownPlan plan({});
    const auto inkIn = [&] {
        const QImage seen = plan.view().grab().toImage();
        const QRgb ground = themeOf(&plan.view()).panel.rgb();
        int ink = 0;
        for (int y = seen.height() / 4; y < seen.height() * 3 / 4; ++y)
            for (int x = 0; x < seen.width(); ++x)
                ink += seen.pixel(x, y) == ground ? 0 : 1;
        return ink;
    };
    QVERIFY(inkIn() > 500);
    QVERIFY(plan.view().standingText().isEmpty());
    for (const int key :
        { Qt::Key_Period, Qt::Key_F, Qt::Key_0, Qt::Key_W, Qt::Key_BracketLeft, Qt::Key_R, Qt::Key_Escape })
        QTest::keyClick(&plan.view(), static_cast<Qt::Key>(key));
    drag(&plan.view(), { 300, 100 }, { 500, 100 });
    QVERIFY(!plan.view().range());
    QVERIFY(!plan.panel.action("run.live")->isEnabled());
}

void PlanViewTest::aPlanAloneIsShownUntilTheFirstStep()
{
    ShownPlan plan(openingEvents(recipeOfMs()));
    QVERIFY(!plan.session.shown());
    QCOMPARE(plan.picture().devices(), 4);
    const Pass first = pass(0, PassKind::F, 0);
    QVERIFY(plan.picture().findPlanned(first).isThere());
    QVERIFY(!plan.picture().findActual(first).isThere());
    const PlanHit hit = hitTest(plan.view().scene(), plan.plannedMiddle(first));
    QVERIFY(tipLines(plan.picture(), hit).contains("not run yet"));
    QVERIFY(!plan.view().grab().isNull());
    QVERIFY(plan.view().overlays().notice.contains("Waiting"));
}

void PlanViewTest::whatIsToldLaterOfTheStepIsShown()
{
    const RunRecipe recipe = recipeOfMs();
    ShownPlan plan(openingEvents(recipe));
    std::size_t told = 0;
    for (RunEvent& event : stepEvents(recipe, slowPlan(recipe), 0, ms, 2)) {
        told += std::holds_alternative<PassEnded>(event) ? 1 : 0;
        plan.session.take({ event });
        std::size_t shown = 0;
        for (std::int32_t d = 0; d < plan.picture().devices(); ++d)
            shown += plan.picture().actual(DeviceId { d }).passes.size();
        QCOMPARE(shown, told);
    }
    QCOMPARE(told, std::size_t { 4 * 48 });
}

PIPELOOM_WINDOW_TEST_MAIN(PlanViewTest)
#include "plan_view_test.moc"
