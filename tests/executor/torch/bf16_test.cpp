// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Training in bf16: what is rounded, what stays in fp32, and that it is the same model.

#include "executor/torch/stage.h"
#include "tests/executor/tiny_model.h"

#include <ATen/ATen.h>
#include <QTest>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::executor;

class Bf16Test : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOrderGivesTheGradientsOfTheUnpipelinedModel_data();
    void everyOrderGivesTheGradientsOfTheUnpipelinedModel();
    void aMissingMicroBatchIsBeyondTheTolerance();
    void messagesTakeHalfTheBytes();
    void onlyMatricesHaveARoundedCopy();
    void changesTooSmallForBf16AddUpInTheWeights();
    void gradientsOfManyMicroBatchesAddUpInFp32();
    void lossesAreNearThoseOfFp32();
    void passesHoldWhatTheDryPassSays();
    void aCheckpointGoesOnBitForBit();
};

namespace {

Design design(int devices, int stages, int microBatches, Precision precision = Precision::Bf16)
{
    Design made = tinyDesign(PlacementKind::V, devices, stages, microBatches);
    made.training->precision = precision;
    return made;
}

std::vector<double> losses(Precision precision, int steps)
{
    Design made = design(2, 2, 4, precision);
    made.training->learningRate = 0.01;
    TinyRun run(made);
    std::vector<double> all;
    for (int step = 0; step < steps; ++step) {
        all.push_back(run.step(step, phases(2, 4, PassKind::B)) / static_cast<double>(run.setup().tokensPerStep()));
        run.optimizerStep(step);
    }
    return all;
}

} // namespace

void Bf16Test::everyOrderGivesTheGradientsOfTheUnpipelinedModel_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 6; ++seed)
        QTest::addRow("order %u", seed) << seed;
}

void Bf16Test::everyOrderGivesTheGradientsOfTheUnpipelinedModel()
{
    QFETCH(unsigned, seed);
    TinyRun run(design(2, 4, 5));
    const double loss = run.step(0, anyOrder(4, 5, seed));
    const Verification result = verify(run.setup(), 0, run.devices(), loss);
    QCOMPARE(result.tolerance, 0x1p-7);
    QVERIFY2(result.ok(), qPrintable(QString("%1 at %2").arg(result.worst).arg(result.parameter.c_str())));
    QVERIFY(result.loss > 4 && result.loss < 7); // ln 256 = 5.5
}

void Bf16Test::aMissingMicroBatchIsBeyondTheTolerance()
{
    // Micro-batch 0 of 16 twice, as if it had come in the place of 1: every gradient keeps its size.
    TinyRun run(design(1, 1, 16));
    run.beginStep(0);
    for (int j = 0; j < 16; ++j)
        for (const PassKind kind : { PassKind::F, PassKind::BW })
            run.run(passOf(0, kind, j == 1 ? 0 : j));
    const Verification result = verify(run.setup(), 0, run.devices(), run.device(0).sums().at(0).lossSum);
    QVERIFY(!result.ok());
    QVERIFY(run.gradients().contains(result.parameter));
    QVERIFY(result.worst > 4 * result.tolerance);
}

void Bf16Test::messagesTakeHalfTheBytes()
{
    const Design half = design(2, 2, 1);
    TinyRun run(half);
    QCOMPARE(run.setup().messageBytes(), Bytes { 2 } * 2 * 12 * 16);
    QCOMPARE(2 * run.setup().messageBytes(), tinySetup(design(2, 2, 1, Precision::Fp32)).messageBytes());
    run.beginStep(0);
    const Payload activation = run.device(0).run(passOf(0, PassKind::F, 0), {});
    QCOMPARE(activation.bytes, run.setup().messageBytes());
    QVERIFY(static_cast<at::Tensor*>(activation.tensor.get())->scalar_type() == at::kBFloat16);
    static_cast<void>(run.device(1).run(passOf(1, PassKind::F, 0), activation));
    const Payload gradient = run.device(1).run(passOf(1, PassKind::BW, 0), {});
    QCOMPARE(gradient.bytes, run.setup().messageBytes());
}

void Bf16Test::onlyMatricesHaveARoundedCopy()
{
    const ModelSetup setup = tinySetup(design(1, 1, 1));
    const auto account = std::make_shared<MemoryAccount>();
    Stage stage(setup, StageId(0), account);
    for (const Parameter& parameter : stage.parameters()) {
        const bool isMatrix
            = parameter.plan.kind == ParameterKind::Matrix || parameter.plan.kind == ParameterKind::ResidualMatrix;
        QVERIFY(parameter.value.scalar_type() == at::kFloat);
        QVERIFY(parameter.gradient.scalar_type() == at::kFloat);
        QCOMPARE(parameter.working.scalar_type() == at::kBFloat16, isMatrix);
        QVERIFY(parameter.working.equal(parameter.value.to(parameter.working.scalar_type())));
    }
    // 8 layers of 12 hidden^2 and the head have copies of two bytes each.
    const Bytes matrices = 8 * 12 * 16 * 16 + 256 * 16;
    const Bytes fp32 = tinySetup(design(1, 1, 1, Precision::Fp32)).staticBytes(StageId(0));
    QCOMPARE(setup.staticBytes(StageId(0)), fp32 + 2 * matrices);
    QCOMPARE(account->live().total, setup.staticBytes(StageId(0)));
}

