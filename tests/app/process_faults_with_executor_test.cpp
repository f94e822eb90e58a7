// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// Faults of runs on processes: whatever happens to one, all of them end in time, the culprit is named, and nothing is left.

#include "tests/app/small_runs.h"

#include <QtTest>
#include <signal.h>

using namespace pipeloom::test;

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
