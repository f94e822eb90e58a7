// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// pipeloom new and pipeloom list: published schedules as files.

#include "tests/app/pipeloom_process.h"

#include <QtTest>

using namespace pipeloom::test;

class NewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyScheduleOfTheListCanBeMadeCheckedAndSimulated_data()
    {
        QTest::addColumn<QString>("schedule");
        const nlohmann::json list = call({ "list", "--json" }).json();
        QVERIFY(list.size() >= 8);
        for (const nlohmann::json& entry : list)
            QTest::newRow(entry.at("name").get<std::string>().c_str()) << QString::fromStdString(entry.at("name"));
    }
    void everyScheduleOfTheListCanBeMadeCheckedAndSimulated()
    {
        QFETCH(QString, schedule);
        const QByteArray made = design(schedule, 4, 8);
        for (const char* command : { "check", "simulate", "show" })
            QCOMPARE(call({ command, "-", "--json" }, made).json().at("ok"), true);
    }

    void theListTellsWhatEachIsGoodForInEightyColumns()
    {
        const Ended list = call({ "list" });
        QCOMPARE(list.code, 0);
        for (const QByteArray& line : list.out.split('\n'))
            QVERIFY2(QString::fromUtf8(line).size() <= 80, line);
        for (const nlohmann::json& entry : call({ "list", "--json" }).json())
            for (const char* key : { "name", "title", "placement" })
                QVERIFY(list.out.contains(entry.at(key).get<std::string>().c_str()));
    }

    void theListNamesWhatOtherProgramsBuildOn()
    {
        const nlohmann::json list = call({ "list", "--json" }).json();
        for (const nlohmann::json& entry : list)
            for (const char* key : { "name", "title", "paper", "placement", "good_for", "bubble", "peak" })
                QVERIFY2(!entry.at(key).get<std::string>().empty(), key);
    }

    void onlyVSchedulesAreWrittenWithReorder()
    {
        for (const char* schedule : { "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2" })
            QVERIFY(!nlohmann::json::parse(design(schedule, 4, 8).toStdString()).contains("reorder"));
        for (const char* schedule : { "v-min", "v-half", "v-zb" })
            QVERIFY(nlohmann::json::parse(design(schedule, 4, 8).toStdString()).contains("reorder"));
    }

    void costsAndTransfersAreThoseGiven()
    {
        const nlohmann::json made = nlohmann::json::parse(
            design("1f1b", 4, 8, { "--cost", "W=1,F=2,BW=4", "--transfer", "3" }).toStdString());
        QCOMPARE(made.at("costs").at("F"), 2);
        QCOMPARE(made.at("costs").at("BW"), 4);
        QCOMPARE(made.at("costs").at("network").at("transfer"), 3);
    }

    void theFileIsWrittenAndSaidSo()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("v-half.pipeloom.json");
        const Ended made = call({ "new", "v-half", "--devices", "4", "--micro-batches", "8", "-o", path });
        QCOMPARE(made.code, 0);
        QCOMPARE(made.out, QByteArray());
        QVERIFY(made.error.contains("Wrote " + path.toUtf8()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), design("v-half", 4, 8));
    }

    void aFileThatCannotBeWrittenIsNotLeftHalfWritten()
    {
        const QTemporaryDir folder;
        const QStringList arguments { "new", "v-half", "--devices", "4", "--micro-batches", "8", "-o" };
        const Ended refused = call(arguments + QStringList { folder.filePath("no/such/folder.json") });
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.error.contains("could not be written"), refused.error);
        QVERIFY(QDir(folder.path()).isEmpty());
        QCOMPARE(call(arguments + QStringList { "/dev/full" }).code, 3);
    }

    void interleaved1F1BRefusesAnOddNumberOfMicroBatchesByName() // CASES.md 1
    {
        const QStringList arguments { "new", "interleaved-1f1b", "--devices", "4", "--micro-batches", "6" };
        const Ended refused = call(arguments);
        QCOMPARE(refused.code, 1);
        QCOMPARE(refused.out, QByteArray());
        for (const char* named : { "6", "4", "nearest" })
            QVERIFY2(refused.error.contains(named), refused.error);
        const Ended document = call(arguments + QStringList { "--json" });
        QCOMPARE(document.code, 1);
        QCOMPARE(document.json().at("ok"), false);
    }

    void aChunkCountThatDoesNotFitIsRefused()
    {
        const Ended refused = call({ "new", "v-half", "--devices", "4", "--micro-batches", "8", "--chunks", "3" });
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.error.contains("not 3"), refused.error);
    }

    void fewerMicroBatchesThanDevicesIsOnlyAWarning() // CASES.md 7
    {
        const Ended made = call({ "new", "1f1b", "--devices", "8", "--micro-batches", "4" });
        QCOMPARE(made.code, 0);
        QVERIFY(!made.out.isEmpty());
        QVERIFY2(made.error.contains("warning"), made.error);
    }

    void aSizeBeyondTheLimitsIsRefusedBeforeMemoryIsTaken()
    {
        QCOMPARE(call({ "new", "gpipe", "--devices", "4096", "--micro-batches", "16000000" }).code, 1);
    }
};

QTEST_APPLESS_MAIN(NewTest)

#include "new_test.moc"
