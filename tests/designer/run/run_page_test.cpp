// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_page.h"
#include "app/designer/run/step_bar.h"
#include "app/designer/window/action_registry.h"
#include "tests/designer/run/plan_fixture.h"

#include <QComboBox>
#include <QSet>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class RunPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }
    void stepsAreWalkedByKeysButtonsSliderAndNumber();
    void theSliderMarksWhatHappened();
    void aReplayHasPauseAndSpeed();
    void theOutlineAndItsScaleAreChosen();
    void panelsShowTheirPassAndDeviceInTheTimeline();
    void noKeyRunsTwoActions();
    void theLayoutIsKeptAndTheKeyboardGoesRound();
    void everythingHasANameForScreenReaders();

private:
    struct Shown {
        Shown()
        {
            page.resize(1500, 900);
            page.show();
            shown = QTest::qWaitForWindowExposed(&page);
            QApplication::setActiveWindow(&page);
        }
        void take(std::int64_t steps)
        {
            RunRecipe recipe = recipeOfMs();
            recipe.steps = steps;
            recipe.ofSteps = 50;
            session.take(runEvents(recipe));
        }
        RunSession session;
        RunPage page { session };
        bool shown = false;
    };
};

void RunPageTest::stepsAreWalkedByKeysButtonsSliderAndNumber()
{
    Shown run;
    QVERIFY(run.shown);
    run.take(12);
    QCOMPARE(run.session.shownNumber(), 11);
    PlanView& view = run.page.plan().view();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_PageUp);
    QCOMPARE(run.session.shownNumber(), 10);
    QVERIFY(!run.session.isLive());
    QTest::keyClick(&view, Qt::Key_PageDown);
    QCOMPARE(run.session.shownNumber(), 11);
    auto* previous = run.page.findChild<QToolButton*>("run.previousStep.button");
    QTest::mouseClick(previous, Qt::LeftButton);
    QCOMPARE(run.session.shownNumber(), 10);
    StepSlider& slider = run.page.plan().steps().slider();
    QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(qRound(slider.xOf(4)), slider.height() / 2));
    QCOMPARE(run.session.shownNumber(), 4);
    QTest::keyClick(&slider, Qt::Key_Left);
    QCOMPARE(run.session.shownNumber(), 3);
    drag(&slider, QPoint(qRound(slider.xOf(3)), 13), QPoint(qRound(slider.xOf(8)), 13));
    QCOMPARE(run.session.shownNumber(), 8);
    QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(slider.width() - 2, 13)); // steps that are yet to come
    QCOMPARE(run.session.shownNumber(), 11);
    auto* number = run.page.findChild<QSpinBox*>("run.stepNumber");
    QCOMPARE(number->value(), 11);
    number->setFocus();
    number->selectAll();
    QTest::keyClicks(number, "6");
    QTest::keyClick(number, Qt::Key_Return);
    QCOMPARE(run.session.shownNumber(), 6);
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_End);
    QVERIFY(run.session.isLive());
    QCOMPARE(run.session.shownNumber(), 11);
    QCOMPARE(slider.current(), 11);
}

void RunPageTest::theSliderMarksWhatHappened()
{
    Shown run;
    run.take(6);
    StepUndone undone;
    undone.step = 4;
    undone.rolledBack = true;
    std::vector<RunEvent> events { undone };
    CheckpointSaved saved;
    saved.steps = 3;
    events.emplace_back(saved);
    run.session.take(std::move(events));
    QSet<int> kinds;
    for (const StepSlider::Mark& mark : run.page.plan().steps().slider().marks())
        kinds.insert(static_cast<int>(mark.kind));
    QVERIFY(kinds.contains(static_cast<int>(StepSlider::Mark::Kind::Rollback)));
    QVERIFY(kinds.contains(static_cast<int>(StepSlider::Mark::Kind::Checkpoint)));
    run.session.close();
    QVERIFY(run.page.plan().steps().slider().marks().empty());
}

void RunPageTest::aReplayHasPauseAndSpeed()
{
    Shown run;
    auto* speed = run.page.findChild<QComboBox*>("run.speed");
    auto* pause = run.page.findChild<QToolButton*>("run.pauseHere.button");
    QVERIFY(!speed->isVisible() && !pause->isVisible());
    run.session.replay(PIPELOOM_SOURCE_DIR "/tests/recordings/v-half.jsonl", 10);
    QTRY_VERIFY(run.session.shown());
    QTRY_VERIFY(speed->isVisible() && pause->isVisible());
    QCOMPARE(speed->currentData().toDouble(), 10.0);
    PlanView& view = run.page.plan().view();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Space);
    QVERIFY(run.session.isPaused());
    QTest::mouseClick(pause, Qt::LeftButton);
    QVERIFY(!run.session.isPaused());
    speed->setFocus();
    QTest::keyClick(speed, Qt::Key_Down);
    QTest::keyClick(speed, Qt::Key_Down);
    QCOMPARE(run.session.speed(), 100.0);
    QTRY_COMPARE(run.session.state(), RunSession::State::Ended);
}

