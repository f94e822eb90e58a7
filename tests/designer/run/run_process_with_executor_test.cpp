// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Real runs on four processes, started and watched by a window's own means.

#include "app/designer/run/run_process.h"
#include "app/designer/run/run_session.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "tests/designer/run/fake_run.h"
#include "tests/designer/window_test_main.h"

#include <QDir>
#include <QSignalSpy>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;
using Ending = RunProcess::State;

class RunProcessWithExecutorTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(); }
    void aRunIsWatchedFromStartToEnd();
    void stoppedItSavesAndGoesOn();
    void stoppedAtOnceNothingIsLeft();
    void case17AKilledRankIsNamedAndTheNextRunIsFine();
    void case46ItEndsWithItsWindow();

private:
    [[nodiscard]] RunSettings settings(std::int64_t steps) const;
    [[nodiscard]] QString start(RunProcess& process, RunSession& session, const RunSettings& run) const;

    QTemporaryDir folder_;
    QByteArray design_;
};

void RunProcessWithExecutorTest::initTestCase()
{
    Design design = *findInLibrary("v-half")->make({}).design;
    design.model
        = Model { .layers = 8, .hidden = 16, .heads = 2, .sequence = 16, .microBatchSize = 1, .vocabulary = 256 };
    QCOMPARE(design.pipeline.devices, 4);
    design_ = QByteArray::fromStdString(writeDesign(design));
}

RunSettings RunProcessWithExecutorTest::settings(std::int64_t steps) const
{
    RunSettings run;
    run.program = PIPELOOM_BINARY;
    run.folder = folder_.path();
    run.where = RunSettings::Where::Processes;
    run.ranks = 4;
    run.steps = steps;
    run.data = { PIPELOOM_SOURCE_DIR "/tests/executor/training_text.txt" };
    run.timeoutSeconds = 20;
    return run;
}

QString RunProcessWithExecutorTest::start(RunProcess& process, RunSession& session, const RunSettings& run) const
{
    QString trouble = process.start(run, design_, "V-Half");
    if (trouble.isEmpty())
        session.follow(process.events());
    return trouble;
}

void RunProcessWithExecutorTest::aRunIsWatchedFromStartToEnd()
{
    RunProcess process(folder_.filePath("runs"));
    RunSession session;
    QCOMPARE(start(process, session, settings(5)), QString());
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), Ending::Ended, patienceMs);
    QCOMPARE(process.sentence(), QString("The run has finished."));
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunSession::State::Ended, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(session.log().summaries().size(), std::size_t { 5 }, patienceMs);
    QCOMPARE(session.counts().garbled, 0);
    QCOMPARE(session.log().faults().lostPasses, 0);
    QVERIFY(session.reference());
    QVERIFY(session.shown() && session.shown()->isWhole());
    QCOMPARE(session.shownNumber(), 4);
    QVERIFY(isGone(process.record()));
}

void RunProcessWithExecutorTest::stoppedItSavesAndGoesOn()
{
    RunProcess process(folder_.filePath("runs"));
    RunSession session;
    RunSettings run = settings(1'000'000);
    run.checkpoint = folder_.filePath("saved");
    QCOMPARE(start(process, session, run), QString());
    QTRY_VERIFY_WITH_TIMEOUT(session.log().summaries().size() >= 2, patienceMs);
    process.stop();
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), Ending::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(!QDir(run.checkpoint).isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunSession::State::Ended, patienceMs);
    const std::int64_t done = session.log().summaries().back().step;
    QVERIFY(isGone(process.record()));

    RunSettings again = settings(2);
    again.resume = run.checkpoint;
    QCOMPARE(start(process, session, again), QString());
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), Ending::Ended, patienceMs);
    QVERIFY2(process.exitCode() == 0, qPrintable(process.sentence()));
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunSession::State::Ended, patienceMs);
    QCOMPARE(session.log().summaries().front().step, done + 1);
}

void RunProcessWithExecutorTest::stoppedAtOnceNothingIsLeft()
{
    RunProcess process(folder_.filePath("runs"));
    RunSession session;
    QCOMPARE(start(process, session, settings(1'000'000)), QString());
    QTRY_VERIFY_WITH_TIMEOUT(session.log().summaries().size() >= 2, patienceMs);
    QVERIFY(processesOfSession(process.record().supervisor).size() >= 5);
    process.stopNow();
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), Ending::Ended, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isGone(process.record()), patienceMs);
}

void RunProcessWithExecutorTest::case17AKilledRankIsNamedAndTheNextRunIsFine()
{
    RunProcess process(folder_.filePath("runs"));
    RunSession session;
    RunSettings run = settings(1000);
    run.more = "--drill kill@1F2:2";
    QCOMPARE(start(process, session, run), QString());
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), Ending::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 3);
    QVERIFY2(process.sentence().contains("Rank 1"), qPrintable(process.sentence()));
    QTRY_VERIFY_WITH_TIMEOUT(session.log().failed().has_value(), patienceMs);
    QVERIFY(
        QString::fromStdString(session.log().failed()->message).contains("Rank 1 (device 1) was killed by SIGKILL"));
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunSession::State::Ended, patienceMs);
    QVERIFY(isGone(process.record()));

    QCOMPARE(start(process, session, settings(3)), QString());
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), Ending::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(session.log().summaries().size(), std::size_t { 3 }, patienceMs);
    QVERIFY(!session.log().failed());
}

void RunProcessWithExecutorTest::case46ItEndsWithItsWindow()
{
    RunRecord record;
    {
        RunProcess process(folder_.filePath("runs"));
        RunSession session;
        QCOMPARE(start(process, session, settings(1'000'000)), QString());
        QTRY_VERIFY_WITH_TIMEOUT(session.log().summaries().size() >= 2, patienceMs);
        record = process.record();
    }
    QTRY_VERIFY_WITH_TIMEOUT(exitCode(record).has_value(), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isGone(record), patienceMs);
}

PIPELOOM_WINDOW_TEST_MAIN(RunProcessWithExecutorTest)
#include "run_process_with_executor_test.moc"
