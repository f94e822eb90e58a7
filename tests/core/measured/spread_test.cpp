// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

#include "core/measured/measured_costs.h"
#include "core/measured/spread.h"

#include <QTest>

using namespace pipeloom;

class SpreadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void spreadIsMedianAndTheTenthsAtBothEnds();
    void theTickKeepsRoundingBelowHalfAPercent_data();
    void theTickKeepsRoundingBelowHalfAPercent();
};

void SpreadTest::spreadIsMedianAndTheTenthsAtBothEnds()
{
    const Spread spread = spreadOf({ 10, 0, 5, 1, 9, 2, 8, 3, 7, 4, 6 });
    QCOMPARE(spread.count, 11);
    QCOMPARE(spread.median, 5.0);
    QCOMPARE(spread.low, 1.0);
    QCOMPARE(spread.high, 9.0);
    QCOMPARE(spreadOf({ 1, 2 }).median, 1.5);
    QCOMPARE(spreadOf({}).count, 0);
}

void SpreadTest::theTickKeepsRoundingBelowHalfAPercent_data()
{
    QTest::addColumn<double>("shortest");
    QTest::addColumn<double>("tick");
    QTest::newRow("1 s") << 1e9 << 1e4;
    QTest::newRow("3.2 ms") << 3.2e6 << 20.0;
    QTest::newRow("780 us") << 7.8e5 << 5.0;
    QTest::newRow("150 us") << 1.5e5 << 1.0;
    QTest::newRow("70 us") << 7e4 << 0.5;
    QTest::newRow("2.1 us") << 2.1e3 << 0.02;
}

void SpreadTest::theTickKeepsRoundingBelowHalfAPercent()
{
    QFETCH(double, shortest);
    QFETCH(double, tick);
    QCOMPARE(tickFor(shortest), tick);
    QVERIFY(tick * 1000 / 2 <= 0.005 * shortest);
}

QTEST_APPLESS_MAIN(SpreadTest)
#include "spread_test.moc"
