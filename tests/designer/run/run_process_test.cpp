// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_process.h"
#include "tests/designer/run/fake_run.h"
#include "tests/designer/window_test_main.h"

#include <QDir>
#include <QSignalSpy>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;
using State = RunProcess::State;

class RunProcessTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }
    void aRunIsFollowedToItsEnd();
    void itSaysWhyItFailed();
    void theEnvironmentIsPassedOn();
    void whatItLeavesBehindIsKilled();
    void stopIsOneInterrupt();
    void stopNowIsTwo();
    void whoIgnoresInterruptsIsKilled();
    void theGraceIsLimited();
    void aTemplateIsAShellLineAndItsProgramsAreAllInterrupted();
    void severalRunsOneAfterAnother();
    void whatCannotBeStartedIsSaid();
    void anotherWindowFindsItAndEndsIt();
    void anEndedRunIsFoundToo();
    void aPidThatIsUsedAgainIsLeftAlone();
    void itEndsWithItsWindow();
    void itGoesOnWithoutItsWindowIfThatIsChosen();
    void aKilledWindowsRun_data();
    void aKilledWindowsRun();
    void aKilledSupervisorIsNoticed();
    void oldFoldersAreRemoved();

private:
    FakeRun fake_;
};

void RunProcessTest::aRunIsFollowedToItsEnd()
{
    RunProcess process(fake_.runs());
    QSignalSpy lines(&process, &RunProcess::logLine);
    QSignalSpy ended(&process, &RunProcess::ended);
    QCOMPARE(process.start(fake_.settings("finish"), "{}", "A design: 1/2"), QString());
    QVERIFY(process.isUnderWay());
    QVERIFY(!process.start(fake_.settings("finish"), "{}", "x").isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(process.state(), State::Ended);
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(process.sentence(), QString("The run has finished."));
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0][1].toString(), QString("one"));
    QCOMPARE(lines[0][0].toInt(), -1);
    QCOMPARE(lines[2][0].toInt(), 2);
    QCOMPARE(lines[2][1].toString(), QString("three"));
    QCOMPARE(lines[2][2].toBool(), true);

    QFile arguments(fake_.path("arguments"));
    QVERIFY(arguments.open(QIODevice::ReadOnly));
    const QStringList words = QString::fromUtf8(arguments.readAll()).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(words, runArguments(process.record().settings, process.events()));
    QFile design(words[1]);
    QVERIFY(design.open(QIODevice::ReadOnly));
    QCOMPARE(design.readAll(), QByteArray("{}"));
    QVERIFY(QDir(process.events()).exists());
    QVERIFY(isGone(process.record()));
}

void RunProcessTest::itSaysWhyItFailed()
{
    RunProcess process(fake_.runs());
    QCOMPARE(process.start(fake_.settings("fail"), "{}", "x"), QString());
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 3);
    QCOMPARE(process.sentence(), QString("The run failed with exit code 3: Rank 1 was killed."));
}

void RunProcessTest::theEnvironmentIsPassedOn()
{
    RunProcess process(fake_.runs());
    QSignalSpy lines(&process, &RunProcess::logLine);
    RunSettings settings = fake_.settings("environment");
    settings.environment = { "GREETING=it's me" };
    QCOMPARE(process.start(settings, "{}", "x"), QString());
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(lines.value(0).value(1).toString(), QString("it's me"));
    lines.clear();
    settings.starter = "{command}";
    QCOMPARE(process.start(settings, "{}", "x"), QString());
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(lines.value(0).value(1).toString(), QString("it's me"));
}

void RunProcessTest::whatItLeavesBehindIsKilled()
{
    RunProcess process(fake_.runs());
    QCOMPARE(process.start(fake_.settings("leave"), "{}", "x"), QString());
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(isGone(process.record()), patienceMs);
}

