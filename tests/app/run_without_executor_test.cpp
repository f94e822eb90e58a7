// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// pipeloom run in a build that cannot run.

#include "tests/app/pipeloom_process.h"

#include <QtTest>

using namespace pipeloom::test;

class RunWithoutExecutorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBuildWithoutTheExecutorSaysSoAndEndsWithThree()
    {
        const Ended refused = call({ "run", "x" });
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.error.contains("without the executor"), refused.error);
        const Ended document = call({ "run", "x", "--json" });
        QCOMPARE(document.code, 3);
        QCOMPARE(document.json().at("findings").at(0).at("rule"), "run/no-executor");
    }
};

QTEST_APPLESS_MAIN(RunWithoutExecutorTest)

#include "run_without_executor_test.moc"
