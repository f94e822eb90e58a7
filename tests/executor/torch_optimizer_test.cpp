// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// AdamW against the same by hand, in double.

#include "tests/executor/tiny_model.h"

#include <QtTest>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::executor;

class TorchOptimizerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threeStepsAreThoseOfAdamW_data();
    void threeStepsAreThoseOfAdamW();
    void gradientsAreClearedAfterwards();
    void aRateOfNothingChangesNothing();
};

namespace {

/// Loshchilov and Hutter, arXiv 1711.05101, algorithm 2; beta 0.9 and 0.95, epsilon 1e-8.
struct ByHand {
    std::map<std::string, std::vector<double>> value;
    std::map<std::string, std::vector<double>> first;
    std::map<std::string, std::vector<double>> second;

    explicit ByHand(const TinyRun::ValuesByName& parameters)
    {
        for (const auto& [name, values] : parameters) {
            value[name].assign(values.begin(), values.end());
            first[name].resize(values.size());
            second[name].resize(values.size());
        }
    }

    void step(const TinyRun::ValuesByName& gradients, const TrainingSettings& training, std::int64_t step, double scale)
    {
        const double rate = learningRate(training, step);
        const auto t = static_cast<double>(step + 1);
        for (const auto& [name, gradient] : gradients) {
            const double decay = name.find("norm") != std::string::npos ? 0 : training.weightDecay;
            for (std::size_t i = 0; i < gradient.size(); ++i) {
                const double g = scale * static_cast<double>(gradient[i]);
                double& m = first[name][i];
                double& v = second[name][i];
                double& x = value[name][i];
                m = 0.9 * m + 0.1 * g;
                v = 0.95 * v + 0.05 * g * g;
                const double direction = m / (1 - std::pow(0.9, t)) / (std::sqrt(v / (1 - std::pow(0.95, t))) + 1e-8);
                x -= rate * (direction + decay * x);
            }
        }
    }
};

} // namespace

void TorchOptimizerTest::threeStepsAreThoseOfAdamW_data()
{
    QTest::addColumn<double>("weightDecay");
    QTest::addColumn<double>("scale");
    QTest::newRow("plain") << 0.0 << 1.0;
    QTest::newRow("decayed") << 0.3 << 1.0;
    QTest::newRow("clipped") << 0.0 << 0.25;
}

void TorchOptimizerTest::threeStepsAreThoseOfAdamW()
{
    QFETCH(double, weightDecay);
    QFETCH(double, scale);
    Design design = tinyDesign(PlacementKind::Linear, 2, 2, 2);
    design.training->weightDecay = weightDecay;
    design.training->learningRate = 0.01;
    design.training->warmup = 2;
    TinyRun run(design);
    ByHand hand(run.parameters());
    for (std::int64_t step = 0; step < 3; ++step) {
        run.step(step, phases(2, 2, PassKind::B));
        hand.step(run.gradients(), run.setup().training, step, scale);
        run.optimizerStep(step, scale);
    }
    for (const auto& [name, values] : run.parameters())
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double expected = hand.value[name][i];
            QVERIFY2(std::abs(static_cast<double>(values[i]) - expected) < 3e-6,
                qPrintable(QString("%1: %2 instead of %3").arg(name.c_str()).arg(values[i]).arg(expected)));
        }
}

void TorchOptimizerTest::gradientsAreClearedAfterwards()
{
    TinyRun run(tinyDesign(PlacementKind::Linear, 2, 2, 2));
    run.step(0, phases(2, 2, PassKind::B));
    run.optimizerStep(0);
    for (const auto& [name, values] : run.gradients())
        QVERIFY(std::ranges::all_of(values, [](float x) { return x == 0; }));
}

void TorchOptimizerTest::aRateOfNothingChangesNothing()
{
    Design design = tinyDesign(PlacementKind::Linear, 2, 2, 2);
    design.training->learningRate = 0;
    TinyRun run(design);
    const auto before = run.parameters();
    run.step(0, phases(2, 2, PassKind::B));
    run.optimizerStep(0);
    QVERIFY(run.parameters() == before);
}

QTEST_APPLESS_MAIN(TorchOptimizerTest)
#include "torch_optimizer_test.moc"
