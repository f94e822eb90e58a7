// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_file.h"
#include "tests/core/formats/design_texts.h"
#include "tests/support/random_pipeline.h"
#include "tests/support/sanitizers.h"

#include <QtTest>

#include <string>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

std::string repeated(const std::string& text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

/// `file/json 3:14`: rule, row and column of every finding.
QString positionsOf(const Findings& findings)
{
    QStringList all;
    for (const Finding& finding : findings)
        all << QString("%1 %2:%3")
                   .arg(QString::fromStdString(finding.rule))
                   .arg(finding.where.at(0).row.value_or(0))
                   .arg(finding.where.at(0).column.value_or(0));
    return all.join("; ");
}

} // namespace

class NastyTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsThatAreNoDesignAreRefusedWithTheirPlace_data();
    void textsThatAreNoDesignAreRefusedWithTheirPlace();
    void byteOrderMarksAreReadWithAWarning();
    void textCutOffAnywhereIsRefused();
    void damagedTextsAreReadOrRefusedButNothingElse();
    void findingsAreShortEvenIfTheTextIsNot();
};

void NastyTextTest::textsThatAreNoDesignAreRefusedWithTheirPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("positions");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const std::string& text, const char* positions, const char* words) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QString(positions) << QString(words);
    };
    row("nothing", "", "file/json 1:1", "is empty");
    row("blanks", " \n\t\n ", "file/json 1:1", "is empty");
    row("a number", "3", "file/type 0:0", "The design must be an object");
    row("a list", "[]", "file/type 0:0", "a list");
    row("null", "null", "file/type 0:0", "`null`");
    row("an empty object", "{}", "file/missing 0:0; file/missing 0:0; file/missing 0:0", "no `pipeloom`");
    row("two designs", std::string(scheduleDesign) + "{}", "file/json 14:1", "end of input");
    row("a comma too many", "{\n  \"pipeloom\": 1,\n}", "file/json 3:1", "expected string literal");
    row("a comma missing", "{\n  \"pipeloom\": 1\n  \"name\": \"\"\n}", "file/json 3:3", "expected '}'");
    row("a quote missing", "{\n  \"pipeloom: 1\n}", "file/json 2:15", "control character");
    row("single quotes", "{'pipeloom': 1}", "file/json 1:2", "no JSON here");
    row("a comment", "{ // what\n}", "file/json 1:3", "no JSON here");
    row("not a number", "{\"pipeloom\": NaN}", "file/json 1:14", "no JSON here");
    row("a number with a zero in front", "{\"pipeloom\": 01}", "file/json 1:14", "no JSON here");
    row("a plus sign", "{\"pipeloom\": +1}", "file/json 1:14", "no JSON here");
    row("half a literal", "{\"pipeloom\": tru}", "file/json 1:17", "invalid literal");
    row("columns count characters", "{\"name\": \"Größe\", x}", "file/json 1:19", "no JSON here");
    row("a zero byte", std::string("{\"a\": \0}", 8), "file/json 1:7", "zero byte");
    row("a zero byte at the end", std::string(scheduleDesign) + std::string("\0{", 2), "file/json 14:1", "zero byte");
    row("half a pair of surrogates", R"({"name": "\ud800"})", "file/json 1:17", "no JSON here");
    row("a byte that is not UTF-8", "{\n\"name\": \"Gr\xF6\xDF\x65\"}", "file/utf8 2:12",
        "0xf6|Save the file as UTF-8");
    row("an overlong byte sequence", "{\"\xC0\xAF\": 1}", "file/utf8 1:3", "0xc0");
    row("a surrogate in UTF-8", "{\"\xED\xA0\x80\": 1}", "file/utf8 1:3", "0xed");
    row("UTF-16", std::string("\xFF\xFE{\0}\0", 6), "file/utf8 1:1", "0xff");
    row("a compressed file", "\x1F\x8B\x08", "file/utf8 1:2", "0x8b");
    row("100,000 brackets", repeated("[", 100'000), "file/depth 1:65", "64 deep");
    row("1,000,000 braces", "{\"view\": " + repeated("{\"a\":", 1'000'000), "file/depth 1:325", "64 deep");
    row("65 levels, all closed", repeated("[", 65) + repeated("]", 65), "file/depth 1:65", "64 deep");
    row("a number of 100,000 digits", "{\"pipeloom\": " + repeated("9", 100'000) + "}", "file/range 0:0",
        "greater than any");
}

void NastyTextTest::textsThatAreNoDesignAreRefusedWithTheirPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, positions);
    QFETCH(QString, words);
    const ReadDesign read = readDesign(text.toStdString());
    QVERIFY(!read.design.has_value());
    QCOMPARE(positionsOf(read.findings), positions);
    for (const QString& word : words.split('|'))
        QVERIFY2(wordsOf(read.findings).contains(word), qPrintable(wordsOf(read.findings)));
}

