// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// Runs on processes, by the real program over the real gloo: that they train the same.

#include "tests/app/small_runs.h"

#include <QtTest>
#include <unistd.h>

#include <cmath>

using namespace pipeloom::test;

class ProcessesWithExecutorTest : public QObject {
    Q_OBJECT

    SmallRuns runs_;
    QString four_; ///< a design for four devices

private Q_SLOTS:
    void initTestCase() { four_ = runs_.design("v-half", 4, 8); }

    void everyScheduleTrainsTheSameOnThreadsAndOnProcesses_data()
    {
        QTest::addColumn<QString>("schedule");
        const auto list = call({ "list", "--json" }).json();
        for (const auto& entry : list) {
            const auto name = entry.at("name").get<std::string>();
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }

    void everyScheduleTrainsTheSameOnThreadsAndOnProcesses()
    {
        QFETCH(QString, schedule);
        const QString file = runs_.design(schedule, 2, 4);
        const Ended threads = call(runs_.run(file, { "--steps", "3", "--json" }));
        const Ended processes = call(runs_.run(file, { "--steps", "3", "--json", "--ranks", "2", "--verify" }));
        QVERIFY2(threads.code == 0, threads.out);
        QVERIFY2(processes.code == 0, processes.out + processes.error);
        const auto expected = losses(threads.json());
        const auto found = losses(processes.json());
        QCOMPARE(found.size(), std::size_t { 3 });
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY2(std::abs(found[i] - expected[i]) <= 1e-5 * expected[i], processes.out);
        QVERIFY(processes.json().at("verify").at("worst").get<double>() <= 1e-5);
        QCOMPARE(processes.json().at("devices").size(), std::size_t { 2 });
        for (const auto& device : processes.json().at("devices"))
            QVERIFY(device.at("peak_bytes").at("activations").get<std::int64_t>() > 0);
    }

    void replicasTrainOnProcessesToo()
    {
        const QString file = runs_.design("1f1b", 2, 2);
        const Ended ended
            = call(runs_.run(file, { "--steps", "2", "--replicas", "2", "--ranks", "4", "--verify", "--json" }));
        QVERIFY2(ended.code == 0, ended.out + ended.error);
        QCOMPARE(ended.json().at("devices").size(), std::size_t { 4 });
        const Ended threads = call(runs_.run(file, { "--steps", "2", "--replicas", "2", "--json" }));
        QCOMPARE(losses(ended.json()), losses(threads.json()));
    }

    void eventsOfAllRanksAreWhole()
    {
        const Ended toOutput = call(runs_.run(four_, { "--ranks", "4", "--steps", "2", "--events", "-" }));
        QVERIFY2(toOutput.code == 0, toOutput.error);
        std::map<std::string, int> count;
        for (const QByteArray& line : toOutput.out.trimmed().split('\n'))
            ++count[nlohmann::json::parse(line.toStdString()).at("event").get<std::string>()];
        QCOMPARE(count["run"], 1);
        QCOMPARE(count["pass"], 2 * 8 * 8 * 3); // steps, stages, micro-batches, F B W
        QCOMPARE(count["transfer"], 2 * 8 * 6 * 2);
        QCOMPARE(count["step"], 2);
        QCOMPARE(count["end"], 1);

        QDir(runs_.folder("")).mkdir("events");
        const QString events = runs_.folder("events");
        QCOMPARE(call(runs_.run(four_, { "--ranks", "4", "--steps", "2", "--events", events })).code, 0);
        QCOMPARE(QDir(events).entryList({ "*.jsonl" }).size(), 5);
        const QString file = runs_.folder("events.jsonl");
        QCOMPARE(call(runs_.run(four_, { "--ranks", "4", "--steps", "2", "--events", file })).code, 0);
        QFile read(file);
        QVERIFY(read.open(QIODevice::ReadOnly));
        int passes = 0;
        for (const QByteArray& line : read.readAll().trimmed().split('\n'))
            passes += nlohmann::json::parse(line.toStdString()).at("event") == "pass" ? 1 : 0;
        QCOMPARE(passes, 2 * 8 * 8 * 3);
    }

    void whoHoldsUpTheOthersIsToldWhileTheyWait_data()
    {
        QTest::addColumn<QStringList>("how");
        QTest::newRow("threads") << QStringList {};
        QTest::newRow("processes") << QStringList { "--ranks", "4" };
    }

    void whoHoldsUpTheOthersIsToldWhileTheyWait()
    {
        QFETCH(QStringList, how);
        const Ended ended
            = call(runs_.run(four_, how + QStringList { "--steps", "1", "--events", "-", "--drill", "slow=2500@2F3" }));
        QVERIFY2(ended.code == 0, ended.error);
        int stalls = 0;
        for (const QByteArray& line : ended.out.trimmed().split('\n')) {
            const auto event = nlohmann::json::parse(line.toStdString());
            if (event.at("event") == "plan")
                QCOMPARE(event.at("rows").size(), std::size_t { 4 });
            if (event.at("event") != "stall" || event.at("device") != 2)
                continue;
            ++stalls;
            QCOMPARE(event.at("pass"), "2F3");
            QVERIFY(!event.at("waiting").empty());
            QVERIFY(event.at("message").get<std::string>().starts_with("device 2 has not finished 2F3"));
        }
        QCOMPARE(stalls, 1);
    }

    void wrongNumbersAndContradictionsAreRefused()
    {
        const Ended ranks = call(runs_.run(four_, { "--ranks", "3" }));
        QCOMPARE(ranks.code, 1);
        QVERIFY2(ranks.error.contains("run/ranks") && ranks.error.contains("--ranks 4"), ranks.error);
        QCOMPARE(call(runs_.run(four_, { "--ranks", "4", "--transport", "local" })).code, 2);
        QCOMPARE(call(runs_.run(four_, { "--ranks", "4", "--emulate" })).code, 2);
        QCOMPARE(call(runs_.run(four_, { "--drill", "explode@1F2" })).code, 2);
        QCOMPARE(call(runs_.run(four_, { "--drill", "kill@1F2" })).code, 2);  // would kill all threads
        QCOMPARE(call(runs_.run(four_, { "--drill", "throw@9F2" })).code, 1); // no such stage
        QCOMPARE(call(runs_.run(four_, { "--transport", "pigeon" })).code, 2);
        auto environment = plainEnvironment();
        environment.insert("RANK", "x");
        const Ended place = call(runs_.run(four_), {}, environment);
        QCOMPARE(place.code, 2);
        QVERIFY2(place.error.contains("RANK is `x`"), place.error);
    }

    /// As torchrun, Slurm and MPI start them.
    void ranksByTheEnvironmentFindEachOther()
    {
        const QString file = runs_.design("zb-h1", 2, 4);
        const auto start = [&](int rank, int world, QProcess& process, const QStringList& more = { "--verify" }) {
            auto environment = plainEnvironment();
            environment.insert("RANK", QString::number(rank));
            environment.insert("WORLD_SIZE", QString::number(world));
            environment.insert("LOCAL_RANK", QString::number(rank));
            environment.insert("MASTER_ADDR", "127.0.0.1");
            environment.insert("MASTER_PORT", QString::number(29'000 + getpid() % 1000));
            process.setProcessEnvironment(environment);
            process.start(PIPELOOM_BINARY, runs_.run(file, QStringList { "--steps", "2", "--json" } + more));
        };
        QProcess first;
        QProcess second;
        start(0, 2, first);
        start(1, 2, second);
        const Ended zero = ended(first);
        const Ended one = ended(second);
        QVERIFY2(zero.code == 0, zero.out + zero.error);
        QVERIFY2(one.code == 0, one.out + one.error);
        QCOMPARE(one.out, QByteArray());
        QCOMPARE(losses(zero.json()), losses(call(runs_.run(file, { "--steps", "2", "--json" })).json()));

        // Only one of them would compare gradients: both say so, and neither waits for what never comes.
        QProcess comparing;
        QProcess other;
        start(0, 2, comparing);
        start(1, 2, other, {});
        const Ended refused = ended(comparing);
        QCOMPARE(ended(other).code, 3);
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.out.contains("run/digest"), refused.out);

        QProcess lonely;
        start(0, 3, lonely);
        const Ended wrong = ended(lonely);
        QCOMPARE(wrong.code, 3);
        QVERIFY2(wrong.out.contains("run/world"), wrong.out);
    }
};

QTEST_APPLESS_MAIN(ProcessesWithExecutorTest)
#include "processes_with_executor_test.moc"
