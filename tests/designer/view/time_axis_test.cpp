// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/view/time_axis.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::designer;

class TimeAxisTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timeUnderTheCursorStaysWhileZooming_data();
    void timeUnderTheCursorStaysWhileZooming();
    void panNeverLeavesTheBounds();
    void zoomStopsAtTheWholeAndAtOneTick();
    void aStepOfOneTickCanBeZoomed();
    void allStaysShownWhenThereIsMore();
    void whatIsShownStaysWhenItIsNotAll();
    void aHeldAxisKeepsItsScale();
    void backAndForwardGoThroughWhatWasShown();
    void aRulersStepsAreRound_data();
    void aRulersStepsAreRound();
    void edgesSnapToDevicePixels();
};

void TimeAxisTest::timeUnderTheCursorStaysWhileZooming_data()
{
    QTest::addColumn<double>("x");
    QTest::addColumn<double>("factor");
    for (const double x : { 150.0, 333.3, 500.0, 871.5 })
        for (const double factor : { 1.01, 1.2, 2.0, 7.0 })
            QTest::addRow("x %.1f by %.2f", x, factor) << x << factor;
}

void TimeAxisTest::timeUnderTheCursorStaysWhileZooming()
{
    QFETCH(double, x);
    QFETCH(double, factor);
    TimeAxis axis;
    axis.setWidth(1000);
    axis.setBounds(0, 1'000'000'007);
    for (int i = 0; i < 20; ++i) {
        const double time = axis.map().timeAt(x);
        axis.zoomAt(x, factor);
        QVERIFY(std::abs(axis.map().xOf(time) - x) < 1);
    }
    // Out again, as long as no bound is met.
    const double time = axis.map().timeAt(x);
    axis.zoomAt(x, 1 / factor);
    QVERIFY(std::abs(axis.map().xOf(time) - x) < 1);
}

void TimeAxisTest::panNeverLeavesTheBounds()
{
    TimeAxis axis;
    axis.setWidth(800);
    axis.setBounds(100, 500);
    axis.show(200, 260);
    axis.panBy(-1e9);
    QCOMPARE(axis.map().begin, 100.0);
    axis.panBy(1e9);
    QVERIFY(axis.map().timeAt(800) <= 500 + 400 * 0.02);
    QVERIFY(axis.map().timeAt(800) >= 500);
    axis.fit();
    axis.panBy(300);
    QCOMPARE(axis.map().begin, 100.0);
}

void TimeAxisTest::zoomStopsAtTheWholeAndAtOneTick()
{
    TimeAxis axis;
    axis.setWidth(1000);
    axis.setBounds(0, 5000);
    for (int i = 0; i < 50; ++i)
        axis.zoomAt(500, 4);
    QVERIFY(axis.map().pixelsPerTick <= 401);
    QVERIFY(axis.map().pixelsPerTick >= 399);
    for (int i = 0; i < 50; ++i)
        axis.zoomAt(500, 0.25);
    QCOMPARE(axis.map().begin, 0.0);
    QVERIFY(axis.isFitted());
}

void TimeAxisTest::aStepOfOneTickCanBeZoomed()
{
    TimeAxis axis;
    axis.setWidth(1000);
    axis.setBounds(0, 1); // 1000 pixels for a tick, more than zooming ever gives
    axis.zoomAt(500, 2);
    axis.zoomAt(500, 0.5);
    QCOMPARE(axis.map().begin, 0.0);
    QVERIFY(axis.map().timeAt(1000) >= 1);
}

void TimeAxisTest::allStaysShownWhenThereIsMore()
{
    TimeAxis axis;
    axis.setWidth(1000);
    axis.setBounds(0, 100);
    axis.setBounds(0, 300);
    QVERIFY(axis.map().timeAt(1000) >= 300);
    axis.setWidth(500);
    QVERIFY(axis.map().timeAt(500) >= 300);
}

void TimeAxisTest::whatIsShownStaysWhenItIsNotAll()
{
    TimeAxis axis;
    axis.setWidth(1000);
    axis.setBounds(0, 100);
    axis.show(20, 40);
    const TimeMap before = axis.map();
    axis.setBounds(0, 300);
    QCOMPARE(axis.map().begin, before.begin);
    QCOMPARE(axis.map().pixelsPerTick, before.pixelsPerTick);
}

void TimeAxisTest::aHeldAxisKeepsItsScale()
{
    TimeAxis axis;
    axis.setWidth(1000);
    axis.setBounds(0, 100);
    const TimeMap before = axis.map();
    axis.hold(true);
    axis.setBounds(0, 140);
    QVERIFY(axis.map() == before);
    axis.setBounds(0, 60);
    QVERIFY(axis.map() == before);
}

void TimeAxisTest::backAndForwardGoThroughWhatWasShown()
{
    TimeAxis axis;
    axis.setWidth(1000);
    axis.setBounds(0, 1000);
    const TimeMap all = axis.map();
    axis.show(100, 200);
    const TimeMap first = axis.map();
    axis.show(300, 350);
    const TimeMap second = axis.map();
    QSignalSpy changed(&axis, &TimeAxis::changed);
    axis.back();
    QVERIFY(axis.map() == first);
    axis.back();
    QVERIFY(axis.map() == all);
    axis.back();
    QVERIFY(axis.map() == all);
    axis.forward();
    axis.forward();
    QVERIFY(axis.map() == second);
    QCOMPARE(changed.count(), 4);
}

void TimeAxisTest::aRulersStepsAreRound_data()
{
    QTest::addColumn<double>("scale");
    QTest::addColumn<qlonglong>("unit");
    QTest::addColumn<qlonglong>("step");
    QTest::newRow("a tick is wide enough") << 60.0 << 1LL << 1LL;
    QTest::newRow("two") << 25.0 << 1LL << 2LL;
    QTest::newRow("five") << 12.0 << 1LL << 5LL;
    QTest::newRow("ten") << 5.0 << 1LL << 10LL;
    QTest::newRow("of an interval of six") << 16.6 << 6LL << 6LL;
    QTest::newRow("ten intervals") << 1.0 << 6LL << 60LL;
    QTest::newRow("a thousand") << 0.05 << 1LL << 1000LL;
}

void TimeAxisTest::aRulersStepsAreRound()
{
    QFETCH(double, scale);
    QFETCH(qlonglong, unit);
    QFETCH(qlonglong, step);
    QCOMPARE(rulerStep(scale, 50, unit), static_cast<Ticks>(step));
}

void TimeAxisTest::edgesSnapToDevicePixels()
{
    QCOMPARE(snapped(10.4, 1), 10.0);
    QCOMPARE(snapped(10.4, 1.5) * 1.5, 16.0);
    QCOMPARE(snapped(10.4, 2), 10.5);
}

QTEST_APPLESS_MAIN(TimeAxisTest)
#include "time_axis_test.moc"
