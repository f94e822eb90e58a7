// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Real runs on four processes, started from the window by its keys and watched in it from start to end.

#include "app/designer/run/alarm_model.h"
#include "app/designer/run/costs_dialog.h"
#include "app/designer/run/run_desk.h"
#include "app/designer/run/run_dialog.h"
#include "app/designer/run/run_page.h"
#include "app/designer/window/main_window.h"
#include "core/formats/design_file.h"
#include "core/formats/event_files.h"
#include "core/library/library.h"
#include "tests/designer/run/fake_run.h"
#include "tests/designer/window_test_main.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include <algorithm>
#include <cmath>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

namespace {

Design smallVHalf()
{
    Design design = *findInLibrary("v-half")->make({}).design;
    design.model
        = Model { .layers = 8, .hidden = 16, .heads = 2, .sequence = 16, .microBatchSize = 1, .vocabulary = 256 };
    return design;
}

/// A window with a design, whose runs go to a place for tests.
struct Watched {
    MainWindow window;

    Watched()
    {
        window.show();
        window.files().take(smallVHalf());
    }
    RunSession& session() { return window.runs().session(); }
    RunProcess& process() { return window.runs().process(); }
    RunPage& page() { return window.runs().page(); }
    QString status() { return window.findChild<QLabel*>("statusText")->text(); }

    void type(QWidget& dialog, const char* field, const QString& text)
    {
        auto* line = dialog.findChild<QLineEdit*>(field);
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Delete);
        QTest::keyClicks(line, text);
    }

    /// Keys reach it.
    void activate()
    {
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
    }

    /// F5, the dialog filled in, Run. `more`: further arguments.
    void start(int steps, const QString& more)
    {
        activate();
        bool wasAsked = false;
        QTimer::singleShot(0, &window, [&] {
            auto* dialog = qobject_cast<RunDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto* where = dialog->findChild<QComboBox*>("runWhere");
            where->setCurrentIndex(1); // processes
            dialog->findChild<QSpinBox*>("runSteps")->setValue(steps);
            type(*dialog, "runData", PIPELOOM_SOURCE_DIR "/tests/executor/training_text.txt");
            type(*dialog, "runProgram", PIPELOOM_BINARY);
            type(*dialog, "runMore", more);
            auto* run = dialog->findChild<QPushButton*>("runStart");
            QVERIFY2(run->isEnabled(), qPrintable(dialog->findChild<QLabel*>("runSummary")->text()));
            QTest::mouseClick(run, Qt::LeftButton);
            wasAsked = true;
        });
        QTest::keyClick(&window, Qt::Key_F5);
        QVERIFY(wasAsked);
    }

    /// Texts of alarms, newest first.
    QStringList alarms()
    {
        QStringList all;
        const AlarmModel& model = page().alarms().model();
        for (int row = 0; row < model.rowCount(); ++row)
            all << model.index(row, 0).data().toString();
        return all;
    }
    bool hasAlarm(const QString& text)
    {
        const QStringList all = alarms();
        return std::ranges::any_of(all, [&](const QString& alarm) { return alarm.contains(text); });
    }
};

} // namespace

class LiveWindowWithExecutorTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QSettings().clear();
    }
    void aRunIsStartedWatchedAndItsCostsTaken();
    void aSlowedRankIsNamedAndCanBePlannedFor();
    void case17AKilledRankIsNamedAndTheNextRunStarts();
    void case14ASkippedStepIsShownWithRankAndParameter();
};