void NastyTextTest::byteOrderMarksAreReadWithAWarning()
{
    const ReadDesign read = readDesign(std::string("\xEF\xBB\xBF") + scheduleDesign);
    QVERIFY(read.design.has_value());
    QCOMPARE(read.findings.size(), std::size_t { 1 });
    QCOMPARE(read.findings[0].rule, std::string("file/bom"));
    QCOMPARE(read.findings[0].severity, Severity::Warning);
    QCOMPARE(writeDesign(*read.design), std::string(scheduleDesign));
}

void NastyTextTest::textCutOffAnywhereIsRefused()
{
    const std::string whole = blockDesign;
    // The last byte, the newline, may be missing.
    for (std::size_t bytes = 0; bytes + 1 < whole.size(); ++bytes) {
        const ReadDesign read = readDesign(std::string_view(whole).substr(0, bytes));
        QVERIFY(!read.design.has_value());
        QCOMPARE(read.findings.size(), std::size_t { 1 });
        QCOMPARE(read.findings[0].rule, std::string("file/json"));
    }
    QVERIFY(readDesign(std::string_view(whole).substr(0, whole.size() - 1)).design.has_value());
}

void NastyTextTest::damagedTextsAreReadOrRefusedButNothingElse()
{
    const int texts = test::sanitized ? 2'000 : 20'000;
    Random random(1);
    for (int i = 0; i < texts; ++i) {
        std::string text = i % 2 == 0 ? blockDesign : scheduleDesign;
        for (std::int64_t n = between(random, 1, 3); n > 0; --n) {
            const auto at = static_cast<std::size_t>(between(random, 0, static_cast<std::int64_t>(text.size()) - 1));
            const auto length = static_cast<std::size_t>(between(random, 0, 12));
            constexpr std::string_view common = "0123456789\"[]{}:,.@-+eFBWI() \n\\";
            if (chance(random, 30))
                text.erase(at, length);
            else if (chance(random, 30))
                text.insert(at,
                    text.substr(static_cast<std::size_t>(between(random, 0, static_cast<std::int64_t>(at))), length));
            else if (chance(random, 80))
                text[at] = common[static_cast<std::size_t>(
                    between(random, 0, static_cast<std::int64_t>(common.size()) - 1))];
            else
                text[at] = static_cast<char>(between(random, -128, 127));
            if (text.empty())
                break;
        }
        const ReadDesign read = readDesign(text);
        QVERIFY(read.design.has_value() != hasErrors(read.findings));
        if (read.design.has_value())
            QVERIFY2(readDesign(writeDesign(*read.design)).design == read.design, text.c_str());
    }
}

void NastyTextTest::findingsAreShortEvenIfTheTextIsNot()
{
    const std::string longName = repeated("x", 1'000'000);
    const std::string text = "{\"pipeloom\": 1, \"" + longName
        + "\": {\"a\": 1, \"a\": 2}, \"pipeline\": {\"placement\": \"" + longName + "\"}, \"schedule\": {\"rows\": [\""
        + longName + "\"]}}";
    const ReadDesign read = readDesign(text);
    QVERIFY(read.findings.size() >= 6);
    for (const Finding& finding : read.findings) {
        QVERIFY(finding.message.size() + finding.remedy.size() < 500);
        for (const Place& place : finding.where)
            QVERIFY(place.pointer.size() < 200 && place.pass.size() < 200);
    }
}

QTEST_APPLESS_MAIN(NastyTextTest)
#include "nasty_text_test.moc"
