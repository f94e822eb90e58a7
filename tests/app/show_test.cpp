// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// pipeloom show: the block and the schedule as text and as data.

#include "tests/app/pipeloom_process.h"

#include <QtTest>

#include <set>

using namespace pipeloom::test;

class ShowTest : public QObject {
    Q_OBJECT

    static QByteArray golden(const QString& name)
    {
        QFile file(PIPELOOM_SOURCE_DIR "/tests/app/golden/" + name + ".txt");
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no golden %s", qPrintable(name));
        return file.readAll();
    }

    static QByteArray shown(const QByteArray& design, const QStringList& more = {})
    {
        return call(QStringList { "show", "-" } + more, design).out;
    }

    static int widest(const QByteArray& text)
    {
        int columns = 0;
        for (const QString& line : QString::fromUtf8(text).split('\n'))
            columns = std::max(columns, static_cast<int>(line.size()));
        return columns;
    }

private Q_SLOTS:
    /// To see what changed: pipeloom show, and git diff after writing its output over the file.
    void theDrawingIsTheOneThatWasLookedAt_data()
    {
        QTest::addColumn<QByteArray>("made");
        QTest::addColumn<QStringList>("options");
        const QByteArray vHalf = design("v-half", 4, 8);
        QTest::newRow("v-half-80") << vHalf << QStringList { "--width", "80" };
        QTest::newRow("v-half-200") << vHalf << QStringList { "--width", "200" };
        QTest::newRow("v-half-squeezed-ascii-80")
            << vHalf << QStringList { "--width", "80", "--form", "squeezed", "--ascii" };
        QTest::newRow("v-half-fit-80") << vHalf << QStringList { "--width", "80", "--fit" };
        QTest::newRow("interleaved-120") << design("interleaved-1f1b", 4, 8) << QStringList { "--width", "120" };
        QTest::newRow("1f1b-real-costs-80") << design("1f1b", 4, 8, { "--cost", "F=20,B=23,W=17", "--transfer", "3" })
                                            << QStringList { "--width", "80" };
        QTest::newRow("collision-80") << changed(vHalf, "7W@16", "7W@18")
                                      << QStringList { "--width", "80", "--to", "18" };
    }
    void theDrawingIsTheOneThatWasLookedAt()
    {
        QFETCH(QByteArray, made);
        QFETCH(QStringList, options);
        const QList<QByteArray> expected = golden(QTest::currentDataTag()).split('\n');
        const QList<QByteArray> lines = shown(made, options).split('\n');
        for (qsizetype i = 0; i < std::min(lines.size(), expected.size()); ++i)
            QCOMPARE(QString::fromUtf8(lines[i]), QString::fromUtf8(expected[i]));
        QCOMPARE(lines.size(), expected.size());
    }

    void nothingIsWiderThanItMayBe_data()
    {
        QTest::addColumn<QByteArray>("made");
        QTest::newRow("V-Half") << design("v-half", 4, 8);
        QTest::newRow("many devices") << design("v-min", 12, 30);
        QTest::newRow("long passes") << design(
            "zb-h1", 8, 24, { "--cost", "F=18522,B=18086,W=9337", "--transfer", "601" });
        QTest::newRow("many chunks") << design("interleaved-1f1b", 4, 8, { "--chunks", "4" });
        QTest::newRow("many micro-batches") << design("gpipe", 4, 1000);
    }
    void nothingIsWiderThanItMayBe()
    {
        QFETCH(QByteArray, made);
        for (const int width : { 80, 120, 200 }) {
            const QByteArray text = shown(made, { "--width", QString::number(width) });
            QVERIFY2(widest(text) <= width, qPrintable(QString::number(widest(text))));
            const QByteArray fit = shown(made, { "--width", QString::number(width), "--fit" });
            QVERIFY2(widest(fit) <= width, qPrintable(QString::number(widest(fit))));
        }
    }

    void everyPassStandsInTheDrawingOnce()
    {
        const QByteArray text = shown(design("v-half", 4, 8));
        const QByteArray schedule = text.mid(text.indexOf("Schedule"));
        QStringList passes;
        for (const QString& line : QString::fromUtf8(schedule).split('\n'))
            if (line.startsWith("device "))
                for (const QString& word : line.mid(9).split(' ', Qt::SkipEmptyParts))
                    if (word != "·")
                        passes += word;
        QCOMPARE(passes.size(), 4 * 2 * 3 * 8);
        for (const QString kind : { "F", "B", "W", "f", "b", "w" })
            for (int microBatch = 0; microBatch < 8; ++microBatch)
                QCOMPARE(passes.count(kind + QString::number(microBatch)), 4);
    }

    void asciiIsAsciiAndAlsoWithoutAUtf8Locale()
    {
        QProcessEnvironment old = plainEnvironment();
        old.insert("LC_ALL", "C");
        const QByteArray made = design("1f1b", 4, 8, { "--cost", "F=7,B=8,W=9" });
        const QByteArray asked = shown(made, { "--ascii" });
        QCOMPARE(call({ "show", "-" }, made, old).out, asked);
        for (const char c : asked)
            QVERIFY(static_cast<unsigned char>(c) < 128);
    }

