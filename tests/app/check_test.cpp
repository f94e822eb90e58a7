// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// pipeloom check: findings, and the exit code that goes with them.

#include "tests/app/pipeloom_process.h"

#include <QtTest>

using namespace pipeloom::test;

class CheckTest : public QObject {
    Q_OBJECT

    /// A finding of that rule, or null.
    static nlohmann::json found(const nlohmann::json& document, const std::string& rule)
    {
        for (const nlohmann::json& finding : document.at("findings"))
            if (finding.at("rule") == rule)
                return finding;
        return nullptr;
    }

    static QByteArray waitingForEachOther()
    {
        return R"({ "pipeloom": 1, "pipeline": { "devices": 2, "stages": 2, "micro_batches": 2, "placement": "linear" },
            "schedule": { "rows": ["0F0 0BW0 0F1 0BW1", "1F1 1F0 1BW1 1BW0"] } })";
    }

    /// 1F1B on 8 devices that may hold 80 GB, 79.2 of them planned, and communicators of `megabytes` (CASES.md 47).
    static QByteArray withCommunicators(const char* megabytes)
    {
        nlohmann::ordered_json made = nlohmann::ordered_json::parse(design("1f1b", 8, 8).toStdString());
        made["costs"]["memory"]
            = { { "unit", "bytes" }, { "F", 0 }, { "W", 0 }, { "BW", 0 }, { "static", 79'200'000'000 },
                  { "communication", nlohmann::json::parse(megabytes) }, { "limit", 80'000'000'000 } };
        return QByteArray::fromStdString(made.dump());
    }

private Q_SLOTS:
    void aFineDesignEndsWithNothing()
    {
        const Ended fine = call({ "check", "-" }, design("v-half", 4, 8));
        QCOMPARE(fine.code, 0);
        QCOMPARE(fine.error, QByteArray());
        QVERIFY2(fine.out.contains("runs to its end"), fine.out);
    }

    void aFineDesignIsOkWithJson()
    {
        const Ended fine = call({ "check", "-", "--json" }, design("v-half", 4, 8));
        QCOMPARE(fine.code, 0);
        QCOMPARE(fine.json(), (nlohmann::json { { "ok", true }, { "findings", nlohmann::json::array() } }));
    }

    void aModelThatCannotBeCutIsToldBeforeItIsTrained()
    {
        nlohmann::ordered_json made = nlohmann::ordered_json::parse(design("1f1b", 4, 8).toStdString());
        made["model"]
            = { { "layers", 3 }, { "hidden", 63 }, { "heads", 4 }, { "sequence", 8 }, { "micro_batch_size", 1 } };
        const Ended refused = call({ "check", "-", "--json" }, QByteArray::fromStdString(made.dump()));
        QCOMPARE(refused.code, 1);
        QCOMPARE(refused.json().at("ok"), false);
        QCOMPARE(found(refused.json(), "model/layers").at("where").at(0).at("pointer"), "/model/layers");
        QVERIFY(!found(refused.json(), "model/heads").is_null());
        made["model"]["layers"] = 4;
        made["model"]["hidden"] = 64;
        QCOMPARE(call({ "check", "-" }, QByteArray::fromStdString(made.dump())).code, 0);
    }

    void anErrorIsToldWithRuleSentenceAndRemedy()
    {
        const QByteArray colliding = changed(design("v-half", 4, 8), "7W@16", "7W@18");
        const Ended refused = call({ "check", "-" }, colliding);
        QCOMPARE(refused.code, 1);
        for (const char* part :
            { "1 error", "block/collision", "Device 0: 7W at 18 meets 0F at 0", "Move 7W to tick 16" })
            QVERIFY2(refused.out.contains(part), refused.out);
    }

    void aFindingHasEveryKeyThatOtherProgramsBuildOn()
    {
        const QByteArray colliding = changed(design("v-half", 4, 8), "7W@16", "7W@18");
        const nlohmann::json finding = found(call({ "check", "-", "--json" }, colliding).json(), "block/collision");
        QCOMPARE(finding.at("severity"), "error");
        QVERIFY(finding.at("queue").is_null());
        QVERIFY(!finding.at("message").get<std::string>().empty());
        QVERIFY(!finding.at("remedy").get<std::string>().empty());
        QCOMPARE(finding.at("where").size(), std::size_t { 2 });
        const nlohmann::json& place = finding.at("where").at(0);
        QCOMPARE(place.at("device"), 0);
        QCOMPARE(place.at("pass"), "7W");
        for (const char* none : { "slot", "route", "pointer", "row", "column" })
            QVERIFY(place.at(none).is_null());
    }

    void anEmptyBlockIsAnErrorAndNoCrash()
    {
        nlohmann::ordered_json empty = nlohmann::ordered_json::parse(design("1f1b", 2, 4).toStdString());
        empty["block"]["rows"] = { "", "" };
        const Ended refused = call({ "check", "-", "--json" }, QByteArray::fromStdString(empty.dump()));
        QCOMPARE(refused.code, 1);
        QVERIFY(!found(refused.json(), "block/missing").is_null());
    }

    void aMissingWIsNamed() // CASES.md 40
    {
        const Ended refused = call({ "check", "-" }, changed(design("v-half", 4, 8), " 7W@16", ""));
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.out.contains("7W"), refused.out);
    }

    void devicesThatWaitForEachOtherAreADeadlock()
    {
        const Ended refused = call({ "check", "-", "--json" }, waitingForEachOther());
        QCOMPARE(refused.code, 1);
        QCOMPARE(found(refused.json(), "schedule/deadlock").at("where").size(), std::size_t { 2 });
    }

    void aPassThatStandsVeryFarOutIsToldAtOnce()
    {
        const Ended refused = call({ "check", "-" }, changed(design("v-half", 4, 8), "7W@16", "7W@1099511627775"));
        QCOMPARE(refused.code, 1);
    }

    void aLimitThatIsNotKeptEndsWithOne() // CASES.md 16
    {
        nlohmann::ordered_json limited = nlohmann::ordered_json::parse(design("1f1b", 4, 8).toStdString());
        limited["costs"]["memory"]["limit"] = { 3, 4, 4, 4 };
        const Ended refused = call({ "check", "-", "--json" }, QByteArray::fromStdString(limited.dump()));
        QCOMPARE(refused.code, 1);
        QCOMPARE(refused.json().at("findings").size(), std::size_t { 1 });
        QCOMPARE(refused.json().at("findings").at(0).at("where").at(0).at("device"), 0);
    }

    void communicatorsCountAgainstTheLimit_data() // CASES.md 47: one per pair and direction; one that all share
    {
        QTest::addColumn<QByteArray>("communication");
        QTest::addColumn<int>("devicesOver");
        QTest::newRow("one per pair and direction") << QByteArray(
            "[1088000000, 2176000000, 2176000000, 2176000000, 2176000000, 2176000000, 2176000000, 1088000000]")
                                                    << 8;
        QTest::newRow("one for all") << QByteArray("688000000") << 0;
    }
    void communicatorsCountAgainstTheLimit()
    {
        QFETCH(QByteArray, communication);
        QFETCH(int, devicesOver);
        const Ended checked = call({ "check", "-", "--json" }, withCommunicators(communication));
        QCOMPARE(checked.code, devicesOver > 0 ? 1 : 0);
        const nlohmann::json document = checked.json();
        int errors = 0;
        for (const nlohmann::json& finding : document.at("findings"))
            errors += finding.at("severity") == "error" ? 1 : 0;
        QCOMPARE(errors, devicesOver);
    }

    void fewerMicroBatchesThanDevicesIsOnlyAWarning_data() // CASES.md 7
    {
        QTest::addColumn<QString>("schedule");
        QTest::newRow("1F1B") << "1f1b";
        QTest::newRow("GPipe") << "gpipe";
    }
    void fewerMicroBatchesThanDevicesIsOnlyAWarning()
    {
        QFETCH(QString, schedule);
        const Ended checked = call({ "check", "-", "--json" }, design(schedule, 8, 1));
        QCOMPARE(checked.code, 0);
        QCOMPARE(checked.json().at("ok"), true);
        QCOMPARE(checked.json().at("findings").at(0).at("severity"), "warning");
    }

    void theQueueModelIsTheOneAskedFor()
    {
        for (const char* queue : { "ideal", "directed", "pair", "device" })
            QVERIFY(call({ "check", "-", "--queue", queue }, design("1f1b", 4, 8)).out.contains(queue));
    }
};

QTEST_APPLESS_MAIN(CheckTest)

#include "check_test.moc"