void RunProcessTest::stopIsOneInterrupt()
{
    RunProcess process(fake_.runs());
    QSignalSpy lines(&process, &RunProcess::logLine);
    RunSettings settings = fake_.settings("polite");
    settings.checkpoint = "saved here";
    QCOMPARE(process.start(settings, "{}", "x"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(process), patienceMs);
    process.stop();
    QCOMPARE(process.state(), State::Stopping);
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(process.sentence(), QString("The run was stopped, and can go on from saved here."));
    QCOMPARE(lines.last()[1].toString(), QString("saved"));
}

void RunProcessTest::stopNowIsTwo()
{
    RunProcess process(fake_.runs());
    QCOMPARE(process.start(fake_.settings("hasty"), "{}", "x"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(process), patienceMs);
    process.stopNow();
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(process.sentence(), QString("The run was ended at once."));
}

void RunProcessTest::whoIgnoresInterruptsIsKilled()
{
    RunProcess process(fake_.runs());
    QCOMPARE(process.start(fake_.settings("stubborn family"), "{}", "x"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(process), patienceMs);
    process.stop();
    process.stopNow();
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.sentence(), QString("The run did not end when it was asked twice, so it was killed."));
    QTRY_VERIFY_WITH_TIMEOUT(isGone(process.record()), patienceMs);
}

void RunProcessTest::theGraceIsLimited()
{
    RunProcess process(fake_.runs());
    process.setGrace(100);
    QCOMPARE(process.start(fake_.settings("hasty"), "{}", "x"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(process), patienceMs);
    process.stop();
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 130);
}

void RunProcessTest::aTemplateIsAShellLineAndItsProgramsAreAllInterrupted()
{
    RunProcess process(fake_.runs());
    RunSettings settings = fake_.settings("polite");
    // As ssh or srun: a program that starts another one.
    settings.starter = "sh -c 'trap : INT; \"$@\"; exit $?' x {command}";
    QCOMPARE(process.start(settings, "{}", "x"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(process), patienceMs);
    process.stop();
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 130);
    QTRY_VERIFY_WITH_TIMEOUT(isGone(process.record()), patienceMs);
}

void RunProcessTest::severalRunsOneAfterAnother()
{
    RunProcess process(fake_.runs());
    QSet<QString> folders;
    for (const char* mode : { "finish", "fail", "finish" }) {
        QCOMPARE(process.start(fake_.settings(mode), "{}", "x"), QString());
        folders.insert(process.record().folder);
        QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
        QCOMPARE(process.exitCode(), QByteArray(mode) == "fail" ? 3 : 0);
    }
    QCOMPARE(folders.size(), 3);
}

void RunProcessTest::whatCannotBeStartedIsSaid()
{
    RunProcess process(fake_.runs());
    RunSettings settings = fake_.settings("finish");
    settings.folder = fake_.path("nowhere");
    QVERIFY(process.start(settings, "{}", "x").contains("there is no folder"));
    QCOMPARE(process.state(), State::Idle);
    settings = fake_.settings("finish");
    settings.program = fake_.path("no such program");
    QCOMPARE(process.start(settings, "{}", "x"), QString());
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 127);
    QVERIFY2(process.sentence().contains("not found"), qPrintable(process.sentence()));
    RunProcess nowhere(QStringLiteral("/proc/runs"));
    QVERIFY(nowhere.start(fake_.settings("finish"), "{}", "x").contains("cannot be written to"));
}

void RunProcessTest::anotherWindowFindsItAndEndsIt()
{
    RunProcess first(fake_.runs());
    QCOMPARE(first.start(fake_.settings("polite"), "{}", "found"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(first), patienceMs);
    const auto records = runRecords(fake_.runs());
    QVERIFY(!records.empty());
    QCOMPARE(records.front().name, QString("found"));
    QVERIFY(isRunning(records.front()));

    RunProcess second(fake_.runs());
    QSignalSpy lines(&second, &RunProcess::logLine);
    QCOMPARE(second.attach(records.front().folder), QString());
    QCOMPARE(second.state(), State::Running);
    QVERIFY(!second.isOwn());
    QCOMPARE(lines.value(0).value(1).toString(), QString("ready"));
    second.stop();
    QTRY_COMPARE_WITH_TIMEOUT(second.state(), State::Ended, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(first.state(), State::Ended, patienceMs);
    QCOMPARE(second.exitCode(), 130);
    QCOMPARE(first.exitCode(), 130);
}

void RunProcessTest::anEndedRunIsFoundToo()
{
    QString folder;
    {
        RunProcess process(fake_.runs());
        QCOMPARE(process.start(fake_.settings("fail"), "{}", "x"), QString());
        folder = process.record().folder;
        QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    }
    RunProcess process(fake_.runs());
    QCOMPARE(process.attach(folder), QString());
    QCOMPARE(process.state(), State::Ended);
    QCOMPARE(process.exitCode(), 3);
    QVERIFY(!process.attach(fake_.path("nothing")).isEmpty());
}

void RunProcessTest::aPidThatIsUsedAgainIsLeftAlone()
{
    QString folder;
    {
        RunProcess process(fake_.runs());
        QCOMPARE(process.start(fake_.settings("finish"), "{}", "x"), QString());
        folder = process.record().folder;
        QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    }
    // A bystander has got the numbers of that run.
    const pid_t bystander = ::fork();
    if (bystander == 0) {
        ::setsid();
        ::pause();
        ::_exit(0);
    }
    QTRY_COMPARE_WITH_TIMEOUT(processState(bystander)->session, bystander, patienceMs);
    QVERIFY(QFile::remove(folder + "/exit"));
    auto record = readRecord(folder);
    record->supervisor = bystander;
    record->supervisorStarted = processState(bystander)->started - 1;
    QVERIFY(writeRecord(*record));
    QVERIFY(!isRunning(*record));
    QVERIFY(!interrupt(*record));
    QCOMPARE(killProcesses(*record), 0);
    RunProcess process(fake_.runs());
    QCOMPARE(process.attach(folder), QString());
    process.stopNow();
    QCOMPARE(process.state(), State::Ended);
    QCOMPARE(processState(bystander)->state != 'Z', true);
    // With the right time of its start it would have been taken for the run's.
    record->supervisorStarted = processState(bystander)->started;
    QVERIFY(isRunning(*record));
    ::kill(bystander, SIGKILL);
    ::waitpid(bystander, nullptr, 0);
}

void RunProcessTest::itEndsWithItsWindow()
{
    RunRecord record;
    {
        RunProcess process(fake_.runs());
        QCOMPARE(process.start(fake_.settings("polite family"), "{}", "x"), QString());
        QTRY_VERIFY_WITH_TIMEOUT(isReady(process), patienceMs);
        record = process.record();
    }
    QTRY_VERIFY_WITH_TIMEOUT(exitCode(record).has_value(), patienceMs);
    QCOMPARE(exitCode(record).value(), 130);
    QTRY_VERIFY_WITH_TIMEOUT(isGone(record), patienceMs);
}

void RunProcessTest::itGoesOnWithoutItsWindowIfThatIsChosen()
{
    RunRecord record;
    {
        RunProcess process(fake_.runs());
        QCOMPARE(process.start(fake_.settings("polite"), "{}", "x"), QString());
        QTRY_VERIFY_WITH_TIMEOUT(isReady(process), patienceMs);
        process.setKeepRunning(true); // after it was started otherwise
        record = process.record();
    }
    // Long enough for a script that wrongly ends it.
    QTest::qWait(500);
    QVERIFY(isRunning(record));
    QVERIFY(programOf(record).has_value());
    RunProcess process(fake_.runs());
    QCOMPARE(process.attach(record.folder), QString());
    process.stop();
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.exitCode(), 130);
    QTRY_VERIFY_WITH_TIMEOUT(isGone(record), patienceMs);
}

void RunProcessTest::aKilledWindowsRun_data()
{
    QTest::addColumn<bool>("keep");
    QTest::addColumn<QString>("mode");
    QTest::newRow("ends") << false << "polite family";
    QTest::newRow("is killed if it does not end") << false << "stubborn family";
    QTest::newRow("goes on") << true << "polite family";
}

void RunProcessTest::aKilledWindowsRun()
{
    QFETCH(const bool, keep);
    QFETCH(const QString, mode);
    const QString runs = fake_.path(QString("of ") + QTest::currentDataTag());
    RunSettings settings = fake_.settings(mode);
    settings.keepRunning = keep;
    const pid_t window = ::fork();
    if (window == 0) { // a window that is killed while its run goes on
        RunProcess process(runs);
        if (!process.start(settings, "{}", "x").isEmpty())
            ::_exit(1);
        ::pause();
        ::_exit(0);
    }
    const auto started = [&]() -> std::optional<RunRecord> {
        const auto records = runRecords(runs);
        if (records.empty() || !programOf(records.front()))
            return std::nullopt;
        QFile file(records.front().folder + "/output.txt");
        const bool isThere = file.open(QIODevice::ReadOnly) && file.readAll().contains("ready");
        return isThere ? std::optional(records.front()) : std::nullopt;
    };
    QTRY_VERIFY_WITH_TIMEOUT(started().has_value(), patienceMs);
    const RunRecord record = *started();
    ::kill(window, SIGKILL);
    ::waitpid(window, nullptr, 0);
    if (keep) {
        QTest::qWait(500);
        QVERIFY(programOf(record).has_value());
        RunProcess process(runs);
        QCOMPARE(process.attach(record.folder), QString());
        process.stop();
        QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    }
    QTRY_VERIFY_WITH_TIMEOUT(isGone(record), patienceMs);
    QVERIFY(exitCode(record).has_value());
}

void RunProcessTest::aKilledSupervisorIsNoticed()
{
    RunProcess process(fake_.runs());
    QCOMPARE(process.start(fake_.settings("polite family"), "{}", "x"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(process), patienceMs);
    ::kill(process.record().supervisor, SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), State::Ended, patienceMs);
    QCOMPARE(process.exitCode(), -1);
    QTRY_VERIFY_WITH_TIMEOUT(isGone(process.record()), patienceMs);
}

void RunProcessTest::oldFoldersAreRemoved()
{
    const QString runs = fake_.path("many");
    RunProcess going(runs);
    QCOMPARE(going.start(fake_.settings("polite"), "{}", "going"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(isReady(going), patienceMs);
    const QDateTime later = QDateTime::currentDateTime().addSecs(60);
    for (int i = 0; i < 5; ++i) {
        RunRecord record;
        record.at = later.addSecs(i);
        record.folder = makeRunFolder(runs, QString::number(i), record.at);
        record.name = QString::number(i);
        QVERIFY(writeRecord(record));
    }
    QVERIFY(QDir().mkpath(runs + "/of somebody else"));
    removeOldRuns(runs, 2);
    QStringList names;
    for (const RunRecord& record : runRecords(runs))
        names.append(record.name);
    QCOMPARE(names, QStringList({ "4", "3", "going" }));
    QVERIFY(QDir(runs + "/of somebody else").exists());
    going.stop();
    QTRY_COMPARE_WITH_TIMEOUT(going.state(), State::Ended, patienceMs);
}

PIPELOOM_WINDOW_TEST_MAIN(RunProcessTest)
#include "run_process_test.moc"