void LiveWindowWithExecutorTest::aRunIsStartedWatchedAndItsCostsTaken()
{
    Watched watched;
    watched.start(12, "--verify");
    QCOMPARE(watched.window.centralWidget()->findChild<RunPage*>()->isVisible(), true);
    QTRY_VERIFY_WITH_TIMEOUT(watched.session().shown() != nullptr, patienceMs);
    QVERIFY(watched.session().isLive());
    QTRY_COMPARE_WITH_TIMEOUT(watched.session().state(), RunSession::State::Ended, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watched.process().state(), RunProcess::State::Ended, patienceMs);
    QCOMPARE(watched.process().exitCode(), 0);

    // All that the files tell is in the window, and nothing else.
    EventFileReader reader(watched.process().events().toStdString());
    QVERIFY(reader.look().empty());
    std::int64_t events = 0;
    std::int64_t passes = 0;
    reader.finish([&](RunEvent&& event, EventFileReader::Origin) {
        ++events;
        passes += std::holds_alternative<PassEnded>(event);
    });
    QTRY_COMPARE_WITH_TIMEOUT(watched.session().log().events(), events, patienceMs);
    QCOMPARE(passes, std::int64_t { 12 * 192 });
    QCOMPARE(watched.session().log().passesTold(), passes);
    const RunFaults& faults = watched.session().log().faults();
    QCOMPARE(faults.lostPasses + faults.lostLines + faults.late + faults.strange, std::int64_t { 0 });
    QCOMPARE(watched.session().shownNumber(), std::int64_t { 11 });
    QTRY_VERIFY(watched.page().log().model().rowCount() > 12);

    // An older step by the keys, and back.
    PlanView& view = watched.page().plan().view();
    watched.activate();
    view.setFocus();
    QTRY_VERIFY(view.hasFocus());
    QTest::keyClick(&view, Qt::Key_PageUp);
    QCOMPARE(watched.session().shownNumber(), std::int64_t { 10 });
    QVERIFY(!watched.session().isLive());
    QTest::keyClick(&view, Qt::Key_End);
    QVERIFY(watched.session().isLive());

    // What was measured becomes the design's, as one step that undoes.
    const Design before = *watched.window.document().committed();
    QTimer::singleShot(0, &watched.window, [&] {
        auto* dialog = qobject_cast<CostsDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        QTest::mouseClick(dialog->findChild<QPushButton*>("costsUse"), Qt::LeftButton);
    });
    watched.window.registry().find("run.useCosts")->trigger();
    const Design after = *watched.window.document().committed();
    QVERIFY(after.costs.tickUs != before.costs.tickUs);
    QCOMPARE(after.plan, before.plan);
    QTRY_COMPARE(watched.window.figures().figures()->standing, Standing::Whole);
    watched.activate();
    QTest::keyClick(&watched.window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(*watched.window.document().committed(), before);
    QVERIFY(isGone(watched.process().record()));
}

void LiveWindowWithExecutorTest::aSlowedRankIsNamedAndCanBePlannedFor()
{
    Watched watched;
    watched.start(12, "--drill slow=60@2F3");
    QTRY_VERIFY_WITH_TIMEOUT(watched.hasAlarm("Device 2"), patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watched.process().state(), RunProcess::State::Ended, patienceMs);
    QCOMPARE(watched.process().exitCode(), 0);
    // 60 ms in one of eight forwards of the stage: the alarm names it, and the others wait.
    const auto& notices = watched.session().log().notices();
    const auto straggler = std::ranges::find_if(notices, [](const RunNotice& notice) {
        return notice.kind == RunNotice::Kind::Straggler && notice.devices.front().value == 2;
    });
    QVERIFY(straggler != notices.end());
    QVERIFY(straggler->pass && straggler->pass->stage.value == 2 && straggler->pass->kind == PassKind::F);
    QVERIFY(QString::fromStdString(straggler->advice).startsWith("Step time +"));
    // "Plan for it" brings the design with device 2 that much slower.
    Q_EMIT watched.page().alarms().planFor(DeviceId { 2 }, 0.5);
    QCOMPARE(watched.window.figures().whatIf().devicePercent[2], 50);
    QVERIFY(!watched.page().isVisible());
}

void LiveWindowWithExecutorTest::case17AKilledRankIsNamedAndTheNextRunStarts()
{
    Watched watched;
    watched.start(1000, "--drill kill@1F2:2");
    QTRY_COMPARE_WITH_TIMEOUT(watched.process().state(), RunProcess::State::Ended, patienceMs);
    QCOMPARE(watched.process().exitCode(), 3);
    QVERIFY(isGone(watched.process().record()));
    QTRY_VERIFY_WITH_TIMEOUT(watched.session().log().failed().has_value(), patienceMs);
    const QString message = QString::fromStdString(watched.session().log().failed()->message);
    QVERIFY2(message.contains("Rank 1") && message.contains("1F2") && message.contains("SIGKILL"), qPrintable(message));
    QTRY_VERIFY(watched.hasAlarm("Rank 1"));
    QVERIFY(watched.status().contains("failed"));
    // The same design runs again at once.
    watched.start(3, "");
    QTRY_COMPARE_WITH_TIMEOUT(watched.session().state(), RunSession::State::Ended, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watched.process().exitCode(), 0, patienceMs);
    QCOMPARE(watched.session().log().summaries().size(), std::size_t { 3 });
    QVERIFY(!watched.session().log().failed());
}

void LiveWindowWithExecutorTest::case14ASkippedStepIsShownWithRankAndParameter()
{
    Watched watched;
    watched.start(5, "--on-nan skip --drill nan@2B3:2");
    QTRY_COMPARE_WITH_TIMEOUT(watched.session().state(), RunSession::State::Ended, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watched.process().exitCode(), 0, patienceMs);
    QTRY_VERIFY(watched.hasAlarm("Step 2 was skipped"));
    const QStringList all = watched.alarms();
    const auto skipped = std::ranges::count_if(all, [](const QString& alarm) { return alarm.contains("skipped"); });
    QCOMPARE(skipped, 1);
    const QString alarm = all.filter("Step 2 was skipped").front();
    QVERIFY2(alarm.contains("device") && alarm.contains("gradient of"), qPrintable(alarm));
}

PIPELOOM_WINDOW_TEST_MAIN(LiveWindowWithExecutorTest)
#include "live_window_with_executor_test.moc"
