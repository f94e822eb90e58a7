// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Loss and gradients do not depend on the cut, the order or the kind of backward pass.

#include "tests/executor/tiny_model.h"

#include <QtTest>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::executor;

class TorchGradientsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCutGivesTheGradientsOfTheUnpipelinedModel_data();
    void everyCutGivesTheGradientsOfTheUnpipelinedModel();
    void anyLegalOrderGivesTheGradientsOfTheUnpipelinedModel();
    void aTrainedModelVerifiesAndItsLossHasFallen();
    void fusedAndSplitBackwardGiveTheSameBits();
    void weightPassesMayComeLateWithoutChangingABit();
    void theSameStepsGiveTheSameBitsAgain();
    void case28TwoBackwardPassesBeforeTheFirstGradientIsHandedOn();
    void aWrongGradientIsFoundAndNamed();
    void unequalCutsByHandVerify();
    void modelsOfOddSizesVerify_data();
    void modelsOfOddSizesVerify();
    void passesOutOfTurnAreRefused_data();
    void passesOutOfTurnAreRefused();
    void case40AMissingWeightPassIsNamedAtTheEndOfTheStep();
    void clippingNormIsTheNormOfAllGradients();
};

namespace {

Verification verified(TinyRun& run, std::int64_t step, const std::vector<Pass>& order)
{
    const double loss = run.step(step, order);
    return verify(run.setup(), step, run.devices(), loss);
}

QString text(const Verification& result)
{
    return QString("%1 at %2").arg(result.worst).arg(QString::fromStdString(result.parameter));
}

void compare(const Verification& result)
{
    QVERIFY2(result.ok(), qPrintable(text(result)));
    QVERIFY(result.loss > 4 && result.loss < 7); // ln 256 = 5.5: that something was computed at all
}

} // namespace

void TorchGradientsTest::everyCutGivesTheGradientsOfTheUnpipelinedModel_data()
{
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("devices");
    QTest::newRow("1") << 1 << 1;
    QTest::newRow("2") << 2 << 2;
    QTest::newRow("4") << 4 << 4;
    QTest::newRow("8, v on 4") << 8 << 4;
    QTest::newRow("3, uneven") << 3 << 3;
}

void TorchGradientsTest::everyCutGivesTheGradientsOfTheUnpipelinedModel()
{
    QFETCH(int, stages);
    QFETCH(int, devices);
    for (const PassKind backward : { PassKind::B, PassKind::BW }) {
        TinyRun run(tinyDesign(PlacementKind::V, devices, stages, 3));
        compare(verified(run, 0, phases(stages, 3, backward)));
    }
}

void TorchGradientsTest::anyLegalOrderGivesTheGradientsOfTheUnpipelinedModel()
{
    TinyRun run(tinyDesign(PlacementKind::V, 2, 4, 5));
    for (unsigned seed = 0; seed < 20; ++seed) {
        compare(verified(run, seed, anyOrder(4, 5, seed)));
        run.optimizerStep(seed);
    }
}

void TorchGradientsTest::aTrainedModelVerifiesAndItsLossHasFallen()
{
    Design design = tinyDesign(PlacementKind::Linear, 2, 2, 4);
    design.training->learningRate = 0.01;
    TinyRun run(design);
    const auto order = phases(2, 4, PassKind::B);
    double first = 0;
    for (std::int64_t step = 0; step < 30; ++step) {
        const double loss = run.step(step, order);
        first = step == 0 ? loss : first;
        run.optimizerStep(step);
    }
    const double last = run.step(30, order);
    QVERIFY2(last < 0.7 * first, qPrintable(QString("from %1 to %2").arg(first).arg(last)));
    const Verification result = verify(run.setup(), 30, run.devices(), last);
    QVERIFY2(result.ok(), qPrintable(text(result)));
}

void TorchGradientsTest::fusedAndSplitBackwardGiveTheSameBits()
{
    const Design design = tinyDesign(PlacementKind::Linear, 4, 4, 4);
    TinyRun split(design);
    TinyRun fused(design);
    QCOMPARE(split.step(0, phases(4, 4, PassKind::B)), fused.step(0, phases(4, 4, PassKind::BW)));
    QVERIFY(split.gradients() == fused.gradients());
}

