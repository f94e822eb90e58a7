// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// What a design makes of the model: cut, parameters, batches, settings, and what is refused.

#include "executor/model/batch.h"
#include "executor/model/parameters.h"
#include "tests/executor/tiny_model.h"

#include <QtTest>

#include <cmath>
#include <numeric>
#include <set>

using namespace pipeloom;
using namespace pipeloom::executor;

class ModelSetupTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatCannotBeTrainedIsRefused_data();
    void whatCannotBeTrainedIsRefused();
    void refusalsAreWholeSentencesWithTheNumbers();
    void everySettingHasItsDefaultAndCanBeSet();
    void theDefaultModelHasTheSameLayersInEveryStage();
    void case35LayersAreCutEvenlyAndNoStageIsEmpty_data();
    void case35LayersAreCutEvenlyAndNoStageIsEmpty();
    void aHeavyHeadTakesLayersFromItsStage();
    void cutsAreBestPossible();
    void parametersAreNamedOnceAndLiveInTheirLayersStage();
    void firstValuesDependOnSeedAndNameOnly();
    void firstValuesAreNormal();
    void batchesDependOnSeedStepAndMicroBatch();
    void targetsFollowTheirTokens();
    void textOfExactlyOneSequenceServes();
    void filesAreReadOneAfterAnother();
    void learningRateWarmsUpAndDecays();
};

namespace {

using Change = std::function<void(Design&, ModelOptions&)>;

SetupResult setupWith(const Change& change)
{
    Design design = tinyDesign(PlacementKind::Linear, 4, 4, 4);
    ModelOptions options;
    options.data = { tinyTextFile() };
    change(design, options);
    return setup(design, options);
}

std::string fileWith(const QByteArray& bytes)
{
    static const QTemporaryDir folder;
    static int number = 0;
    QFile file(folder.filePath(QString::number(number++)));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        throw std::runtime_error("cannot write");
    return file.fileName().toStdString();
}

Model modelOf(int layers, int hidden = 64)
{
    return { .layers = layers, .hidden = hidden, .heads = 1, .sequence = 64, .microBatchSize = 1, .vocabulary = 256 };
}

} // namespace

Q_DECLARE_METATYPE(Change)

