// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The event log of a run: every line is JSON of its own, and together they say what the run's result says.
#include "core/formats/event_files.h"
#include "core/library/library.h"
#include "core/run/run_log.h"
#include "executor/emulation/emulation.h"
#include "executor/events/event_log.h"
#include "tests/executor/training_designs.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <map>
#include <thread>

using namespace pipeloom;
using namespace pipeloom::executor;

class EventsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPassAndTransferOfARehearsalIsALine();
    void aFolderGetsAFileOfItsOwn();
    void aPlaceThatCannotBeWrittenIsRefusedBeforeTheRun();
    void linesOfManyThreadsStayWhole();
    void aRunTellsAllThatAWindowShows();
    void aFullDiskIsToldAndTheRunGoesOn();

private:
    static Design vHalf()
    {
        LibraryRequest request;
        request.devices = 4;
        request.microBatches = 8;
        request.transfer = 1;
        return *findInLibrary("v-half")->make(request).design;
    }
    static std::vector<nlohmann::json> linesOf(const QString& path)
    {
        QFile file(path);
        std::vector<nlohmann::json> lines;
        if (!file.open(QIODevice::ReadOnly))
            return lines;
        while (!file.atEnd())
            lines.push_back(nlohmann::json::parse(file.readLine().toStdString()));
        return lines;
    }
};

void EventsTest::everyPassAndTransferOfARehearsalIsALine()
{
    QTemporaryDir folder;
    RunOptions options;
    options.steps = 2;
    options.events = folder.filePath("events.jsonl").toStdString();
    const RunResult result = emulate(vHalf(), options, EmulatedTime::Virtual);
    QVERIFY(result.ok());
    const auto lines = linesOf(QString::fromStdString(options.events));
    QVERIFY(!lines.empty());
    QCOMPARE(lines.front()["event"].get<std::string>(), std::string("run"));
    QCOMPARE(lines.front()["version"].get<int>(), 1);
    QCOMPARE(lines.front()["emulated"].get<bool>(), true);
    QCOMPARE(lines.front()["design"]["pipeline"]["devices"].get<int>(), 4);
    QCOMPARE(lines.back()["event"].get<std::string>(), std::string("end"));
    QCOMPARE(lines.back()["outcome"].get<std::string>(), std::string("finished"));
    std::map<std::string, int> counts;
    std::map<std::string, std::int64_t> lengths;
    for (const auto& line : lines) {
        const auto event = line["event"].get<std::string>();
        ++counts[event];
        if (event == "pass")
            lengths[line["pass"].get<std::string>()]
                = line["end_ns"].get<std::int64_t>() - line["start_ns"].get<std::int64_t>();
    }
    QCOMPARE(counts["pass"], 2 * 192);
    QCOMPARE(counts["step_begin"], 2 * 4);
    QCOMPARE(counts["step"], 2);
    QCOMPARE(static_cast<std::size_t>(counts["transfer"]), 2 * result.measured.transfers.size());
    for (const TimedPass& pass : result.measured.passes)
        QCOMPARE(lengths[text(pass.pass)], pass.end - pass.start);
}

void EventsTest::aFolderGetsAFileOfItsOwn()
{
    QTemporaryDir folder;
    RunOptions options;
    options.steps = 1;
    options.events = folder.path().toStdString();
    QVERIFY(emulate(vHalf(), options, EmulatedTime::Virtual).ok());
    QVERIFY(!linesOf(folder.filePath("events.jsonl")).empty());
}

void EventsTest::aPlaceThatCannotBeWrittenIsRefusedBeforeTheRun()
{
    RunOptions options;
    options.events = "/nowhere/at/all/events.jsonl";
    const RunResult result = emulate(vHalf(), options, EmulatedTime::Virtual);
    QCOMPARE(result.outcome, Outcome::Failed);
    QVERIFY(result.steps.empty());
    QCOMPARE(result.findings.back().rule, std::string("run/events"));
}