void TorchGradientsTest::weightPassesMayComeLateWithoutChangingABit()
{
    // W of micro-batch 1 before that of 0 in both, so only the time differs.
    const Design design = tinyDesign(PlacementKind::Linear, 1, 1, 2);
    const auto p = [](PassKind kind, int j) { return passOf(0, kind, j); };
    using enum PassKind;
    TinyRun soon(design);
    soon.step(0, { p(F, 1), p(B, 1), p(W, 1), p(F, 0), p(B, 0), p(W, 0) });
    TinyRun late(design);
    late.step(0, { p(F, 0), p(F, 1), p(B, 0), p(B, 1), p(W, 1), p(W, 0) });
    QVERIFY(soon.gradients() == late.gradients());
}

void TorchGradientsTest::theSameStepsGiveTheSameBitsAgain()
{
    const Design design = tinyDesign(PlacementKind::V, 2, 4, 3);
    TinyRun one(design);
    TinyRun two(design);
    for (std::int64_t step = 0; step < 3; ++step) {
        QCOMPARE(one.step(step, anyOrder(4, 3, 7)), two.step(step, anyOrder(4, 3, 7)));
        one.optimizerStep(step, 0.7);
        two.optimizerStep(step, 0.7);
    }
    QVERIFY(one.parameters() == two.parameters());
}

void TorchGradientsTest::case28TwoBackwardPassesBeforeTheFirstGradientIsHandedOn()
{
    // Results are keyed by stage and micro-batch, so a second one does not take the place of the first.
    const auto f = [](int s, int j) { return passOf(s, PassKind::F, j); };
    const auto bw = [](int s, int j) { return passOf(s, PassKind::BW, j); };
    const Design design = tinyDesign(PlacementKind::Linear, 2, 2, 4);
    TinyRun mixed(design);
    compare(verified(mixed, 0,
        { f(0, 0), f(0, 1), f(0, 2), f(0, 3), f(1, 1), f(1, 0), bw(1, 0), bw(1, 1), bw(0, 1), f(1, 2), f(1, 3),
            bw(0, 0), bw(1, 3), bw(1, 2), bw(0, 2), bw(0, 3) }));
    TinyRun gpipe(design);
    compare(verified(gpipe, 0, phases(2, 4, PassKind::BW)));
}

void TorchGradientsTest::aWrongGradientIsFoundAndNamed()
{
    // The devices did step 1, the reference does step 0: all differ, the loss as well.
    TinyRun run(tinyDesign(PlacementKind::Linear, 2, 2, 2));
    const double loss = run.step(1, phases(2, 2, PassKind::B));
    const Verification result = verify(run.setup(), 0, run.devices(), loss);
    QVERIFY(!result.ok());
    QVERIFY(result.loss != result.referenceLoss);
    QCOMPARE(std::ranges::count(run.setup().parameters, result.parameter, &ParameterPlan::name), 1);

    QVERIFY(verify(run.setup(), 1, run.devices(), loss).ok());
    const Verification notANumber = verify(run.setup(), 1, run.devices(), std::nan(""));
    QVERIFY(!notANumber.ok());
    QCOMPARE(notANumber.parameter, "loss");
}

void TorchGradientsTest::unequalCutsByHandVerify()
{
    Design design = tinyDesign(PlacementKind::Linear, 3, 3, 2);
    design.training->layersPerStage = { 5, 1, 2 };
    TinyRun run(design);
    compare(verified(run, 0, phases(3, 2, PassKind::B)));
}

void TorchGradientsTest::modelsOfOddSizesVerify_data()
{
    QTest::addColumn<int>("hidden");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("sequence");
    QTest::addColumn<int>("microBatchSize");
    QTest::addColumn<int>("vocabulary");
    QTest::newRow("one head") << 16 << 1 << 12 << 2 << 256;
    QTest::newRow("heads of one") << 6 << 6 << 12 << 2 << 256;
    QTest::newRow("one row") << 16 << 2 << 12 << 1 << 256;
    QTest::newRow("one token") << 16 << 2 << 1 << 3 << 256;
    QTest::newRow("long") << 15 << 3 << 301 << 1 << 256;
    QTest::newRow("more words than bytes") << 16 << 2 << 12 << 2 << 1001;
    QTest::newRow("digits and blanks only") << 16 << 2 << 12 << 2 << 58;
}

