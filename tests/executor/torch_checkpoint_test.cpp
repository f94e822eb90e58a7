// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters and moments to files and back.

#include "tests/executor/tiny_model.h"

#include <QtTest>

using namespace pipeloom;
using namespace pipeloom::executor;

class TorchCheckpointTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trainingGoesOnBitForBit_data();
    void trainingGoesOnBitForBit();
    void whatIsDamagedIsRefusedAndNothingChanged_data();
    void whatIsDamagedIsRefusedAndNothingChanged();
    void aMissingFileIsNamed();
    void anotherModelIsRefusedWithItsShapes();
    void aFileThatCannotBeWrittenIsAnError();

private:
    QTemporaryDir folder_;
};

namespace {

/// One file per stage; gives their names.
std::vector<std::string> save(TinyRun& run, const Design& design, const QTemporaryDir& folder)
{
    std::vector<std::string> paths;
    for (int s = 0; s < design.pipeline.stages; ++s) {
        paths.push_back(folder.filePath(QString::number(s)).toStdString());
        const DeviceId device = design.pipeline.deviceOf(StageId(s), RouteId(0));
        if (!run.device(device.value).save(StageId(s), paths.back()).empty())
            throw std::runtime_error("not saved");
    }
    return paths;
}

void train(TinyRun& run, std::int64_t from, std::int64_t to, int stages)
{
    for (std::int64_t step = from; step < to; ++step) {
        run.step(step, phases(stages, 2, PassKind::B));
        run.optimizerStep(step);
    }
}

} // namespace

void TorchCheckpointTest::trainingGoesOnBitForBit_data()
{
    QTest::addColumn<int>("stages");
    QTest::newRow("same cut") << 4;
    QTest::newRow("coarser") << 2;
    QTest::newRow("finer") << 8;
}

void TorchCheckpointTest::trainingGoesOnBitForBit()
{
    QFETCH(int, stages);
    const Design design = tinyDesign(PlacementKind::V, 2, 4, 2);
    TinyRun whole(design);
    train(whole, 0, 2, 4);
    const auto paths = save(whole, design, folder_);
    train(whole, 2, 4, 4);

    TinyRun resumed(tinyDesign(PlacementKind::V, 2, stages, 2));
    for (int d = 0; d < 2; ++d)
        QCOMPARE(resumed.device(d).load(paths), Findings {});
    train(resumed, 2, 4, stages);
    QVERIFY(resumed.parameters() == whole.parameters());
}

void TorchCheckpointTest::whatIsDamagedIsRefusedAndNothingChanged_data()
{
    QTest::addColumn<double>("where"); // share of the file
    QTest::addColumn<int>("keep");     // bytes from there on; -1: turn one bit instead
    for (const double where : { 0.0, 0.001, 0.3, 0.5, 0.999 })
        QTest::addRow("bit at %g", where) << where << -1;
    QTest::newRow("empty") << 0.0 << 0;
    QTest::newRow("cut off in the head") << 0.0 << 20;
    QTest::newRow("cut off in the middle") << 0.5 << 0;
    QTest::newRow("cut off at the end") << 0.9999 << 0;
}

void TorchCheckpointTest::whatIsDamagedIsRefusedAndNothingChanged()
{
    QFETCH(double, where);
    QFETCH(int, keep);
    const Design design = tinyDesign(PlacementKind::Linear, 2, 2, 2);
    TinyRun run(design);
    const auto paths = save(run, design, folder_);
    train(run, 0, 1, 2);
    const auto before = run.parameters();

    QFile file(QString::fromStdString(paths[1]));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    const auto at = static_cast<qsizetype>(where * static_cast<double>(bytes.size() - 1));
    if (keep < 0) {
        bytes[at] = static_cast<char>(bytes[at] ^ 4);
        file.seek(0);
        file.write(bytes);
    } else {
        QVERIFY(file.resize(at + keep));
    }
    file.close();
    const Findings findings = run.device(1).load(paths);
    QCOMPARE(findings.size(), 1U);
    QCOMPARE(findings[0].rule, "checkpoint/damaged");
    QVERIFY(findings[0].message.find(paths[1]) != std::string::npos);
    QVERIFY(run.parameters() == before);
}

void TorchCheckpointTest::aMissingFileIsNamed()
{
    const Design design = tinyDesign(PlacementKind::Linear, 2, 2, 2);
    TinyRun run(design);
    auto paths = save(run, design, folder_);
    const Findings unreadable = run.device(0).load(std::vector<std::string> { paths[0], "/nowhere/stage" });
    QCOMPARE(unreadable.at(0).rule, "file/unreadable");
    const Findings missing = run.device(1).load(std::vector<std::string> { paths[0] });
    QCOMPARE(missing.at(0).rule, "checkpoint/missing");
    QVERIFY(missing.at(0).message.find("`layer") != std::string::npos);
}

void TorchCheckpointTest::anotherModelIsRefusedWithItsShapes()
{
    Design design = tinyDesign(PlacementKind::Linear, 2, 2, 2);
    TinyRun run(design);
    const auto paths = save(run, design, folder_);
    design.model->hidden = 32;
    TinyRun wider(design);
    const auto before = wider.parameters();
    const Findings findings = wider.device(0).load(paths);
    QCOMPARE(findings.at(0).rule, "checkpoint/shape");
    QCOMPARE(findings.at(0).message, "`embedding` is 256 x 16 in the checkpoint and 256 x 32 in the model.");
    QVERIFY(wider.parameters() == before);
}

void TorchCheckpointTest::aFileThatCannotBeWrittenIsAnError()
{
    TinyRun run(tinyDesign(PlacementKind::Linear, 2, 2, 2));
    QVERIFY(hasErrors(run.device(0).save(StageId(0), "/nowhere/stage 0")));
    QVERIFY(hasErrors(run.device(0).save(StageId(0), "/dev/full")));
}

QTEST_APPLESS_MAIN(TorchCheckpointTest)
#include "torch_checkpoint_test.moc"