    void noColoursGoIntoAPipe()
    {
        QProcessEnvironment colourful = plainEnvironment();
        colourful.insert("TERM", "xterm-256color");
        QVERIFY(!call({ "show", "-" }, design("v-half", 4, 8), colourful).out.contains('\x1b'));
    }

    void theWidthIsThatOfColumnsWhereThereIsNoTerminal()
    {
        QProcessEnvironment wide = plainEnvironment();
        wide.insert("COLUMNS", "200");
        QCOMPARE(call({ "show", "-" }, design("v-half", 4, 8), wide).out, golden("v-half-200"));
    }

    void aRangeIsDrawnAndTheRestStated()
    {
        const QByteArray text = shown(design("v-half", 4, 8), { "--from", "6", "--to", "12" });
        QVERIFY2(text.contains("device 0 ·  f0 b0 w0 f1 b1\n"), text);
        QVERIFY2(text.contains("Drawn: 6 to 12 of 53. --from 12 goes on"), text);
    }

    void aLongStepIsDrawnInPartAndTheRestStated()
    {
        const QByteArray text = shown(design("gpipe", 4, 1000));
        QVERIFY2(text.contains(" of 3009. --from "), text.right(2000));
        QVERIFY(text.count('\n') < 150);
        QVERIFY(shown(design("gpipe", 4, 1000), { "--fit" }).contains("a column is 50 ticks"));
    }

    void nothingBeyondTheEndIsSaidToBeThere()
    {
        QVERIFY(shown(design("v-half", 4, 8), { "--from", "60" })
                    .contains("Nothing to draw there: the last pass ends at 53."));
    }

    void aBrokenBlockIsDrawnWithTheFindingsBelow()
    {
        const Ended broken = call({ "show", "-" }, changed(design("v-half", 4, 8), " 7W@16", ""));
        QCOMPARE(broken.code, 1);
        QVERIFY(broken.out.indexOf("device 0 0F") < broken.out.indexOf("block/missing"));
        QVERIFY2(broken.out.contains("7: -"), broken.out);
    }

    void aPassVeryFarOutIsNamedInsteadOfDrawn()
    {
        const QByteArray text = shown(changed(design("v-half", 4, 8), "7W@16", "7W@1099511627775"));
        QVERIFY2(text.contains("Beyond: 7W@1099511627775 on device 0"), text);
    }

    void anOrderThatCannotRunIsDrawnWithoutTimes()
    {
        const Ended stuck = call({ "show", "-", "--ascii" }, R"({ "pipeloom": 1,
            "pipeline": { "devices": 2, "stages": 2, "micro_batches": 2, "placement": "linear" },
            "schedule": { "rows": ["0F0 0BW0 0F1 0BW1", "1F1 1F0 1BW1 1BW0"] } })");
        QCOMPARE(stuck.code, 1);
        QVERIFY2(stuck.out.contains("device 1 F1- F0- BW1 BW0"), stuck.out);
        QVERIFY(stuck.out.contains("schedule/deadlock"));
    }

    void theSameFactsAreThereAsData()
    {
        const Ended ended = call({ "show", "-", "--json", "--form", "squeezed" }, design("v-half", 4, 8));
        QCOMPARE(ended.code, 0);
        const nlohmann::json document = ended.json();
        QCOMPARE(document.at("ok"), true);
        QCOMPARE(document.at("block").at("interval"), 6);
        QCOMPARE(document.at("block").at("passes").size(), std::size_t { 24 });
        QCOMPARE(document.at("block").at("lifespans").at(0),
            (nlohmann::json { { "stage", 0 }, { "member", 0 }, { "device", 0 }, { "ticks", 27 }, { "intervals", 5 } }));
        QCOMPARE(document.at("passes").size(), std::size_t { 4 * 2 * 3 * 8 });
        QCOMPARE(document.at("passes").at(0),
            (nlohmann::json { { "pass", "0F0" }, { "device", 0 }, { "start", 0 }, { "end", 1 }, { "joined", false } }));
        std::int64_t end = 0;
        for (const nlohmann::json& pass : document.at("passes"))
            end = std::max(end, pass.at("end").get<std::int64_t>());
        QCOMPARE(end, 59);
        for (const nlohmann::json& device : document.at("memory")) {
            QCOMPARE(device.at("peak"), 6);
            std::int64_t highest = 0;
            for (const nlohmann::json& change : device.at("levels"))
                highest = std::max(highest, change.at("level").get<std::int64_t>());
            QCOMPARE(highest, 6);
        }
    }

    void dataOfARangeIsWhatReachesIntoIt()
    {
        const nlohmann::json document
            = call({ "show", "-", "--json", "--from", "0", "--to", "1" }, design("v-half", 4, 8)).json();
        QCOMPARE(document.at("passes").size(), std::size_t { 1 });
        QCOMPARE(document.at("passes").at(0).at("pass"), "0F0");
    }

    void dataOfABrokenBlockHasItsPassesAndNoTimeline()
    {
        const Ended ended = call({ "show", "-", "--json" }, changed(design("v-half", 4, 8), " 7W@16", ""));
        QCOMPARE(ended.code, 1);
        QCOMPARE(ended.json().at("block").at("passes").size(), std::size_t { 23 });
        QVERIFY(ended.json().at("passes").empty());
    }
};

QTEST_APPLESS_MAIN(ShowTest)

#include "show_test.moc"
