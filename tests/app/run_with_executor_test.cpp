// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// pipeloom run: a real training of a small model.

#include "tests/app/small_runs.h"

#include <QtTest>
#include <signal.h>

#include <cmath>

using namespace pipeloom::test;

class RunWithExecutorTest : public QObject {
    Q_OBJECT

    SmallRuns runs_;
    QString design_;

    [[nodiscard]] QStringList runArguments(const QStringList& more = {}) const
    {
        return QStringList { "run", design_, "--data", runs_.text() } + more;
    }

private Q_SLOTS:
    void initTestCase() { design_ = runs_.design("v-half", 2, 4); }

    void replicasAreDevicesAndMicroBatchesMore()
    {
        const Ended ended = call(runArguments({ "--steps", "2", "--replicas", "2", "--verify", "--json" }));
        QVERIFY2(ended.code == 0, ended.error + ended.out);
        const nlohmann::json document = ended.json();
        QCOMPARE(document.at("devices").size(), std::size_t { 4 });
        for (std::size_t d = 0; d < 4; ++d)
            QCOMPARE(document.at("devices").at(d).at("device"), d);
        QVERIFY(document.at("verify").at("worst").get<double>() <= 1e-5);
        QCOMPARE(call(runArguments({ "--replicas", "0" })).code, 2);
        QCOMPARE(call(runArguments({ "--replicas", "4096" })).code, 1); // twice as many devices
    }

    void aDesignThatCannotBeReadEndsWithTwo() { QCOMPARE(call({ "run", "no-such-file" }).code, 2); }

    void itTrainsVerifiesAndTellsAllAsOneDocument()
    {
        const Ended ended = call(runArguments({ "--steps", "3", "--verify", "--json" }));
        QVERIFY2(ended.code == 0, ended.error + ended.out);
        const nlohmann::json document = ended.json();
        QCOMPARE(document.at("ok"), true);
        QCOMPARE(document.at("emulated"), false);
        QCOMPARE(document.at("steps").size(), std::size_t { 3 });
        QCOMPARE(document.at("steps").at(2).at("step"), 2);
        QVERIFY(document.at("steps").at(0).at("step_ms").get<double>() > 0);
        QVERIFY(std::isfinite(document.at("steps").at(0).at("loss").get<double>()));
        QVERIFY(document.at("verify").at("worst").get<double>() <= 1e-5);
        QCOMPARE(document.at("devices").size(), std::size_t { 2 });
        for (const nlohmann::json& device : document.at("devices")) {
            for (const char* key : { "busy_ms", "wait_ms", "transfer_ms" })
                QVERIFY(device.at(key).get<double>() >= 0);
            for (const char* bytes : { "peak_bytes", "predicted_bytes" })
                for (const char* use : { "total", "weights", "gradients", "optimizer", "activations", "passing" })
                    QVERIFY2(device.at(bytes).at(use).get<std::int64_t>() >= 0, use);
        }
    }

    void itTellsEveryStepAndPlannedBesideMeasured()
    {
        const Ended ended = call(runArguments({ "--steps", "2", "--verify" }));
        QVERIFY2(ended.code == 0, ended.error);
        for (const char* part : { "loss", "Verified", "planned", "measured", "activations", "idle share" })
            QVERIFY2(ended.out.contains(part), ended.out);
        QCOMPARE(ended.error, QByteArray());
        for (const QString& line : QString::fromUtf8(ended.out).split('\n'))
            QVERIFY2(line.size() <= 80, qPrintable(line));
    }

    void aDesignWithErrorsIsRefusedWithOne()
    {
        const QString broken = runs_.write("broken.pipeloom.json", changed(design("v-half", 4, 8), " 7W@16", ""));
        const Ended refused = call({ "run", broken, "--data", runs_.text(), "--json" });
        QCOMPARE(refused.code, 1);
        QCOMPARE(refused.json().at("ok"), false);
        QVERIFY(refused.json().at("steps").empty());
    }

