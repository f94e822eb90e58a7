// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// What a run on processes does when its starter goes away, and when it is interrupted twice.

#include "tests/app/small_runs.h"

#include <QtTest>
#include <signal.h>

using namespace pipeloom::test;

class LauncherSignalsWithExecutorTest : public QObject {
    Q_OBJECT

    SmallRuns runs_;
    QString four_; ///< a design for four devices

private Q_SLOTS:
    void initTestCase() { four_ = runs_.design("v-half", 4, 8); }

    // A window that starts a run has it live in a session of its own, and talks to it by its number.
    void aRunInASessionOfItsOwnOutlivesItsStarterAndIsInterruptedByNumber()
    {
        const QString events = runs_.folder("own-session.jsonl");
        const QString log = runs_.folder("own-session.log");
        QProcess starter;
        starter.setProcessEnvironment(plainEnvironment());
        const QStringList run = runs_.run(four_, { "--ranks", "4", "--steps", "1000000", "--events", events });
        const QStringList shell { "-c", "setsid \"$@\" > " + log + " 2>&1 < /dev/null & echo $!; wait", "bash",
            PIPELOOM_BINARY };
        starter.start("bash", shell + run);
        QVERIFY(starter.waitForReadyRead(20'000));
        const pid_t launcher = starter.readLine().trimmed().toInt();
        QVERIFY(launcher > 0);
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(events).contains("\"event\":\"step\""), 40'000);
        starter.kill();
        QVERIFY(starter.waitForFinished());
        QCOMPARE(kill(launcher, SIGHUP), 0);
        const auto steps = [&] { return contentOf(events).count("\"event\":\"step\""); };
        const auto before = steps();
        QTRY_VERIFY_WITH_TIMEOUT(steps() > before + 2, 20'000);
        QCOMPARE(kill(launcher, SIGINT), 0);
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(events).contains("\"outcome\":\"interrupted\""), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(four_).isEmpty(), 20'000);
    }

    void aSecondInterruptEndsItAtOnceWhateverADeviceDoes_data()
    {
        QTest::addColumn<QStringList>("how");
        QTest::newRow("threads") << QStringList {};
        QTest::newRow("processes") << QStringList { "--ranks", "4", "--checkpoint", runs_.folder("twice") };
    }

    // A device that is stuck in a pass keeps the first interrupt waiting, here for the whole limit of 50 s.
    void aSecondInterruptEndsItAtOnceWhateverADeviceDoes()
    {
        QFETCH(QStringList, how);
        const QString events = runs_.folder("twice.jsonl");
        QFile::remove(events);
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(PIPELOOM_BINARY,
            runs_.run(four_, QStringList { "--steps", "1000", "--events", events, "--drill", "hang@1F2:1" } + how, 50));
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(events).contains("\"event\":\"stall\""), 40'000);
        const auto number = static_cast<pid_t>(process.processId());
        QCOMPARE(kill(number, SIGINT), 0);
        // Two of a kind that come at one time are one; it looks for them ten times a second.
        QTest::qWait(500);
        QCOMPARE(kill(number, SIGINT), 0);
        const Ended stopped = ended(process);
        QCOMPARE(stopped.code, 130);
        QVERIFY2(stopped.error.contains("ended at once"), stopped.error);
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(four_).isEmpty(), 10'000);
    }
};

QTEST_APPLESS_MAIN(LauncherSignalsWithExecutorTest)
#include "launcher_signals_with_executor_test.moc"