void TorchGradientsTest::modelsOfOddSizesVerify()
{
    QFETCH(int, hidden);
    QFETCH(int, heads);
    QFETCH(int, sequence);
    QFETCH(int, microBatchSize);
    QFETCH(int, vocabulary);
    Design design = tinyDesign(PlacementKind::Linear, 2, 2, 2);
    design.model = Model { .layers = 3,
        .hidden = hidden,
        .heads = heads,
        .sequence = sequence,
        .microBatchSize = microBatchSize,
        .vocabulary = vocabulary };
    TinyRun run(design);
    const Verification result = verified(run, 0, phases(2, 2, PassKind::B));
    QVERIFY2(result.ok(), qPrintable(text(result)));
    QVERIFY(std::abs(result.loss - std::log(vocabulary)) < 0.2); // knows nothing yet
}

void TorchGradientsTest::passesOutOfTurnAreRefused_data()
{
    QTest::addColumn<QList<int>>("kinds");
    QTest::addColumn<QString>("says");
    const auto kinds = [](std::initializer_list<PassKind> list) {
        QList<int> numbers;
        for (const PassKind kind : list)
            numbers << static_cast<int>(kind);
        return numbers;
    };
    using enum PassKind;
    QTest::newRow("B first") << kinds({ B }) << "Pass 0B0 comes before its F";
    QTest::newRow("W before B") << kinds({ F, W }) << "Pass 0W0 comes before its B";
    QTest::newRow("F twice") << kinds({ F, F }) << "Pass 0F0 has run before";
    QTest::newRow("B twice") << kinds({ F, B, B }) << "Pass 0B0 comes after another B";
    QTest::newRow("W after BW") << kinds({ F, BW, W }) << "Pass 0W0 comes before its F, or twice";
}

void TorchGradientsTest::passesOutOfTurnAreRefused()
{
    QFETCH(QList<int>, kinds);
    QFETCH(QString, says);
    TinyRun run(tinyDesign(PlacementKind::Linear, 1, 1, 1));
    run.beginStep(0);
    try {
        for (const int kind : kinds)
            run.run(passOf(0, static_cast<PassKind>(kind), 0));
        QFAIL("nothing was said");
    } catch (const std::logic_error& error) {
        QVERIFY2(QString(error.what()).startsWith(says), error.what());
    }
}

void TorchGradientsTest::case40AMissingWeightPassIsNamedAtTheEndOfTheStep()
{
    // Behind the checks of core, which refuse the schedule.
    TinyRun run(tinyDesign(PlacementKind::Linear, 2, 2, 4));
    auto order = phases(2, 4, PassKind::B);
    std::erase(order, passOf(1, PassKind::W, 2));
    try {
        run.step(0, order);
        QFAIL("nothing was said");
    } catch (const std::logic_error& error) {
        QCOMPARE(QString(error.what()), "Stage 1 ends the step, but micro-batch 2 has had no W.");
    }
}

void TorchGradientsTest::clippingNormIsTheNormOfAllGradients()
{
    TinyRun run(tinyDesign(PlacementKind::Linear, 2, 2, 2));
    run.step(0, phases(2, 2, PassKind::B));
    for (int d = 0; d < 2; ++d) {
        double expected = 0;
        for (const NamedValues& gradient : run.device(d).gradients())
            for (const float value : gradient.values)
                expected += static_cast<double>(value) * static_cast<double>(value);
        const std::vector<StageSums> sums = run.device(d).sums();
        QCOMPARE(sums.size(), 1U);
        QCOMPARE(sums[0].stage, StageId(d));
        QVERIFY(std::abs(sums[0].squaredGradientNorm - expected) < 1e-12 * expected);
        QCOMPARE(sums[0].tokens, d == 1 ? 2 * 2 * 12 : 0);
    }
}

QTEST_APPLESS_MAIN(TorchGradientsTest)
#include "torch_gradients_test.moc"
