// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// A launcher that is killed, whatever its ranks are in, leaves none of them.

#include "tests/app/small_runs.h"

#include <QtTest>
#include <signal.h>

using namespace pipeloom::test;

class LauncherKilledWithExecutorTest : public QObject {
    Q_OBJECT

    SmallRuns runs_;
    QString four_; ///< a design for four devices

private Q_SLOTS:
    void initTestCase() { four_ = runs_.design("v-half", 4, 8); }

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
};

QTEST_APPLESS_MAIN(LauncherKilledWithExecutorTest)
#include "launcher_killed_with_executor_test.moc"
