// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/alarm_list.h"
#include "app/designer/run/alarm_model.h"
#include "app/designer/run/alarms_panel.h"
#include "tests/designer/run/panel_run.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QSignalSpy>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class AlarmsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void aSkippedStepIsOneAlarmWithRankAndParameter();
    void aStragglerIsShownAndPlannedFor();
    void aFailureStandsOnTopAndNamesWhoWaits();
    void faultsOfTheFileChangeInPlace();
    void theNewestIsAboveTheOlder();
    void linesForTheLogAreNoAlarms();
    void enterShowsAndControlEnterPlans();
    void thereIsNoEndOfAlarmsButOfRows();
    void nothingToLookAtIsSaid();
    void recordedRunsRaiseTheirAlarms_data();
    void recordedRunsRaiseTheirAlarms();

private:
    static void show(QWidget& widget)
    {
        widget.resize(380, 330);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
    }
    static QString text(const AlarmModel& model, int row) { return model.index(row).data().toString(); }
    static RunNotice notice(std::int64_t step, RunNotice::Level level, const char* text)
    {
        RunNotice made;
        made.step = step;
        made.level = level;
        made.text = text;
        return made;
    }
};

void AlarmsTest::aSkippedStepIsOneAlarmWithRankAndParameter()
{
    RunSession session;
    AlarmsPanel panel(session);
    const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
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
    session.take(std::move(events));
    QTRY_COMPARE(panel.model().rowCount(), 1);
    QCOMPARE(panel.note(), QString("1"));
    const QString said = text(panel.model(), 0);
    QVERIFY2(said.contains("step 3") && said.contains("2") && said.contains("layer 4 qkv"), qPrintable(said));
    QSignalSpy steps(&panel, &AlarmsPanel::showStep);
    QTest::mouseClick(
        panel.list().viewport(), Qt::LeftButton, {}, panel.list().linkRect(0, AlarmList::Link::Show).center());
    QCOMPARE(steps.count(), 1);
    QCOMPARE(session.shownNumber(), std::int64_t { 3 });
}

void AlarmsTest::aStragglerIsShownAndPlannedFor()
{
    RunSession session;
    AlarmsPanel panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 25;
    recipe.slower = { 1, 1, 1.2, 1 };
    session.take(runEvents(recipe));
    QTRY_VERIFY(panel.model().rowCount() >= 1);
    const Alarm& alarm = *panel.model().alarm(0);
    QVERIFY(alarm.isStraggler);
    QCOMPARE(alarm.devices, std::vector<DeviceId> { DeviceId { 2 } });
    QVERIFY2(alarm.text.contains("Device 2"), qPrintable(alarm.text));
    QSignalSpy plans(&panel, &AlarmsPanel::planFor);
    QSignalSpy devices(&panel, &AlarmsPanel::showDevice);
    QSignalSpy passes(&panel, &AlarmsPanel::showPass);
    QTest::mouseClick(
        panel.list().viewport(), Qt::LeftButton, {}, panel.list().linkRect(0, AlarmList::Link::Plan).center());
    QCOMPARE(plans.count(), 1);
    QCOMPARE(plans[0][0].value<DeviceId>(), DeviceId { 2 });
    QVERIFY(std::abs(plans[0][1].toDouble() - 0.2) < 0.01);
    QCOMPARE(devices.count() + passes.count(), 0);
    QTest::mouseClick(
        panel.list().viewport(), Qt::LeftButton, {}, panel.list().linkRect(0, AlarmList::Link::Show).center());
    QCOMPARE(devices.count() + passes.count(), 1);
}

void AlarmsTest::aFailureStandsOnTopAndNamesWhoWaits()
{
    RunSession session;
    AlarmsPanel panel(session);
    const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 4;
    std::vector<RunEvent> events = runEvents(recipe);
    events.push_back(CheckpointSaved { 4, 8.6 });
    session.take(std::move(events));
    QTRY_COMPARE(panel.model().rowCount(), 1);
    QCOMPARE(panel.model().alarm(0)->level, RunNotice::Level::Good);
    RunFailed failed;
    failed.rule = "run/rank-lost";
    failed.message = "Rank 2 (pid 4713) was killed by signal 9 in 3B5.";
    failed.remedy = "Look at its output.";
    failed.devices = { DeviceId { 2 } };
    session.take({ failed, RunEnded { "failed" } });
    QTRY_COMPARE(panel.model().rowCount(), 2);
    const Alarm& alarm = *panel.model().alarm(0);
    QCOMPARE(alarm.level, RunNotice::Level::Error);
    QCOMPARE(alarm.text, QString("Rank 2 (pid 4713) was killed by signal 9 in 3B5."));
    QVERIFY(alarm.advice.endsWith("Look at its output."));
    QCOMPARE(alarm.devices.front(), DeviceId { 2 });
    // Who waits comes from where the devices stand.
    HeldUp held;
    held.device = DeviceId { 2 };
    held.pass = Pass { StageId { 3 }, MicroBatch { 5 }, PassKind::B };
    held.waiting = { DeviceId { 1 }, DeviceId { 0 } };
    const Alarm still = alarmOf(std::vector<HeldUp> { held }, 118);
    QCOMPARE(still.text, QString("Rank 2 has not finished 3B5; ranks 1 and 0 wait."));
    QCOMPARE(still.head, QString("step 118 stands still"));
    QVERIFY(alarmOf(failed, 118, { held }).advice.contains("ranks 1 and 0 wait"));
}