void Bf16Test::changesTooSmallForBf16AddUpInTheWeights()
{
    // A step of 1e-6 is nothing beside a weight of 0.02 in bf16, whose last bit is worth 1e-4 there.
    Design slow = design(1, 1, 1);
    slow.training->learningRate = 1e-6;
    TinyRun run(slow);
    const auto before = run.parameters();
    for (int step = 0; step < 3; ++step) {
        run.step(step, phases(1, 1, PassKind::BW));
        run.optimizerStep(step);
    }
    const auto after = run.parameters();
    std::size_t changed = 0;
    std::size_t all = 0;
    for (const auto& [name, values] : before)
        for (std::size_t i = 0; i < values.size(); ++i, ++all)
            changed += values[i] != after.at(name)[i] ? 1 : 0;
    QVERIFY2(changed > all / 2, qPrintable(QString("%1 of %2").arg(changed).arg(all)));
}

void Bf16Test::gradientsOfManyMicroBatchesAddUpInFp32()
{
    // In bf16 a sum of 512 stops growing at 256 times its parts.
    Parameter weight;
    weight.plan.shape = { 1, 1 };
    weight.value = at::zeros({ 1, 1 }, at::kFloat);
    weight.gradient = at::zeros({ 1, 1 }, at::kFloat);
    WeightGradients gradients;
    const auto one = at::ones({ 1, 1 }, at::kBFloat16);
    for (int j = 0; j < 512; ++j)
        gradients.addLinear(weight, one, one);
    gradients.accumulate();
    QCOMPARE(weight.gradient.item<float>(), 512.0F);
}

void Bf16Test::lossesAreNearThoseOfFp32()
{
    const auto half = losses(Precision::Bf16, 30);
    const auto full = losses(Precision::Fp32, 30);
    QVERIFY(half.back() < 0.7 * half.front());
    for (std::size_t i = 0; i < half.size(); ++i)
        QVERIFY2(std::abs(half[i] / full[i] - 1) < 0.02,
            qPrintable(QString("step %1: %2, in fp32 %3").arg(i).arg(half[i]).arg(full[i])));
    QVERIFY(half != full);
}

void Bf16Test::passesHoldWhatTheDryPassSays()
{
    const Design made = design(2, 4, 4);
    TinyRun run(made);
    const MemoryModel memory = measureMemory(run.setup(), made.pipeline, made.memory);
    const MemoryModel full = measureMemory(tinySetup(design(2, 4, 4, Precision::Fp32)), made.pipeline, made.memory);
    constexpr auto activations = static_cast<std::size_t>(MemoryClass::Activations);
    std::array<Bytes, 2> level {};
    run.beginStep(0);
    for (const Pass& pass : anyOrder(4, 4, 3)) {
        const auto number = made.pipeline.deviceOf(pass).index();
        run.run(pass);
        level.at(number) += memory.change.of(pass.kind, pass.stage);
        QCOMPARE(run.device(static_cast<int>(number)).memoryNow().byClass[activations], level.at(number));
    }
    // The inner stages' activations are all in bf16, but for what norms and attention keep by row.
    const auto ratio = static_cast<double>(memory.change.of(PassKind::F, StageId(1)))
        / static_cast<double>(full.change.of(PassKind::F, StageId(1)));
    QVERIFY2(ratio > 0.5 && ratio < 0.56, qPrintable(QString::number(ratio)));
}

void Bf16Test::aCheckpointGoesOnBitForBit()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("stage").toStdString();
    const auto train = [](TinyRun& run, int from, int to) {
        for (int step = from; step < to; ++step) {
            run.step(step, phases(1, 2, PassKind::B));
            run.optimizerStep(step);
        }
    };
    TinyRun whole(design(1, 1, 2));
    train(whole, 0, 2);
    QCOMPARE(whole.device(0).save(StageId(0), path), Findings {});
    train(whole, 2, 4);
    TinyRun resumed(design(1, 1, 2));
    QCOMPARE(resumed.device(0).load(std::array { path }), Findings {});
    train(resumed, 2, 4);
    QVERIFY(resumed.parameters() == whole.parameters());
}

QTEST_APPLESS_MAIN(Bf16Test)
#include "bf16_test.moc"
