// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// Readers who go, disks that are full, and Ctrl+C.

#include "tests/app/pipeloom_process.h"

#include <QtTest>
#include <signal.h>

using namespace pipeloom::test;

class PipesTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString design_;

private Q_SLOTS:
    void initTestCase()
    {
        design_ = folder_.filePath("long.pipeloom.json");
        QCOMPARE(call({ "new", "1f1b", "--devices", "8", "--micro-batches", "2000", "-o", design_ }).code, 0);
    }

    void aReaderWhoGoesIsNoError()
    {
        for (const char* command : { "show", "show --json", "simulate --json" }) {
            const Ended ended = shell(
                QString("pipeloom %1 %2 | head -c 100 >/dev/null; echo ${PIPESTATUS[0]}").arg(command, design_));
            QCOMPARE(ended.out, QByteArray("0\n"));
            QCOMPARE(ended.error, QByteArray());
        }
    }

    void theVerdictStaysWhenTheReaderGoes()
    {
        const QString broken = folder_.filePath("broken.pipeloom.json");
        QFile file(broken);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(changed(design("v-half", 4, 8), " 7W@16", ""));
        file.close();
        QCOMPARE(shell(QString("pipeloom check %1 | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}").arg(broken)).out,
            QByteArray("1\n"));
    }

    void aFullDiskIsToldAndEndsWithThree_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("list") << "list";
        QTest::newRow("help") << "--help";
        QTest::newRow("new") << "new gpipe --devices 4 --micro-batches 8";
        QTest::newRow("show") << "show " + design_;
        QTest::newRow("show as data") << "show --json " + design_;
        QTest::newRow("simulate") << "simulate " + design_;
        QTest::newRow("check") << "check --json " + design_;
    }
    void aFullDiskIsToldAndEndsWithThree()
    {
        QFETCH(QString, command);
        const Ended ended = shell("pipeloom " + command + " >/dev/full");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.error.contains("could not be written: No space left on device"), ended.error);
    }

    void anInterruptEndsWith130()
    {
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(PIPELOOM_BINARY, { "check", "-" }); // and waits for its input
        QVERIFY(process.waitForStarted());
        QTest::qWait(500);
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QCOMPARE(ended(process).code, 130);
    }

    void anIgnoredInterruptStaysIgnored()
    {
        const Ended ended = shell(
            "trap '' INT; (sleep 0.5; echo '{}') | pipeloom check - & sleep 0.2; kill -INT $!; wait $!; echo $?");
        QCOMPARE(ended.out, QByteArray("2\n"));
    }
};

QTEST_APPLESS_MAIN(PipesTest)

#include "pipes_test.moc"