void AlarmsTest::faultsOfTheFileChangeInPlace()
{
    QVERIFY(!alarmOf(RunFaults {}, EventCounts {}));
    RunFaults faults;
    faults.lostPasses = 40;
    EventCounts counts;
    counts.garbled = 1;
    counts.firstGarbled = "line 17: no JSON";
    const std::optional<Alarm> alarm = alarmOf(faults, counts);
    QVERIFY(alarm);
    QCOMPARE(alarm->text, QString("1 line cannot be read, 40 passes were never told."));
    QVERIFY(alarm->advice.contains("line 17: no JSON"));
    QVERIFY(!alarm->canShow());

    AlarmModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const RunLog log;
    model.take({ *alarm }, log);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    faults.lostPasses = 41;
    model.take({ *alarmOf(faults, counts) }, log);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(inserted.count(), 0);
    QVERIFY(text(model, 0).contains("41 passes"));
    model.take({ *alarmOf(faults, counts) }, log);
    QCOMPARE(changes.count(), 1); // nothing new
    model.take({}, log);
    QCOMPARE(model.rowCount(), 0);
}

void AlarmsTest::theNewestIsAboveTheOlder()
{
    RunSession session;
    AlarmsPanel panel(session);
    const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 2;
    session.take(runEvents(recipe));
    session.take({ CheckpointSaved { 1, 0 } });
    QTRY_COMPARE(panel.model().rowCount(), 1);
    StepUndone undone;
    undone.step = 1;
    undone.rolledBack = true;
    undone.parameter = "head";
    session.take({ undone });
    QTRY_COMPARE(panel.model().rowCount(), 2);
    QVERIFY2(text(panel.model(), 0).contains("head"), qPrintable(text(panel.model(), 0)));
    QCOMPARE(panel.model().alarm(1)->level, RunNotice::Level::Good);
}

void AlarmsTest::linesForTheLogAreNoAlarms()
{
    QVERIFY(!alarmOf(notice(3, RunNotice::Level::Info, "step 3 loss 2.4")));
    const std::optional<Alarm> good = alarmOf(notice(83, RunNotice::Level::Good, "A checkpoint was written (8.6 ms)."));
    QVERIFY(good);
    QCOMPARE(good->advice, QString("Nothing to do."));
    QCOMPARE(good->head, QString("step 83"));
    QVERIFY(!alarmOf(notice(-1, RunNotice::Level::Warning, "x"))->canShow());
}

void AlarmsTest::enterShowsAndControlEnterPlans()
{
    RunSession session;
    AlarmsPanel panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 25;
    recipe.slower = { 1, 1, 1.2, 1 };
    std::vector<RunEvent> events = runEvents(recipe);
    events.push_back(CheckpointSaved { 24, 8.6 });
    session.take(std::move(events));
    QTRY_VERIFY(panel.model().rowCount() >= 2);
    QSignalSpy plans(&panel, &AlarmsPanel::planFor);
    QSignalSpy steps(&panel, &AlarmsPanel::showStep);
    panel.list().setFocus();
    panel.list().setCurrentIndex(panel.model().index(0));
    QTest::keyClick(&panel.list(), Qt::Key_Down);
    QCOMPARE(panel.list().currentIndex().row(), 1);
    QTest::keyClick(&panel.list(), Qt::Key_Return);
    QCOMPARE(steps.count(), 1);
    QTest::keyClick(&panel.list(), Qt::Key_Return, Qt::ControlModifier);
    const bool isStraggler = panel.model().alarm(1)->isStraggler;
    QCOMPARE(plans.count(), isStraggler ? 1 : 0);
    QVERIFY(isStraggler || panel.model().alarm(0)->isStraggler);
    panel.findChild<QAction*>("alarmCopy")->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), text(panel.model(), 1));
    QCOMPARE(panel.findChild<QAction*>("alarmPlan")->isEnabled(), isStraggler);
}

void AlarmsTest::thereIsNoEndOfAlarmsButOfRows()
{
    RunSession session;
    AlarmsPanel panel(session);
    const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(panel);
    session.take(openingEvents({}));
    for (std::int64_t step = 0; step < 700; ++step)
        session.take({ CheckpointSaved { step, 0 } });
    QTRY_COMPARE(panel.model().rowCount(), static_cast<int>(AlarmModel::most));
    QVERIFY(panel.model().alarm(0)->step >= 698);
}

void AlarmsTest::nothingToLookAtIsSaid()
{
    RunSession session;
    AlarmsPanel panel(session);
    show(panel);
    const auto* said = panel.findChild<QLabel*>("runPanelEmpty");
    QCOMPARE(said->text(), QString("No run is open."));
    session.take(runEvents({}));
    QTRY_COMPARE(said->text(), QString("Nothing to look at."));
    QCOMPARE(panel.note(), QString());
}

void AlarmsTest::recordedRunsRaiseTheirAlarms_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("said");
    QTest::newRow("killed") << "killed.jsonl"
                            << "killed";
    QTest::newRow("skipped") << "nan-skip.jsonl"
                             << "skipped";
    QTest::newRow("straggler") << "straggler.jsonl"
                               << "slower";
}

void AlarmsTest::recordedRunsRaiseTheirAlarms()
{
    QFETCH(QString, file);
    QFETCH(QString, said);
    RunSession session;
    AlarmsPanel panel(session);
    const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(panel);
    session.follow(PIPELOOM_SOURCE_DIR "/tests/recordings/" + file);
    QTRY_COMPARE(session.state(), RunSession::State::Ended);
    const auto found = [&] {
        int rows = 0;
        for (int row = 0; row < panel.model().rowCount(); ++row)
            rows += text(panel.model(), row).contains(said);
        return rows;
    };
    QTRY_VERIFY2(found() >= 1, qPrintable(panel.model().rowCount() > 0 ? text(panel.model(), 0) : "no alarm"));
}

PIPELOOM_WINDOW_TEST_MAIN(AlarmsTest)
#include "alarms_test.moc"