void RunPageTest::theOutlineAndItsScaleAreChosen()
{
    Shown run;
    run.take(4);
    QSignalSpy design(&run.page, &RunPage::designPlanRequested);
    QSignalSpy other(&run.page, &RunPage::otherRunRequested);
    run.page.plan().action("run.planDesign")->trigger();
    run.page.plan().action("run.planOther")->trigger();
    QCOMPARE(design.size(), 1);
    QCOMPARE(other.size(), 1);
    auto* button = run.page.findChild<QToolButton*>("run.planButton");
    QVERIFY(button->text().contains("the run's plan"));
    const RunPlanPtr twice = std::make_shared<const RunPlan>(scaled(*run.session.log().plan(), 10));
    run.session.setReference(twice);
    run.page.plan().action("run.scaleFitted")->trigger();
    QCOMPARE(run.session.planScale(), RunSession::PlanScale::Fitted);
    QVERIFY2(button->text().contains(QString::fromUtf8("× 0.1")), qPrintable(button->text()));
    run.page.plan().action("run.scaleAsDesigned")->trigger();
    QVERIFY(!button->text().contains(QString::fromUtf8("×")));
    run.page.plan().action("run.planOwn")->trigger();
    QCOMPARE(run.session.reference()->makespan, run.session.log().plan()->makespan);
}

void RunPageTest::panelsShowTheirPassAndDeviceInTheTimeline()
{
    Shown run;
    run.take(4);
    PlanView& view = run.page.plan().view();
    Q_EMIT run.page.drift().passActivated(pass(2, PassKind::F, 3));
    QCOMPARE(view.selection(), std::optional(pass(2, PassKind::F, 3)));
    Q_EMIT run.page.alarms().showPass(pass(1, PassKind::B, 3));
    QCOMPARE(view.selection(), std::optional(pass(1, PassKind::B, 3)));
    Q_EMIT run.page.split().deviceActivated(DeviceId { 3 });
    QCOMPARE(view.overlays().device, std::optional<std::int32_t>(3));
}

void RunPageTest::noKeyRunsTwoActions()
{
    Shown run;
    ActionRegistry registry;
    for (QAction* action : run.page.menuActions())
        if (!action->isSeparator())
            registry.add("Run", action);
    QCOMPARE(registry.duplicateShortcuts(), QStringList());
    QStringList names;
    for (const QAction* action : registry.actions())
        names << action->objectName();
    for (const char* name : { "run.live", "run.nextStep", "run.previousStep", "run.colourLateness", "run.colourKind",
             "run.colourMicroBatch", "run.colourStage", "run.fit", "run.follow" })
        QVERIFY2(names.contains(name), name);
    // Live is a matter of the whole page.
    run.take(3);
    run.page.log().setFocus();
    QTest::keyClick(&run.page.loss().chart(), Qt::Key_L);
    QVERIFY(!run.session.isLive());
}

void RunPageTest::theLayoutIsKeptAndTheKeyboardGoesRound()
{
    Shown run;
    run.take(3);
    const QByteArray before = run.page.saveLayout();
    const QSize size = run.page.plan().size();
    run.page.findChild<QSplitter*>()->setSizes({ 300, 600 });
    QVERIFY(run.page.plan().size() != size);
    QVERIFY(run.page.restoreLayout(before));
    QCoreApplication::processEvents();
    QCOMPARE(run.page.plan().size(), size);
    QVERIFY(!run.page.restoreLayout("of another version"));
    run.page.setFocus();
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&run.page.plan().view()));
    QTRY_VERIFY(run.page.loss().chart().isVisible()); // panels take a run in a little later
    QSet<QWidget*> seen;
    for (int i = 0; i < 12; ++i) {
        seen.insert(QApplication::focusWidget());
        run.page.cycleFocus(1);
    }
    QVERIFY(seen.size() >= 5); // parts that have nothing to take keys for are passed over
    run.page.plan().view().setFocus();
    QWidget* const start = QApplication::focusWidget();
    run.page.cycleFocus(1);
    run.page.cycleFocus(-1);
    QCOMPARE(QApplication::focusWidget(), start);
}

void RunPageTest::everythingHasANameForScreenReaders()
{
    Shown run;
    run.take(3);
    for (const QWidget* widget : run.page.plan().findChildren<QWidget*>())
        if ((widget->focusPolicy() & Qt::TabFocus) && widget->objectName() != "qt_spinbox_lineedit")
            QVERIFY2(!widget->accessibleName().isEmpty(),
                qPrintable(widget->objectName() + widget->metaObject()->className()));
}

PIPELOOM_WINDOW_TEST_MAIN(RunPageTest)
#include "run_page_test.moc"
