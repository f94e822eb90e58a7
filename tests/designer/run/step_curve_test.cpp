// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_texts.h"
#include "app/designer/run/step_curve.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace pipeloom;
using namespace pipeloom::designer;

class StepCurveTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fewStepsAreShownAsTheyAre();
    void thinningKeepsEverySpikeAndTheOrderOfSteps();
    void aValueThatIsNotFiniteIsAGap();
    void aThinnedGapIsStillThere();
    void noStepsMakeNoCurve();
    void aWarmUpStepDoesNotFlattenTheRest();
    void ticksAreRoundNumbers();
    void numbersAreWrittenAsPeopleReadThem();
    void partsThatAreShownAddUp();

private:
    static std::vector<StepSummary> steps(std::int64_t number)
    {
        std::vector<StepSummary> made;
        for (std::int64_t step = 0; step < number; ++step)
            made.push_back({ step, 64 + static_cast<double>(step % 7) / 10, 2.5 });
        return made;
    }
    static double ms(const StepSummary& step) { return step.stepMs; }
    static double loss(const StepSummary& step) { return step.loss; }
};

void StepCurveTest::fewStepsAreShownAsTheyAre()
{
    const std::vector<StepSummary> all = steps(2000);
    const StepCurve curve = stepCurve(all, ms);
    QCOMPARE(curve.points(), std::size_t { 2000 });
    QCOMPARE(curve.pieces.size(), std::size_t { 1 });
    QCOMPARE(curve.pieces[0][1234], QPointF(1234, all[1234].stepMs));
    QCOMPARE(curve.least, 64.0);
    QCOMPARE(curve.most, 64.6);
}

void StepCurveTest::thinningKeepsEverySpikeAndTheOrderOfSteps()
{
    std::vector<StepSummary> all = steps(100'000);
    all[41'234].stepMs = 740;
    all[41'235].stepMs = 3;
    all[99'999].stepMs = 99;
    const StepCurve curve = stepCurve(all, ms);
    QVERIFY(curve.points() <= 2000);
    QVERIFY(curve.points() > 1500);
    const std::vector<QPointF>& line = curve.pieces[0];
    for (const QPointF& spike : { QPointF(41'234, 740), QPointF(41'235, 3), QPointF(99'999, 99) })
        QVERIFY(std::find(line.begin(), line.end(), spike) != line.end());
    QVERIFY(std::is_sorted(line.begin(), line.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
    QCOMPARE(curve.most, 740.0);
    QCOMPARE(curve.least, 3.0);
}

void StepCurveTest::aValueThatIsNotFiniteIsAGap()
{
    std::vector<StepSummary> all = steps(10);
    all[4].loss = std::numeric_limits<double>::quiet_NaN();
    all[9].loss = std::numeric_limits<double>::infinity();
    const StepCurve curve = stepCurve(all, loss);
    QCOMPARE(curve.gaps, (std::vector<double> { 4, 9 }));
    QCOMPARE(curve.pieces.size(), std::size_t { 2 });
    QCOMPARE(curve.pieces[0].back().x(), 3.0);
    QCOMPARE(curve.pieces[1].front().x(), 5.0);
    QCOMPARE(curve.most, 2.5);
}

void StepCurveTest::aThinnedGapIsStillThere()
{
    std::vector<StepSummary> all = steps(50'000);
    all[31'007].loss = std::numeric_limits<double>::quiet_NaN();
    const StepCurve curve = stepCurve(all, loss);
    QCOMPARE(curve.gaps, std::vector<double> { 31'007 });
    QCOMPARE(curve.pieces.size(), std::size_t { 2 });
}

void StepCurveTest::noStepsMakeNoCurve()
{
    const StepCurve curve = stepCurve({}, ms);
    QCOMPARE(curve.points(), std::size_t { 0 });
    QVERIFY(curve.pieces.empty());
    QCOMPARE(curve.least, 0.0);
    QCOMPARE(curve.most, 0.0);
}

void StepCurveTest::aWarmUpStepDoesNotFlattenTheRest()
{
    std::vector<StepSummary> all = steps(200);
    all[37].stepMs = 74; // no more than a spike: the axis holds it
    QCOMPARE(usefulTop(stepCurve(all, ms)), 74.0);
    all[0].stepMs = 2100;
    const double top = usefulTop(stepCurve(all, ms));
    QVERIFY(top > 74 && top < 120);
}

void StepCurveTest::ticksAreRoundNumbers()
{
    QCOMPARE(tickStep(0, 200, 4), 50.0);
    QCOMPARE(tickStep(2.4, 5.5, 3), 2.0);
    QCOMPARE(tickStep(63, 74, 4), 5.0);
    QCOMPARE(tickStep(5, 5, 4), 1.0);
}

void StepCurveTest::numbersAreWrittenAsPeopleReadThem()
{
    QCOMPARE(msText(61.94), QString("61.9"));
    QCOMPARE(msText(1234.4), QString("1234"));
    QCOMPARE(msText(0.1234), QString("0.123"));
    QCOMPARE(lossText(2.3741), QString("2.374"));
    QCOMPARE(lossText(std::numeric_limits<double>::quiet_NaN()), QString("not finite"));
    QCOMPARE(countText(18412), QString::fromUtf8("18\u202F412"));
    QCOMPARE(countText(412), QString("412"));
    QCOMPARE(countText(1234567), QString::fromUtf8("1\u202F234\u202F567"));
    QCOMPARE(ratioText(0.98), QString::fromUtf8("0.98 ×"));
    QCOMPARE(ratioText(0), QString::fromUtf8("–"));
    QCOMPARE(changeText(0.03), QString("+3.0 %"));
    QCOMPARE(changeText(-0.03), QString::fromUtf8("−3.0 %"));
    QCOMPARE(changeText(-0.0001), QString("0.0 %"));
    QCOMPARE(durationText(192), QString("3 min 12 s"));
    QCOMPARE(durationText(42.9), QString("42 s"));
    QCOMPARE(durationText(7500), QString("2 h 5 min"));
    QCOMPARE(durationText(0.2), QString("under 1 s"));
}

void StepCurveTest::partsThatAreShownAddUp()
{
    // Each rounds down by itself, and the sum would be short by 0.1.
    const std::vector<double> parts { 48.94, 1.04, 13.04, 0.04 };
    const std::vector<double> shown = roundedToAddUp(parts, 1);
    QCOMPARE(shown.size(), std::size_t { 5 });
    QCOMPARE(shown.back(), 63.1);
    QVERIFY(std::abs(std::accumulate(shown.begin(), shown.end() - 1, 0.0) - shown.back()) < 1e-9);
    for (std::size_t part = 0; part < parts.size(); ++part)
        QVERIFY(std::abs(shown[part] - parts[part]) < 0.1);
}

QTEST_APPLESS_MAIN(StepCurveTest)
#include "step_curve_test.moc"