void EventsTest::linesOfManyThreadsStayWhole()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("events.jsonl").toStdString();
    {
        EventLog log(EventFile::open(path).file, Clock::now());
        std::vector<std::thread> threads;
        for (std::int32_t d = 0; d < 8; ++d)
            threads.emplace_back([&log, d] {
                const auto device = log.device(DeviceId { d });
                device->stepBegins(0, Clock::now());
                for (std::int32_t j = 0; j < 2000; ++j)
                    device->passEnded({ j, j + 1, { StageId { d }, MicroBatch { j }, PassKind::F }, false }, 7);
            });
        for (std::thread& thread : threads)
            thread.join();
    }
    const auto lines = linesOf(QString::fromStdString(path));
    QCOMPARE(lines.size(), std::size_t { 8 * 2003 }); // who runs the device, its step, and how many it wrote
    std::map<int, int> next;                          // each device's lines are in order
    for (const auto& line : lines)
        if (line["event"] == "pass") {
            const std::string pass = line["pass"];
            QCOMPARE(std::stoi(pass.substr(pass.find('F') + 1)), next[line["device"]]++);
        }
}

void EventsTest::aRunTellsAllThatAWindowShows()
{
    const QTemporaryDir folder;
    Design design = test::trainingDesign("v-half", 2, 4);
    auto options = test::trainingOptions(3);
    options.events = folder.filePath("events.jsonl").toStdString();
    options.checkpointDir = folder.filePath("saved").toStdString();
    options.verify = true;
    const RunResult result = run(design, options);
    QVERIFY2(result.ok(), test::said(result).c_str());

    EventFileReader reader(options.events);
    QVERIFY(reader.look().empty());
    RunLog log;
    reader.finish([&](RunEvent&& event, EventFileReader::Origin) { log.add(std::move(event)); });
    QCOMPARE(reader.counts().garbled + reader.counts().unknown + reader.counts().cut, std::int64_t { 0 });
    QVERIFY(log.began() && log.plan() && log.ended());
    QCOMPARE(log.began()->transport, std::string("local"));
    QCOMPARE(log.began()->steps, std::int64_t { 3 });
    QCOMPARE(log.began()->tokensPerStep, std::int64_t { 4 * 2 * 16 });
    QVERIFY(log.began()->beganUnixNs > 0);
    QCOMPARE(log.began()->design->pipeline, design.pipeline);
    QCOMPARE(log.faults().lostLines + log.faults().lostPasses + log.faults().strange + log.faults().late,
        std::int64_t { 0 });
    QCOMPARE(log.summaries().size(), std::size_t { 3 });
    for (std::size_t d = 0; d < 2; ++d) {
        QVERIFY(log.ranks()[d]);
        QCOMPARE(log.ranks()[d]->pid, std::int64_t { getpid() });
        QCOMPARE(log.peaks()[d], result.devices[d].peak.total);
        QCOMPARE(log.plan()->peaks[d], result.devices[d].predicted.total);
        // What passes leave behind is what was foretold of them, from what is there all the time on.
        const MeasuredStepPtr step = log.step(2);
        QVERIFY(step && step->isWhole());
        const auto levels = step->memory(DeviceId { d });
        QCOMPARE(levels.size(), std::size_t { 4 * 2 * 3 });
        Bytes highest = 0;
        for (const LevelChange& change : levels)
            highest = std::max(highest, change.level);
        QVERIFY(highest <= log.peaks()[d] && highest > log.peaks()[d] / 2);
        QVERIFY(!log.plan()->memory[d].empty());
        QVERIFY(log.plan()->memory[d].front().level > 0);
    }
    std::map<RunNotice::Kind, int> told;
    for (const RunNotice& notice : log.notices())
        ++told[notice.kind];
    QCOMPARE(told[RunNotice::Kind::Verified], 1);
    QCOMPARE(told[RunNotice::Kind::Checkpoint], 1);
    QCOMPARE(told[RunNotice::Kind::Rank], 2);
}

void EventsTest::aFullDiskIsToldAndTheRunGoesOn()
{
    if (!QFile::exists("/dev/full"))
        QSKIP("no /dev/full on this system");
    RunOptions options;
    options.steps = 1;
    options.events = "/dev/full";
    const RunResult result = emulate(vHalf(), options, EmulatedTime::Virtual);
    QVERIFY(result.ok());
    QCOMPARE(result.findings.back().rule, std::string("run/events"));
    QCOMPARE(result.findings.back().severity, Severity::Warning);

    EventFile::Opened opened = EventFile::open("/dev/full");
    QVERIFY(opened.file);
    QVERIFY(!opened.file->failure());
    opened.file->write("{}\n{}\n");
    opened.file->write("{}\n");
    const auto lost = opened.file->failure();
    QVERIFY(lost);
    QVERIFY2(lost->message.starts_with("3 lines of events were lost: "), lost->message.c_str());
}

QTEST_APPLESS_MAIN(EventsTest)
#include "events_test.moc"
