// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// pipeloom profile: costs measured in a real training of a small model.

#include "tests/app/small_runs.h"

#include <QtTest>

#include <csignal>

using namespace pipeloom::test;

class ProfileWithExecutorTest : public QObject {
    Q_OBJECT

    SmallRuns runs_;
    QString design_;
    QString other_;

    [[nodiscard]] QStringList arguments(const QStringList& more = {}) const
    {
        return QStringList { "profile", design_, "--data", runs_.text(), "--steps", "3" } + more;
    }

private Q_SLOTS:
    void initTestCase()
    {
        design_ = runs_.design("1f1b", 2, 4);
        other_ = runs_.design("zb-h1", 2, 4);
    }

    void itTellsCostsAndForecastsAsOneDocument()
    {
        const Ended ended = call(arguments({ "--forecast", other_, "--json" }));
        QVERIFY2(ended.code == 0, ended.error + ended.out);
        const nlohmann::json document = ended.json();
        QCOMPARE(document.at("ok"), true);
        QVERIFY(document.at("tick_us").get<double>() > 0);
        QCOMPARE(document.at("passes").size(), std::size_t { 8 });
        for (const nlohmann::json& pass : document.at("passes")) {
            QVERIFY(pass.at("ms").get<double>() > 0);
            QVERIFY(pass.at("ms_low").get<double>() <= pass.at("ms_high").get<double>());
        }
        QCOMPARE(document.at("devices").size(), std::size_t { 2 });
        QCOMPARE(document.at("transfers").size(), std::size_t { 2 });
        QCOMPARE(document.at("orders").size(), std::size_t { 2 });
        QCOMPARE(document.at("orders").at(0).at("steps"), 3);
    }

    void itSaysOnWhichTransportItMeasured()
    {
        for (const QString transport : { "local", "gloo" }) {
            const Ended ended = call(arguments({ "--transport", transport, "--json" }));
            QVERIFY2(ended.code == 0, ended.error + ended.out);
            QCOMPARE(QString::fromStdString(ended.json().at("transport").get<std::string>()), transport);
            QVERIFY(ended.json().at("orders").at(0).at("forecast_with_scatter_ms").get<double>() > 0);
        }
    }

    void theDesignIsWrittenAndCanBeSimulated()
    {
        const QString path = runs_.folder("measured.pipeloom.json");
        const Ended ended = call(arguments({ "-o", path }));
        QVERIFY2(ended.code == 0, ended.error);
        for (const char* part : { "stage", "BW", "rank loop", "hand-over", "forecast" })
            QVERIFY2(ended.out.contains(part), ended.out);
        for (const QString& line : QString::fromUtf8(ended.out).split('\n'))
            QVERIFY2(line.size() <= 80, qPrintable(line));
        QVERIFY2(ended.error.contains("Wrote"), ended.error);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto written = nlohmann::json::parse(file.readAll().toStdString());
        QCOMPARE(written.at("costs").at("memory").at("unit"), "bytes");
        QCOMPARE(written.at("model").at("layers"), 8);
        const Ended simulated = call({ "simulate", path, "--json" });
        QVERIFY2(simulated.code == 0, simulated.out);
        QVERIFY(simulated.json().at("step_ticks").get<std::int64_t>() > 1000);
    }

    void theDesignGoesToStandardOutputAndTheTablesDoNot()
    {
        const Ended ended = call(arguments({ "-o", "-" }));
        QVERIFY2(ended.code == 0, ended.error);
        QCOMPARE(ended.json().at("pipeloom"), 1);
        QVERIFY2(ended.error.contains("rank loop"), ended.error);
    }

    void wrongUseAndBadInputAreToldApart_data()
    {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        QTest::newRow("no such file") << QStringList { "profile", "no-such-file" } << 2 << "no-such-file";
        QTest::newRow("no such forecast") << arguments({ "--forecast", "no-such-file" }) << 2 << "no-such-file";
        QTest::newRow("both want standard output") << arguments({ "--json", "-o", "-" }) << 2 << "standard output";
        QTest::newRow("no steps") << QStringList { "profile", design_, "--steps", "0" } << 2 << "--steps is";
        QTest::newRow("no such transport") << arguments({ "--transport", "nccl" }) << 2 << "must be local or gloo";
        QTest::newRow("no text") << QStringList { "profile", design_, "--data", "no-such-text" } << 2 << "no-such-text";
        QTest::newRow("cannot be written") << arguments({ "-o", "/no/such/folder/x" }) << 3 << "/no/such/folder";
    }

    void wrongUseAndBadInputAreToldApart()
    {
        QFETCH(QStringList, more);
        QFETCH(int, code);
        QFETCH(QString, said);
        const Ended ended = call(more);
        QCOMPARE(ended.code, code);
        QVERIFY2((ended.error + ended.out).contains(said.toUtf8()), ended.error + ended.out);
    }

    void anotherPlacementCannotBeForetold()
    {
        const Ended ended = call(arguments({ "--forecast", runs_.design("v-half", 2, 4), "--json" }));
        QCOMPARE(ended.code, 1);
        QCOMPARE(ended.json().at("findings").at(0).at("rule"), "profile/others");
    }

    void helpHasAnExample()
    {
        const Ended ended = call({ "profile", "--help" });
        QCOMPARE(ended.code, 0);
        QVERIFY2(ended.out.contains("Example:\n  pipeloom profile"), ended.out);
    }

    void anInterruptEndsItWith130()
    {
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(PIPELOOM_BINARY, { "profile", design_, "--data", runs_.text(), "--steps", "1000000" });
        QVERIFY(process.waitForStarted());
        QTest::qWait(1500);
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        QCOMPARE(ended(process).code, 130);
    }
};

QTEST_APPLESS_MAIN(ProfileWithExecutorTest)

#include "profile_with_executor_test.moc"
