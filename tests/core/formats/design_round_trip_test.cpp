// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_file.h"
#include "core/formats/pass_rows.h"
#include "core/plan/plan.h"
#include "tests/support/random_design.h"
#include "tests/support/sanitizers.h"
#include "tests/support/torch_reference.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace pipeloom;

namespace {

std::string bytesOf(const std::filesystem::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::filesystem::path example(const std::string& name)
{
    return std::filesystem::path(PIPELOOM_SOURCE_DIR "/resources/designs") / (name + ".pipeloom.json");
}

QByteArray listed(const Findings& findings)
{
    std::string lines;
    for (const Finding& finding : findings)
        lines += text(finding) + " at " + (finding.where.empty() ? "" : finding.where.front().pointer) + "\n";
    return QByteArray::fromStdString(lines);
}

/// FORMAT.md's V-Half, character by character.
constexpr const char* vHalf = R"({
  "pipeloom": 1,
  "name": "V-Half",
  "pipeline": { "devices": 4, "stages": 8, "micro_batches": 8, "placement": "v" },
  "block": {
    "interval": 6,
    "rows": [
      "0F@0 7F@11 7B@15 7W@16 0B@25 0W@26",
      "1F@2 6F@10 6B@17 6W@19 1B@24 1W@27",
      "2F@4 5F@9 5B@19 5W@20 2B@23 2W@24",
      "3F@6 4F@8 4B@21 3B@22 4W@23 3W@25"
    ]
  },
  "reorder": { "rule": "all" }
}
)";

} // namespace

class DesignRoundTripTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void vHalfOfTheFormatComesBackByteByByte();
    void everyExampleIsCanonical_data();
    void everyExampleIsCanonical();
    void everyExampleRuns_data();
    void everyExampleRuns();
    void dualPipeVIsPyTorchsOrder();
    void whatIsWrittenReadsBackTheSame();
    void writtenTextIsAFixedPoint();
    void legalRandomDesignsAreAccepted();
};

void DesignRoundTripTest::vHalfOfTheFormatComesBackByteByByte()
{
    const ReadDesign read = readDesign(vHalf);
    QVERIFY2(read.design.has_value(), listed(read.findings));
    QVERIFY(read.findings.empty());
    QCOMPARE(writeDesign(*read.design), std::string(vHalf));
    QCOMPARE(bytesOf(example("v-half")), std::string(vHalf));
}

void DesignRoundTripTest::everyExampleIsCanonical_data()
{
    QTest::addColumn<QString>("path");
    for (const auto& entry : std::filesystem::directory_iterator(PIPELOOM_SOURCE_DIR "/resources/designs"))
        QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
}

void DesignRoundTripTest::everyExampleIsCanonical()
{
    QFETCH(QString, path);
    const ReadDesign read = loadDesign(path.toStdString());
    QVERIFY2(read.design.has_value(), listed(read.findings));
    QVERIFY2(read.findings.empty(), listed(read.findings));
    QCOMPARE(writeDesign(*read.design), bytesOf(path.toStdString()));
}

void DesignRoundTripTest::everyExampleRuns_data()
{
    QTest::addColumn<qlonglong>("step");
    // Steps: two-routes FORMAT.md; 1f1b (m + p - 1) * 3; chimera SCHEDULES.md 2.1; dualpipev torch.json's makespan_atomic;
    // v-half SCHEDULES.md 3.1, 9.43 % of 53; the others by this simulator.
    QTest::newRow("two-routes") << 6LL;
    QTest::newRow("two-in-a-block") << 27LL;
    QTest::newRow("1f1b") << 33LL;
    QTest::newRow("v-half") << 53LL;
    QTest::newRow("chimera") << 16LL;
    QTest::newRow("dualpipev") << 54LL;
    QTest::newRow("wide-middle") << 3166LL;
}

void DesignRoundTripTest::everyExampleRuns()
{
    QFETCH(qlonglong, step);
    const ReadDesign read = loadDesign(example(QTest::currentDataTag()).string());
    QVERIFY2(read.design.has_value(), listed(read.findings));
    const Plan made = plan(*read.design);
    QVERIFY2(made.ok(), listed(made.findings));
    QCOMPARE(static_cast<qlonglong>(made.metrics.makespan()), step);
}

void DesignRoundTripTest::dualPipeVIsPyTorchsOrder()
{
    const ReadDesign read = loadDesign(example("dualpipev").string());
    QVERIFY2(read.design.has_value(), listed(read.findings));
    for (const test::TorchSchedule& torch : test::torchSchedules())
        if (torch.name == "DualPipeV m8 pp4")
            QCOMPARE(formats::rowsOf(*read.design->schedule()), formats::rowsOf(torch.schedule));
}

void DesignRoundTripTest::whatIsWrittenReadsBackTheSame()
{
    const int designs = test::sanitized ? 300 : 3000;
    for (int seed = 0; seed < designs; ++seed) {
        test::Random random(static_cast<std::uint64_t>(seed));
        Design design = test::randomDesign(random);
        const std::string text = writeDesign(design);
        const ReadDesign read = readDesign(text);
        QVERIFY2(read.design.has_value(),
            QByteArray::number(seed) + ": " + listed(read.findings) + QByteArray::fromStdString(text));
        if (auto* block = std::get_if<BuildingBlock>(&design.plan))
            formats::sortForRows(block->passes);
        QVERIFY2(*read.design == design, QByteArray::number(seed) + ":\n" + QByteArray::fromStdString(text));
    }
}

void DesignRoundTripTest::writtenTextIsAFixedPoint()
{
    for (int seed = 0; seed < 300; ++seed) {
        test::Random random(static_cast<std::uint64_t>(seed) + 100'000);
        const std::string text = writeDesign(test::randomDesign(random));
        const ReadDesign read = readDesign(text);
        QVERIFY(read.design.has_value());
        QCOMPARE(writeDesign(*read.design), text);
    }
}

/// The generator's promise to all other property tests.
void DesignRoundTripTest::legalRandomDesignsAreAccepted()
{
    const int designs = test::sanitized ? 200 : 2000;
    for (int seed = 0; seed < designs; ++seed) {
        test::Random random(static_cast<std::uint64_t>(seed));
        Design design
            = test::randomLegalDesign(random, seed % 2 == 0 ? test::DesignKind::Block : test::DesignKind::Schedule);
        for (auto& limit : design.memory.limit)
            limit.reset();
        design.network.queue = QueueModel::Directed;
        const Plan made = plan(design);
        const QByteArray shown
            = QByteArray::number(seed) + ": " + listed(made.findings) + QByteArray::fromStdString(writeDesign(design));
        QVERIFY2(made.ok(), shown);
        QVERIFY2(made.simulated(), shown);
    }
}

QTEST_APPLESS_MAIN(DesignRoundTripTest)
#include "design_round_trip_test.moc"
