// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// pipeloom simulate: the figures that papers and cases from practice state.

#include "tests/app/pipeloom_process.h"

#include <QtTest>

using namespace pipeloom::test;

class SimulateTest : public QObject {
    Q_OBJECT

    static nlohmann::json simulated(const QByteArray& design, const QStringList& more = {})
    {
        return call(QStringList { "simulate", "-", "--json" } + more, design).json();
    }

    static std::vector<std::int64_t> ofDevices(const nlohmann::json& document, const char* key)
    {
        std::vector<std::int64_t> values;
        for (const nlohmann::json& device : document.at("devices"))
            values.push_back(device.at(key));
        return values;
    }

private Q_SLOTS:
    void
    vHalfOnFourDevicesTakesThePublishedTimes_data() // SCHEDULES.md 3.1 and 3.2: 8 micro-batches of 6 ticks, and the bubble
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("ticks");
        QTest::newRow("squeezed: bubble 5.5 shares") << "squeezed" << 59;
        QTest::newRow("reordered: bubble 2.5 shares") << "reordered" << 53;
    }
    void vHalfOnFourDevicesTakesThePublishedTimes()
    {
        QFETCH(QString, form);
        QFETCH(int, ticks);
        const nlohmann::json document = simulated(design("v-half", 4, 8), { "--form", form });
        QCOMPARE(document.at("form"), form.toStdString());
        QCOMPARE(document.at("step_ticks"), ticks);
        QCOMPARE(document.at("idle_share"), 1 - 48.0 / ticks);
        QCOMPARE(ofDevices(document, "peak"), (std::vector<std::int64_t> { 6, 6, 6, 6 }));
        QCOMPARE(ofDevices(document, "busy_ticks"), (std::vector<std::int64_t> { 48, 48, 48, 48 }));
    }

    void theFormIsReorderedIfTheDesignSaysHowElseSqueezed()
    {
        QCOMPARE(simulated(design("v-half", 4, 8)).at("form"), "reordered");
        QCOMPARE(simulated(design("zb-h1", 4, 8)).at("form"), "squeezed");
    }

    void zbH2HasNoBubbleWhenDevicesNeedNotSynchronise() // CASES.md 41
    {
        const nlohmann::json document = simulated(design("zb-h2", 4, 8), { "--form", "reordered" });
        QCOMPARE(document.at("step_ticks"), 27);
        QCOMPARE(document.at("idle_share"), 1 - 24.0 / 27);
        QCOMPARE(document.at("own_span_ticks"), 24);
        QCOMPARE(document.at("own_span_bubble"), 0.0);
    }

    void zbH1HasAShorterSpanOnEveryLaterDevice() // CASES.md 41
    {
        const nlohmann::json document = simulated(design("zb-h1", 4, 8));
        QCOMPARE(document.at("step_ticks"), 27);
        QCOMPARE(ofDevices(document, "span_ticks"), (std::vector<std::int64_t> { 27, 26, 25, 24 }));
    }

    void fewerMicroBatchesThanDevicesAreSimulated_data() // CASES.md 7
    {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<int>("ticks");
        for (const char* schedule : { "1f1b", "gpipe" }) {
            QTest::addRow("%s, 1", schedule) << schedule << 1 << 24;
            QTest::addRow("%s, 4", schedule) << schedule << 4 << 33;
        }
    }
    void fewerMicroBatchesThanDevicesAreSimulated()
    {
        QFETCH(QString, schedule);
        QFETCH(int, microBatches);
        QFETCH(int, ticks);
        const Ended ended = call({ "simulate", "-", "--json" }, design(schedule, 8, microBatches));
        QCOMPARE(ended.code, 0);
        QCOMPARE(ended.json().at("step_ticks"), ticks);
        QCOMPARE(ended.json().at("idle_share"), 1 - 3.0 * microBatches / ticks);
    }

    void aSplitThatCostsFivePercentPaysOnlyForShortSteps_data() // CASES.md 44, in twentieths of a tick
    {
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<int>("whole");
        QTest::addColumn<int>("split");
        QTest::newRow("m = 64: 201 against 201.55") << 64 << 20 * 201 << 4031;
        QTest::newRow("m = 8: 33 against 27.95") << 8 << 20 * 33 << 559;
    }
    void aSplitThatCostsFivePercentPaysOnlyForShortSteps()
    {
        QFETCH(int, microBatches);
        QFETCH(int, whole);
        QFETCH(int, split);
        QCOMPARE(simulated(design("1f1b", 4, microBatches, { "--cost", "F=20,BW=40" })).at("step_ticks"), whole);
        QCOMPARE(simulated(design("zb-h1", 4, microBatches, { "--cost", "F=20,B=21,W=21" })).at("step_ticks"), split);
    }

    void aBalanced1F1BHoldsMoreOnEarlyDevices() // CASES.md 25
    {
        QCOMPARE(ofDevices(simulated(design("1f1b", 8, 16)), "peak"),
            (std::vector<std::int64_t> { 8, 7, 6, 5, 4, 3, 2, 1 }));
        QCOMPARE(
            ofDevices(simulated(design("1f1b", 8, 4)), "peak"), (std::vector<std::int64_t> { 4, 4, 4, 4, 4, 3, 2, 1 }));
    }

    void theCriticalPathLeadsFromTheFirstStartToTheLastEnd()
    {
        const nlohmann::json document
            = simulated(design("1f1b", 4, 8, { "--cost", "F=20,B=23,W=17", "--transfer", "3" }));
        const nlohmann::json& path = document.at("critical_path");
        QCOMPARE(path.front(), (nlohmann::json { { "pass", "0F0" }, { "device", 0 }, { "start", 0 }, { "end", 20 } }));
        QCOMPARE(path.at(1),
            (nlohmann::json { { "transfer", "0F0" }, { "from", 0 }, { "to", 1 }, { "start", 20 }, { "end", 23 } }));
        QCOMPARE(path.back().at("end"), document.at("step_ticks"));
        for (std::size_t i = 1; i < path.size(); ++i)
            QCOMPARE(path.at(i).at("start"), path.at(i - 1).at("end"));
    }

    void memoryIsNullWhereThereIsNone()
    {
        const nlohmann::json block = simulated(design("1f1b", 4, 8)).at("devices").at(0);
        QCOMPARE(block.at("bound"), 4);
        QVERIFY(block.at("limit").is_null());
        const nlohmann::json explicitSchedule = simulated(R"({ "pipeloom": 1,
            "pipeline": { "devices": 1, "stages": 1, "micro_batches": 1, "placement": "linear" },
            "costs": { "memory": { "limit": 2 } }, "schedule": { "rows": ["0F0 0BW0"] } })");
        QVERIFY(explicitSchedule.at("devices").at(0).at("bound").is_null());
        QCOMPARE(explicitSchedule.at("devices").at(0).at("limit"), 2);
    }

    void aDesignThatCannotBeSimulatedHasNoFigures()
    {
        const Ended refused = call({ "simulate", "-", "--json" }, changed(design("v-half", 4, 8), " 7W@16", ""));
        QCOMPARE(refused.code, 1);
        const nlohmann::json document = refused.json();
        QCOMPARE(document.at("ok"), false);
        for (const char* figure : { "step_ticks", "own_span_ticks", "idle_share", "own_span_bubble" })
            QVERIFY(document.at(figure).is_null());
        QVERIFY(document.at("critical_path").empty());
        QCOMPARE(document.at("devices").size(), std::size_t { 4 });
        QVERIFY(document.at("devices").at(0).at("peak").is_null());
    }

    void bothBubblesAreShownWithTheirNames() // CASES.md 41
    {
        const QByteArray text = call({ "simulate", "-" }, design("zb-h1", 4, 8)).out;
        for (const char* part :
            { "27 ticks", "idle share", "11.11 %", "own-span bubble", "devices synchronise", "Critical path" })
            QVERIFY2(text.contains(part), text);
        for (const QByteArray& line : text.split('\n'))
            QVERIFY2(line.size() <= 80, line);
    }
};

QTEST_APPLESS_MAIN(SimulateTest)

#include "simulate_test.moc"