    void anEmptyTextEndsWithTwo()
    {
        const Ended refused = call({ "run", design_, "--data", runs_.write("empty.txt", ""), "--steps", "1" });
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.error.contains("data/"), refused.error);
        QCOMPARE(refused.out, QByteArray());
    }

    void aFullDiskForCheckpointsEndsWithThree()
    {
        const Ended failed = call(runArguments({ "--steps", "1", "--checkpoint", "/dev/full/saved" }));
        QVERIFY2(failed.code == 3 || failed.code == 2, failed.error);
        QVERIFY(!failed.error.isEmpty());
    }

    void aResumedRunGoesOnWithTheNextStep()
    {
        const QString saved = runs_.folder("saved");
        QCOMPARE(call(runArguments({ "--steps", "2", "--checkpoint", saved })).code, 0);
        const nlohmann::json whole = call(runArguments({ "--steps", "3", "--json" })).json();
        const Ended resumed = call(runArguments({ "--steps", "1", "--resume", saved, "--json" }));
        QVERIFY2(resumed.code == 0, resumed.out);
        const nlohmann::json document = resumed.json();
        QCOMPARE(document.at("steps").at(0).at("step"), 2);
        QCOMPARE(document.at("steps").at(0).at("loss"), whole.at("steps").at(2).at("loss"));
    }

    void anInterruptEndsARunWith130AndWhatItHasDone()
    {
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(PIPELOOM_BINARY, runArguments({ "--steps", "1000000", "--json" }));
        QVERIFY(process.waitForStarted());
        QTest::qWait(2000);
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        const Ended interrupted = ended(process);
        QCOMPARE(interrupted.code, 130);
        QCOMPARE(interrupted.json().at("ok"), false);
    }

    void aRehearsalTakesWhatIsPlannedAndIsMarked()
    {
        const Ended ended = call({ "run", design_, "--emulate=virtual", "--steps", "2", "--json" });
        QVERIFY2(ended.code == 0, ended.error + ended.out);
        const nlohmann::json document = ended.json();
        QCOMPARE(document.at("emulated"), true);
        QCOMPARE(document.at("emulation").at("clock"), "virtual");
        QCOMPARE(document.at("steps").size(), std::size_t { 2 });
        QVERIFY(document.at("steps").at(0).at("loss").is_null());
        const Ended simulated = call({ "simulate", design_, "--json" });
        QCOMPARE(document.at("steps").at(0).at("step_ms").get<double>(),
            simulated.json().at("step_ticks").get<double>()); // a tick is a millisecond
        QCOMPARE(call({ "run", design_, "--emulate", "--verify" }).code, 1);
        QCOMPARE(call({ "run", design_, "--emulate=never" }).code, 2);
    }

    void eventsTellWhatTheResultTells()
    {
        const QString events = runs_.folder("events.jsonl");
        const Ended ended = call(runArguments({ "--steps", "2", "--events", events, "--json" }));
        QVERIFY2(ended.code == 0, ended.error + ended.out);
        QFile file(events);
        QVERIFY(file.open(QIODevice::ReadOnly));
        int passes = 0;
        std::vector<double> losses;
        std::string last;
        while (!file.atEnd()) {
            const nlohmann::json line = nlohmann::json::parse(file.readLine().toStdString());
            last = line.at("event");
            passes += last == "pass";
            if (last == "step")
                losses.push_back(line.at("loss"));
        }
        QCOMPARE(last, std::string("end"));
        QCOMPARE(passes, 2 * 4 * 4 * 3); // steps, stages, micro-batches; F, B and W
        QCOMPARE(losses.size(), std::size_t { 2 });
        for (std::size_t i = 0; i < losses.size(); ++i)
            QCOMPARE(losses[i], ended.json().at("steps").at(i).at("loss").get<double>());
        QCOMPARE(call(runArguments({ "--events", "-", "--json" })).code, 2);
        QCOMPARE(call(runArguments({ "--events", "/nowhere/at/all" })).code, 3);
    }

    void aRunWhoseReaderIsGoneStops()
    {
        const Ended ended = shell(QString("pipeloom run %1 --data %2 --steps 100000000 | head -1 >/dev/null; echo "
                                          "${PIPESTATUS[0]}")
                                      .arg(design_, runs_.text()));
        QCOMPARE(ended.out, QByteArray("130\n"));
    }
};

QTEST_APPLESS_MAIN(RunWithExecutorTest)

#include "run_with_executor_test.moc"
