// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_file.h"
#include "tests/core/formats/design_texts.h"

#include <QtTest>

#include <string>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

/// One device and one stage; the other numbers as given.
std::string oneStage(const std::string& microBatches, const std::string& costs, const std::string& block)
{
    return R"({"pipeloom": 1, "pipeline": {"devices": 1, "stages": 1, "micro_batches": )" + microBatches
        + R"(, "placement": "linear"}, "costs": {)" + costs + "}, " + block + "}";
}

const std::string emptyBlock = R"("block": {"interval": 1, "rows": [""]})";

} // namespace

class DesignLimitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumsThatCoreCannotCountAreRefused_data();
    void sumsThatCoreCannotCountAreRefused();
    void theGreatestNumbersAreRead_data();
    void theGreatestNumbersAreRead();
    void sixteenMillionPassesAreReadAndOneMoreIsNot();
};

void DesignLimitsTest::sumsThatCoreCannotCountAreRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("places");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const std::string& text, const char* places, const char* words) {
        QTest::newRow(name) << QString::fromStdString(text) << QString(places) << QString(words);
    };
    row("T * m of 2^60", oneStage("1048577", "", R"("block": {"interval": 1099511627775, "rows": [""]})"),
        "file/range /block/interval",
        "1048577 micro-batches every 1099511627775 ticks|Give an interval up to 1099510579200");
    row("a step of 2^60 ticks", oneStage("1048577", R"("F": 1099511627775)", emptyBlock), "file/range /costs",
        "2^60 ticks");
    row("pairs of 2^60 ticks", oneStage("1048577", R"("pair": 1099511627775)", emptyBlock), "file/range /costs",
        "2^60 ticks");
    row("memory of 2^62", oneStage("8", R"("memory": {"F": 1152921504606846975})", emptyBlock),
        "file/range /costs/memory", "2^62");
    row("transients of 2^62", oneStage("8", R"("memory": {"transient": {"W": 1152921504606846975}})", emptyBlock),
        "file/range /costs/memory", "2^62");
    row("a bound of 2^62",
        oneStage("1", R"("memory": {"F": 1099511627776})", R"("block": {"interval": 1, "rows": ["0F@0 0BW@8388608"]})"),
        "file/range /block/interval", "ends at 8388610");
    row("too many passes by repeating",
        oneStage("8000000", "", R"("block": {"interval": 1, "rows": ["0F@0 0B@1 0W@2"]})"), "file/size /block/rows/0",
        "more than 2 passes|more than 16000000");
}

void DesignLimitsTest::sumsThatCoreCannotCountAreRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, places);
    QFETCH(QString, words);
    const ReadDesign read = readDesign(text.toStdString());
    QVERIFY(!read.design.has_value());
    QCOMPARE(placesOf(read.findings), places);
    for (const QString& word : words.split('|'))
        QVERIFY2(wordsOf(read.findings).contains(word), qPrintable(wordsOf(read.findings)));
}

void DesignLimitsTest::theGreatestNumbersAreRead_data()
{
    QTest::addColumn<QString>("text");
    const auto row
        = [](const char* name, const std::string& text) { QTest::newRow(name) << QString::fromStdString(text); };
    row("T * m just below 2^60", oneStage("1048576", "", R"("block": {"interval": 1099511627775, "rows": [""]})"));
    row("a pass just below 2^40", oneStage("1", R"("F": 1099511627775)", emptyBlock));
    row("a start just below 2^40", oneStage("1", "", R"("block": {"interval": 1, "rows": ["0F@1099511627775"]})"));
    row("memory just below 2^60",
        oneStage("1", R"("memory": {"F": 1152921504606846975, "W": -1152921504606846975})", emptyBlock));
    row(
        "4096 devices",
        R"({"pipeloom": 1, "pipeline": {"devices": 4096, "stages": 4096, "micro_batches": 1953,
        "placement": "linear"}, "schedule": {"rows": [")"
            +
            [] {
                std::string rows;
                for (int i = 1; i < 4096; ++i)
                    rows += "\",\"";
                return rows;
            }()
            + "\"]}}");
    row("eight million micro-batches", oneStage("8000000", "", R"("block": {"interval": 1, "rows": ["0F@0 0BW@1"]})"));
}

void DesignLimitsTest::theGreatestNumbersAreRead()
{
    QFETCH(QString, text);
    const ReadDesign read = readDesign(text.toStdString());
    QVERIFY2(read.design.has_value(), qPrintable(wordsOf(read.findings)));
    QVERIFY(readDesign(writeDesign(*read.design)).design == read.design);
}

void DesignLimitsTest::sixteenMillionPassesAreReadAndOneMoreIsNot()
{
#ifndef NDEBUG
    QSKIP("takes a minute without optimisation; the release preset runs it");
#endif
    std::string rows = R"("schedule": {"rows": [")";
    for (int j = 0; j < 8'000'000; ++j)
        rows.append("0F").append(std::to_string(j)).append(" 0BW").append(std::to_string(j)).append(" ");
    const std::string whole = oneStage("8000000", "", rows + "\"]}");
    const ReadDesign read = readDesign(whole);
    QVERIFY2(read.design.has_value(), qPrintable(wordsOf(read.findings)));
    QCOMPARE(read.design->schedule()->slots.size(), std::size_t { 16'000'000 });
    QVERIFY(writeDesign(*read.design).size() < maxFileBytes);
    const ReadDesign more = readDesign(oneStage("8000000", "", rows + "0F1\"]}"));
    QCOMPARE(placesOf(more.findings), QString("file/size /schedule/rows/0"));
}

QTEST_APPLESS_MAIN(DesignLimitsTest)
#include "design_limits_test.moc"