void ModelSetupTest::whatCannotBeTrainedIsRefused_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<Change>("change");
    const auto row
        = [](const char* name, const char* rule, Change change) { QTest::newRow(name) << QString(rule) << change; };
    row("fewer layers than stages", "model/layers", [](Design& d, auto&) { d.model->layers = 3; });
    row("heads", "model/heads", [](Design& d, auto&) { d.model->heads = 3; });
    row("no layers", "model/range", [](Design& d, auto&) { d.model->layers = 0; });
    row("negative", "model/range", [](Design& d, auto&) { d.model->hidden = -16; });
    row("enormous", "model/range", [](Design& d, auto&) { d.model->sequence = 2'000'000'000; });
    row("too much memory", "model/memory", [](Design& d, auto&) {
        d.model->hidden = 65536;
        d.model->layers = 65536;
    });
    row("cut too short", "training/layers-per-stage", [](Design& d, auto&) { d.training->layersPerStage = { 4, 4 }; });
    row("cut leaves one empty", "training/layers-per-stage", [](Design& d, auto&) {
        d.training->layersPerStage = { 4, 4, 0, 0 };
    });
    row("cut of another sum", "training/layers-per-stage", [](Design& d, auto&) {
        d.training->layersPerStage = { 2, 2, 2, 1 };
    });
    row("evaluate", "training/evaluate", [](Design& d, auto&) { d.training->evaluateEvery = 10; });
    row("no steps", "training/range", [](Design&, ModelOptions& o) { o.steps = 0; });
    row("rate", "training/range", [](Design& d, auto&) { d.training->learningRate = -1; });
    row("not a number", "training/range", [](Design& d, auto&) { d.training->clip = std::nan(""); });
    row("no text", "data/none", [](Design&, ModelOptions& o) { o.data.clear(); });
    row("no such file", "file/unreadable", [](Design&, ModelOptions& o) { o.data = { "/nowhere/at all" }; });
    row("a folder", "file/unreadable", [](Design&, ModelOptions& o) { o.data = { "/tmp" }; });
    row("empty", "data/short", [](Design&, ModelOptions& o) { o.data = { fileWith("") }; });
    row("short", "data/short", [](Design&, ModelOptions& o) { o.data = { fileWith("twelve bytes") }; });
    row("beyond vocabulary", "data/vocabulary", [](Design& d, auto&) { d.model->vocabulary = 40; });
}

void ModelSetupTest::whatCannotBeTrainedIsRefused()
{
    QFETCH(QString, rule);
    QFETCH(Change, change);
    const SetupResult result = setupWith(change);
    QVERIFY(!result.setup);
    QVERIFY(hasErrors(result.findings));
    QCOMPARE(QString::fromStdString(result.findings.front().rule), rule);
    QVERIFY(!result.findings.front().remedy.empty());
}

void ModelSetupTest::refusalsAreWholeSentencesWithTheNumbers()
{
    const SetupResult few = setupWith([](Design& d, auto&) { d.model->layers = 3; });
    QCOMPARE(few.findings.front().message,
        "The model has 3 layers, but the pipeline has 4 stages, and no stage may be empty.");
    QCOMPARE(few.findings.front().where.front().pointer, "/model/layers");

    const std::string path = fileWith("twelve bytes");
    const SetupResult shortText = setupWith([&](Design&, ModelOptions& o) { o.data = { path }; });
    QCOMPARE(
        shortText.findings.front().message, "The text (" + path + ") has 12 bytes; a sequence of 12 tokens needs 13.");
}

void ModelSetupTest::everySettingHasItsDefaultAndCanBeSet()
{
    const SetupResult plain = setupWith([](auto&, auto&) {});
    QCOMPARE(plain.setup->training, TrainingSettings {});
    QVERIFY(!plain.setup->defaultModel);

    const SetupResult set = setupWith([](Design& d, ModelOptions& o) {
        d.training = Training { .steps = 7,
            .seed = 8,
            .learningRate = 0.5,
            .warmup = 3,
            .decay = 4,
            .weightDecay = 0,
            .clip = 0,
            .accumulate = 1,
            .precision = Precision::Fp32,
            .evaluateEvery = 0,
            .checkpointEvery = 2,
            .layersPerStage = {},
            .data = { "overridden" } };
        o.seed = 9;
    });
    QVERIFY(set.setup);
    const TrainingSettings expected { .steps = 7,
        .seed = 9,
        .learningRate = 0.5,
        .warmup = 3,
        .decay = 4,
        .weightDecay = 0,
        .clip = 0,
        .checkpointEvery = 2 };
    QCOMPARE(set.setup->training, expected);
}

void ModelSetupTest::theDefaultModelHasTheSameLayersInEveryStage()
{
    for (const int stages : { 1, 2, 3, 8, 9, 64 }) {
        Design design = tinyDesign(PlacementKind::Linear, stages, stages, 1);
        design.model.reset();
        const ModelSetup setup = tinySetup(design);
        QVERIFY(setup.defaultModel);
        QVERIFY(setup.model.layers >= 8);
        QCOMPARE(setup.layersPerStage.size(), static_cast<std::size_t>(stages));
        const auto [least, most] = std::ranges::minmax(setup.layersPerStage);
        QCOMPARE(least, most);
    }
}

void ModelSetupTest::case35LayersAreCutEvenlyAndNoStageIsEmpty_data()
{
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::newRow("5 into 4") << 5 << 4 << 1 << 2;
    QTest::newRow("42 into 16") << 42 << 16 << 2 << 3;
    QTest::newRow("8 into 4") << 8 << 4 << 2 << 2;
    QTest::newRow("4 into 4") << 4 << 4 << 1 << 1;
    QTest::newRow("7 into 1") << 7 << 1 << 7 << 7;
}

void ModelSetupTest::case35LayersAreCutEvenlyAndNoStageIsEmpty()
{
    QFETCH(int, layers);
    QFETCH(int, stages);
    QFETCH(int, least);
    QFETCH(int, most);
    const std::vector<std::int32_t> parts = cut(modelOf(layers), stages);
    QCOMPARE(parts.size(), static_cast<std::size_t>(stages));
    QCOMPARE(std::accumulate(parts.begin(), parts.end(), 0), layers);
    QCOMPARE(std::ranges::min(parts), least);
    QCOMPARE(std::ranges::max(parts), most);
}

void ModelSetupTest::aHeavyHeadTakesLayersFromItsStage()
{
    // A head of 8000 x 64 costs about as much as ten layers.
    Model model = modelOf(28);
    model.vocabulary = 8000;
    const std::vector<std::int32_t> parts = cut(model, 4);
    QCOMPARE(parts, (std::vector<std::int32_t> { 9, 9, 9, 1 }));
}

void ModelSetupTest::cutsAreBestPossible()
{
    // Against all cuts of 9 layers into 3 stages, for heads from nothing to several layers; costs as in cut.cpp's
    // header comment: a layer is 24 h^2 + 2 s h, the embedding 4 h, the head 2 v h.
    for (const int vocabulary : { 1, 256, 700, 2000, 4000 }) {
        Model model = modelOf(9);
        model.vocabulary = vocabulary;
        const double h = model.hidden;
        const double layer = 24 * h * h + 2 * model.sequence * h;
        const auto highest = [&](int a, int b, int c) {
            return std::max({ a * layer + 4 * h, b * layer, c * layer + 2.0 * vocabulary * h });
        };
        double best = 1e300;
        for (int a = 1; a <= 7; ++a)
            for (int b = 1; a + b <= 8; ++b)
                best = std::min(best, highest(a, b, 9 - a - b));
        const std::vector<std::int32_t> parts = cut(model, 3);
        QCOMPARE(highest(parts[0], parts[1], parts[2]), best);
    }
}

void ModelSetupTest::parametersAreNamedOnceAndLiveInTheirLayersStage()
{
    const ModelSetup setup = tinySetup(tinyDesign(PlacementKind::Linear, 3, 3, 1));
    std::set<std::string> names;
    for (const ParameterPlan& plan : setup.parameters)
        QVERIFY(names.insert(plan.name).second);
    QCOMPARE(names.size(), std::size_t { 8 * 6 + 4 });
    const auto stageOf = [&](const std::string& name) {
        return std::ranges::find(setup.parameters, name, &ParameterPlan::name)->stage;
    };
    QCOMPARE(stageOf("embedding"), StageId(0));
    QCOMPARE(stageOf("layer 0 qkv"), StageId(0));
    QCOMPARE(stageOf("layer " + std::to_string(setup.layersPerStage[0]) + " mlp in"), StageId(1));
    QCOMPARE(stageOf("layer 7 mlp out"), StageId(2));
    QCOMPARE(stageOf("head"), StageId(2));
}

void ModelSetupTest::firstValuesDependOnSeedAndNameOnly()
{
    const auto values = [](int stages, std::int64_t seed) {
        Design design = tinyDesign(PlacementKind::Linear, stages, stages, 1);
        design.training->seed = seed;
        return TinyRun(design).parameters();
    };
    const auto whole = values(1, 5);
    QVERIFY(values(4, 5) == whole);
    QVERIFY(values(8, 5) == whole);
    QVERIFY(values(4, 6) != whole);
    QVERIFY(whole.at("layer 0 qkv") != whole.at("layer 1 qkv"));
    QVERIFY(std::ranges::all_of(whole.at("layer 3 first norm"), [](float x) { return x == 1; }));
}

void ModelSetupTest::firstValuesAreNormal()
{
    const ModelSetup setup = tinySetup(tinyDesign(PlacementKind::Linear, 1, 1, 1));
    const auto deviation = [&](ParameterKind kind) {
        std::vector<float> values(20'001);
        fillFirstValues(values, { "some name", StageId(0), kind, { 20'001 } }, setup);
        double sum = 0;
        double squares = 0;
        for (const double value : values) {
            sum += value;
            squares += value * value;
        }
        const double count = 20'001;
        // The mean's own deviation is 0.02 / sqrt(20,001).
        return std::abs(sum / count) < 5 * 0.02 / std::sqrt(count) ? std::sqrt(squares / count) : -1;
    };
    QVERIFY(std::abs(deviation(ParameterKind::Matrix) / 0.02 - 1) < 0.03);
    QVERIFY(std::abs(deviation(ParameterKind::ResidualMatrix) / (0.02 / 4) - 1) < 0.03); // sqrt(2 * 8 layers) = 4
}

void ModelSetupTest::batchesDependOnSeedStepAndMicroBatch()
{
    ModelSetup setup = tinySetup(tinyDesign(PlacementKind::Linear, 2, 2, 2));
    const auto tokens = [&](std::int64_t step, int j) { return batch(setup, step, MicroBatch(j)).tokens; };
    const auto first = tokens(3, 1);
    QCOMPARE(tokens(3, 1), first);
    QVERIFY(tokens(3, 0) != first);
    QVERIFY(tokens(4, 1) != first);
    setup.stages = 7;
    setup.layersPerStage = {};
    QCOMPARE(tokens(3, 1), first);
    setup.training.seed = 2;
    QVERIFY(tokens(3, 1) != first);
}

void ModelSetupTest::targetsFollowTheirTokens()
{
    const ModelSetup setup = tinySetup(tinyDesign(PlacementKind::Linear, 2, 2, 2));
    const Batch some = batch(setup, 0, MicroBatch(1));
    QCOMPARE(some.tokens.size(), std::size_t { 2 * 12 });
    for (std::size_t row = 0; row < 2; ++row) {
        const std::string piece(some.tokens.begin() + static_cast<std::ptrdiff_t>(row * 12),
            some.tokens.begin() + static_cast<std::ptrdiff_t>(row * 12 + 12));
        const std::string next(some.targets.begin() + static_cast<std::ptrdiff_t>(row * 12),
            some.targets.begin() + static_cast<std::ptrdiff_t>(row * 12 + 12));
        QCOMPARE(piece.substr(1), next.substr(0, 11));
        QVERIFY(setup.text->find(piece + next.back()) != std::string::npos);
    }
}

void ModelSetupTest::textOfExactlyOneSequenceServes()
{
    const SetupResult result = setupWith(
        [](Design&, ModelOptions& o) { o.data = { fileWith(QByteArray("thirteen byte").append('\xff').right(13)) }; });
    QVERIFY(result.setup);
    const Batch only = batch(*result.setup, 0, MicroBatch(0));
    QCOMPARE(only.tokens.front(), std::int64_t { 'h' });
    QCOMPARE(only.targets.back(), std::int64_t { 255 });
}

void ModelSetupTest::filesAreReadOneAfterAnother()
{
    const SetupResult result = setupWith([](Design&, ModelOptions& o) {
        o.data = { fileWith("first, "), fileWith("and second") };
    });
    QCOMPARE(*result.setup->text, "first, and second");
}

void ModelSetupTest::learningRateWarmsUpAndDecays()
{
    const TrainingSettings constant { .learningRate = 2 };
    QCOMPARE(learningRate(constant, 0), 2.0);
    QCOMPARE(learningRate(constant, 1'000'000), 2.0);
    const TrainingSettings both { .learningRate = 2, .warmup = 4, .decay = 10 };
    QCOMPARE(learningRate(both, 0), 0.5);
    QCOMPARE(learningRate(both, 3), 2.0);
    QCOMPARE(learningRate(both, 4), 2.0);
    QCOMPARE(learningRate(both, 9), 1.1); // half-way from 2 to 0.2
    QCOMPARE(learningRate(both, 14), 0.2);
    QCOMPARE(learningRate(both, 1000), 0.2);
}

QTEST_APPLESS_MAIN(ModelSetupTest)
#include "model_setup_test.moc"
