// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// Faults of runs on processes: whatever happens to one, all of them end in time, the culprit is named, and nothing is left.

#include "tests/app/small_runs.h"

#include <QtTest>
#include <signal.h>

using namespace pipeloom::test;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class ProcessFaultsWithExecutorTest : public QObject {
    Q_OBJECT

    SmallRuns runs_;
    QString four_; ///< a design for four devices

private Q_SLOTS:
    void initTestCase() { four_ = runs_.design("v-half", 4, 8); }

    void case17AFaultOfOneRankEndsAllAndIsNamed_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QStringList>("parts");
        QTest::newRow("an exception") << "throw@1F2:1"
                                      << "run/failed"
                                      << QStringList { "Device 1", "1F2", "a fault that was asked for" };
        QTest::newRow("memory is used up") << "memory@2F2"
                                           << "run/out-of-memory" << QStringList { "Device 2", "2F2" };
        QTest::newRow("killed") << "kill@3F2"
                                << "run/died" << QStringList { "Rank 3", "SIGKILL", "in 3F2" };
        QTest::newRow("the first rank is killed") << "kill@0F3"
                                                  << "run/died" << QStringList { "Rank 0", "in 0F3" };
        QTest::newRow("silent") << "stop@2F2"
                                << "run/silent" << QStringList { "Rank 2", "2F2", "no sign of life" };
        QTest::newRow("stuck") << "hang@1F2"
                               << "run/stalled" << QStringList { "Device 1", "1F2" };
        QTest::newRow("not a number") << "nan@1F2:1"
                                      << "run/nan" << QStringList { "not finite", "step 1" };
    }

    void case17AFaultOfOneRankEndsAllAndIsNamed()
    {
        QFETCH(QString, fault);
        QFETCH(QString, rule);
        QFETCH(QStringList, parts);
        const Ended ended
            = call(runs_.run(four_, { "--ranks", "4", "--steps", "1000", "--drill", fault, "--json" }, 4));
        QVERIFY2(ended.code == 3, ended.out + ended.error);
        const auto findings = ended.json().at("findings");
        QVERIFY(!findings.empty());
        const auto& last = findings.back();
        QCOMPARE(QString::fromStdString(last.at("rule")), rule);
        for (const QString& part : parts)
            QVERIFY2(QString::fromStdString(last.at("message")).contains(part), ended.out);
        QVERIFY(processesWith(four_).isEmpty());
    }

    void case46WhenTheLauncherIsKilledNoRankIsLeft_data()
    {
        QTest::addColumn<QString>("pass"); // in which the run stands still when the launcher is killed
        QTest::newRow("in warm-up") << "3F0";
        QTest::newRow("in the steady phase") << "4B3";
        QTest::newRow("in cool-down") << "0B7";
        QTest::newRow("anywhere") << QString();
    }

    void case46WhenTheLauncherIsKilledNoRankIsLeft()
    {
        QFETCH(QString, pass);
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        const QString events = runs_.folder("killed.jsonl");
        QFile::remove(events);
        QStringList more { "--ranks", "4", "--steps", "1000000", "--events", events };
        if (!pass.isEmpty())
            more << "--drill"
                 << "hang@" + pass + ":1";
        process.start(PIPELOOM_BINARY, runs_.run(four_, more, 50));
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(four_).size() == 5, 20'000);
        const QByteArray told = pass.isEmpty() ? QByteArray("\"step\":1,") : "\"event\":\"stall\"";
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(events).contains(told), 40'000);
        if (!pass.isEmpty())
            QVERIFY(contentOf(events).contains("\"pass\":\"" + pass.toUtf8() + "\",\"for_ms\""));
        process.kill();
        QVERIFY(process.waitForFinished());
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(four_).isEmpty(), 10'000);
        const Ended next = call(runs_.run(four_, { "--ranks", "4", "--steps", "1" }, 50));
        QVERIFY2(next.code == 0, next.error);
    }

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

    void anInterruptSavesOnAllRanksAndAnotherTransportGoesOn_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl+C") << SIGINT;
        QTest::newRow("SIGTERM, as Slurm sends it") << SIGTERM;
    }

    void anInterruptSavesOnAllRanksAndAnotherTransportGoesOn()
    {
        QFETCH(int, signal);
        const QString saved = runs_.folder("saved");
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(PIPELOOM_BINARY,
            runs_.run(
                four_, { "--ranks", "4", "--steps", "1000000", "--checkpoint", saved, "--events", runs_.folder("") }));
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(process.bytesAvailable() > 0 || (process.waitForReadyRead(100), false), 40'000);
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), signal), 0);
        const Ended stopped = ended(process);
        QVERIFY2(stopped.code == 130, stopped.error);
        QVERIFY2(stopped.error.contains("and saved there"), stopped.error);
        QVERIFY(processesWith(four_).isEmpty());

        const Ended resumed = call(runs_.run(four_, { "--steps", "1", "--resume", saved, "--json" }));
        QVERIFY2(resumed.code == 0, resumed.out);
        const int step = resumed.json().at("steps").at(0).at("step").get<int>();
        QVERIFY(step > 0);
        const Ended whole = call(runs_.run(four_, { "--steps", QString::number(step + 1), "--json" }));
        QCOMPARE(losses(resumed.json()).back(), losses(whole.json()).back());
    }
};

QTEST_APPLESS_MAIN(ProcessFaultsWithExecutorTest)
#include "process_faults_with_executor_test.moc"
