// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/canonical_json.h"
#include "core/formats/design_file.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <string>

using namespace pipeloom;

namespace {

using Numbers = std::vector<std::int64_t>;

Design twoStages() { return emptyDesign(pipeline(PlacementKind::Linear, 2, 2, 3)); }

bool writes(const Design& design, const std::string& words)
{
    return writeDesign(design).find(words) != std::string::npos;
}

} // namespace

class DesignWriterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaultsAreLeftOut();
    void whatIsTheSameForAllStagesIsWrittenOnce();
    void sumsOfFusedBackwardAreLeftOut();
    void limitsAreNumbersOrNull();
    void placementsKeepTheirName_data();
    void placementsKeepTheirName();
    void aNameThatIsNoLongerTrueIsNotWritten();
    void routesKeepTheirRule();
    void costsWithSectionsStandOverLines();
    void numbersAreShortest_data();
    void numbersAreShortest();
    void textsAreEscapedOnlyWhereNeeded_data();
    void textsAreEscapedOnlyWhereNeeded();
    void theViewIsNotTouched();
};

void DesignWriterTest::defaultsAreLeftOut()
{
    QCOMPARE(writeDesign(twoStages()), std::string(R"({
  "pipeloom": 1,
  "pipeline": { "devices": 2, "stages": 2, "micro_batches": 3, "placement": "linear" },
  "block": {
    "interval": 1,
    "rows": [
      "",
      ""
    ]
  }
}
)"));
}

void DesignWriterTest::whatIsTheSameForAllStagesIsWrittenOnce()
{
    Design design = twoStages();
    design.costs.ticks.values[0] = { 3, 3 };
    design.costs.ticks.values[1] = { 3, 4 };
    design.costs.ticks.values[3] = { 9, 9 };
    QVERIFY(writes(design, R"("costs": { "F": 3, "B": [3, 4], "BW": 9 },)"));
}

void DesignWriterTest::sumsOfFusedBackwardAreLeftOut()
{
    Design design = twoStages();
    design.costs = unitCosts(2, 1, 2, 3);
    QVERIFY(writes(design, R"("costs": { "B": 2, "W": 3 },)"));
    // What a block is drawn with has 2, and a change of memory -1, whatever the others are.
    std::get<BuildingBlock>(design.plan).durations.values = { Numbers { 1, 1 }, { 2, 2 }, { 3, 3 }, { 5, 5 } };
    QVERIFY(writes(design, R"("durations": { "B": 2, "W": 3, "BW": 5 },)"));
    design.memory.change.values = { Numbers { 2, 2 }, { 0, 0 }, { -2, -2 }, { -2, -2 } };
    QVERIFY(writes(design, R"("memory": { "F": 2, "W": -2, "BW": -2 })"));
}

void DesignWriterTest::limitsAreNumbersOrNull()
{
    Design design = twoStages();
    design.memory.limit = { 5, 5 };
    QVERIFY(writes(design, R"("limit": 5 })"));
    design.memory.limit = { std::nullopt, 0 };
    QVERIFY(writes(design, R"("limit": [null, 0] })"));
    design.memory.limit = { std::nullopt, std::nullopt };
    QVERIFY(!writes(design, "limit"));
}

void DesignWriterTest::placementsKeepTheirName_data()
{
    QTest::addColumn<PlacementKind>("kind");
    QTest::addColumn<QString>("written");
    QTest::newRow("interleaved") << PlacementKind::Interleaved << R"("placement": "interleaved")";
    QTest::newRow("v") << PlacementKind::V << R"("placement": "v")";
    QTest::newRow("a list like interleaved") << PlacementKind::List << R"("placement": [0, 1, 0, 1])";
}

void DesignWriterTest::placementsKeepTheirName()
{
    QFETCH(PlacementKind, kind);
    QFETCH(QString, written);
    Design design = emptyDesign(pipeline(kind, 2, 4, 1));
    if (kind == PlacementKind::List)
        design.pipeline.routes = { placement(PlacementKind::Interleaved, 2, 4) };
    QVERIFY(writes(design, written.toStdString()));
    QVERIFY(readDesign(writeDesign(design)).design == design);
}

void DesignWriterTest::aNameThatIsNoLongerTrueIsNotWritten()
{
    Design design = emptyDesign(pipeline(PlacementKind::V, 2, 4, 1));
    std::swap(design.pipeline.routes[0][0], design.pipeline.routes[0][1]);
    QVERIFY(writes(design, R"("placement": [1, 0, 1, 0])"));
}

void DesignWriterTest::routesKeepTheirRule()
{
    Design design = twoStages();
    design.pipeline.kind = PlacementKind::List;
    design.pipeline.routes.push_back({ DeviceId { 1 }, DeviceId { 0 } });
    design.pipeline.rule = RouteRule::Halves;
    QVERIFY(writes(design, R"("routes": { "placements": [[0, 1], [1, 0]], "of_micro_batch": "halves" } })"));
    design.pipeline.rule = RouteRule::Alternate;
    QVERIFY(writes(design, R"("of_micro_batch": "alternate")"));
    design.pipeline.rule = RouteRule::List;
    design.pipeline.routeOfMicroBatch = { RouteId { 1 }, RouteId { 0 }, RouteId { 1 } };
    QVERIFY(writes(design, R"("of_micro_batch": [1, 0, 1])"));
    QVERIFY(readDesign(writeDesign(design)).design == design);
}

void DesignWriterTest::costsWithSectionsStandOverLines()
{
    Design design = twoStages();
    design.costs.tickUs = 0.5;
    design.memory.transient.values[3] = { 7, 7 };
    design.network.transfer = { 2 };
    QVERIFY(writes(design, R"(  "costs": {
    "tick_us": 0.5,
    "memory": {
      "transient": { "BW": 7 }
    },
    "network": { "transfer": 2 }
  },
)"));
}

void DesignWriterTest::numbersAreShortest_data()
{
    QTest::addColumn<double>("number");
    QTest::addColumn<QString>("written");
    QTest::newRow("tenth") << 0.1 << "0.1";
    QTest::newRow("third") << 1.0 / 3 << "0.3333333333333333";
    QTest::newRow("whole") << 250.0 << "250";
    QTest::newRow("great") << 1e300 << "1e+300";
    QTest::newRow("least") << std::numeric_limits<double>::denorm_min() << "5e-324";
    QTest::newRow("greatest") << std::numeric_limits<double>::max() << "1.7976931348623157e+308";
}

void DesignWriterTest::numbersAreShortest()
{
    QFETCH(double, number);
    QTEST(QString::fromStdString(formats::textOf(number)), "written");
    Design design = twoStages();
    design.costs.tickUs = number;
    QCOMPARE(readDesign(writeDesign(design)).design->costs.tickUs, number);
}

void DesignWriterTest::textsAreEscapedOnlyWhereNeeded_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("written");
    QTest::newRow("plain") << QByteArray("V-Half / 1F1B") << QByteArray(R"("V-Half / 1F1B")");
    QTest::newRow("quotes") << QByteArray(R"(a"b\c)") << QByteArray(R"("a\"b\\c")");
    QTest::newRow("lines") << QByteArray("a\nb\tc\rd\be\ff") << QByteArray(R"("a\nb\tc\rd\be\ff")");
    QTest::newRow("control") << QByteArray("\x01\x1f\x7f\0", 4) << QByteArray("\"\\u0001\\u001f\x7f\\u0000\"");
    QTest::newRow("letters of the world") << QByteArray("Größe μ 管道 🚂") << QByteArray("\"Größe μ 管道 🚂\"");
    QTest::newRow("no UTF-8") << QByteArray("a\xFF\xC3") << QByteArray("\"a\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

void DesignWriterTest::textsAreEscapedOnlyWhereNeeded()
{
    QFETCH(QByteArray, text);
    QTEST(QByteArray::fromStdString(formats::textOf(text.toStdString())), "written");
    Design design = twoStages();
    design.name = text.toStdString();
    // Always a text that reads back.
    QVERIFY(readDesign(writeDesign(design)).design.has_value());
}

void DesignWriterTest::theViewIsNotTouched()
{
    Design design = twoStages();
    design.view = "{\"b\" : [1.0,\n 2e0],\"a\":\"\\u0041\" }";
    QVERIFY(writes(design, "  \"view\": {\"b\" : [1.0,\n 2e0],\"a\":\"\\u0041\" }\n}\n"));
    QCOMPARE(readDesign(writeDesign(design)).design->view, design.view);
}

QTEST_APPLESS_MAIN(DesignWriterTest)
#include "design_writer_test.moc"
