// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/event_lines.h"
#include "core/formats/read_event.h"

#include <QFile>
#include <QtTest>

#include <cmath>

using namespace pipeloom;

namespace {

const char* const runLine
    = R"({"event":"run","version":1,"devices":2,"stages":2,"micro_batches":4,"replicas":1,"first_step":3,"steps":20,"emulated":false,)"
      R"("transport":"gloo","tokens_per_step":4096,"began_unix_ns":1764547200000000000,"design":{"pipeloom":1,"name":"tiny",)"
      R"("pipeline":{"devices":2,"stages":2,"micro_batches":4,"placement":"linear"},"block":{"interval":3,"rows":["0F@0 0BW@4","1F@1 1BW@2"]}}})";
const char* const passLine
    = R"({"event":"pass","step":5,"device":1,"pass":"6BW3","start_ns":71200,"end_ns":90100,"pair":true,"bytes":1048576})";

template <class Event> Event read(const std::string& line)
{
    std::string problem;
    const auto event = readEvent(line, problem);
    if (!event || !std::holds_alternative<Event>(*event))
        qFatal("%s is not what it should be: %s", line.c_str(), problem.c_str());
    return std::get<Event>(*event);
}

/// What was read, in few words, to be compared.
std::string told(const RunEvent& event, std::int64_t begin)
{
    return std::to_string(event.index()) + ":" + std::to_string(stepOf(event).value_or(-1)) + ":"
        + std::to_string(timeOf(event).value_or(-1)) + "@" + std::to_string(begin);
}

struct Outcome {
    std::vector<std::string> events;
    EventCounts counts;
};

/// Fed in pieces of that size, the first one `first`.
Outcome fed(std::string_view bytes, std::size_t first, std::size_t piece)
{
    Outcome outcome;
    EventLines lines;
    const auto take = [&](RunEvent&& event, std::int64_t begin) { outcome.events.push_back(told(event, begin)); };
    lines.feed(bytes.substr(0, first), take);
    bytes.remove_prefix(std::min(first, bytes.size()));
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
        lines.feed(bytes.substr(0, piece), take);
    lines.finish(take);
    outcome.counts = lines.counts();
    return outcome;
}

Outcome fed(std::string_view bytes) { return fed(bytes, bytes.size(), 1); }

} // namespace

class EventLinesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theRunItsRanksAndItsPlanAreRead();
    void passesAndTransfersAreRead();
    void whatElseHappensIsRead();
    void unusualKeysAreReadToo();
    void garbledLinesAreToldAndPassedOver_data();
    void garbledLinesAreToldAndPassedOver();
    void linesOfALaterVersionAreCounted();
    void aCutLineIsReadIfItIsWhole();
    void windowsLinesAndMarksAreRead();
    void anySplittingGivesTheSame();
    void offsetsLeadBackToTheLines();
    void endlessLinesAreNotKept();
    void realRunsAreReadWhole_data();
    void realRunsAreReadWhole();
};

void EventLinesTest::theRunItsRanksAndItsPlanAreRead()
{
    const auto run = read<RunBegan>(runLine);
    QCOMPARE(run.devices, 2);
    QCOMPARE(run.microBatches, 4);
    QCOMPARE(run.firstStep, std::int64_t { 3 });
    QCOMPARE(run.steps, std::int64_t { 20 });
    QVERIFY(run.stepsAreKnown);
    QCOMPARE(run.transport, std::string("gloo"));
    QCOMPARE(run.tokensPerStep, std::int64_t { 4096 });
    QCOMPARE(run.beganUnixNs, std::int64_t { 1764547200000000000 });
    QCOMPARE(run.design->name, std::string("tiny"));
    const auto rank = read<RankBegan>(R"({"event":"rank","device":1,"rank":1,"pid":4712,"host":"node7"})");
    QCOMPARE(rank.device.value, 1);
    QCOMPARE(rank.pid, std::int64_t { 4712 });
    QCOMPARE(rank.host, std::string("node7"));
    const auto plan = read<RunPlanned>(
        R"({"event":"plan","step_ms":53.5,"rows":["0F0 0F1+0BW0 0BW1","1F0 1BW0"],"predicted_bytes":[14,15],)"
        R"("memory":{"F":[5,6],"B":[1,2],"W":[-6,-8],"BW":[-5,-6],"transient":{"F":[1,1],"B":[2,2],"W":[3,3],"BW":[4,4]},"fixed":[7,8]}})");
    QCOMPARE(plan.stepMs, 53.5);
    QCOMPARE(plan.rows.size(), std::size_t { 2 });
    QCOMPARE(QString::fromStdString(text(plan.rows[0][1])), QString("(0F1+0BW0)"));
    QCOMPARE(plan.predictedBytes, (std::vector<Bytes> { 14, 15 }));
    QCOMPARE(plan.memory->change.of(PassKind::W, StageId { 1 }), Bytes { -8 });
    QCOMPARE(plan.memory->transient.of(PassKind::BW, StageId { 0 }), Bytes { 4 });
    QCOMPARE(plan.memory->fixed, (std::vector<Bytes> { 7, 8 }));
}

void EventLinesTest::passesAndTransfersAreRead()
{
    const auto pass = read<PassEnded>(passLine);
    QCOMPARE(pass.step, std::int64_t { 5 });
    QCOMPARE(pass.device.value, 1);
    QCOMPARE(text(pass.pass), std::string("6BW3"));
    QCOMPARE(pass.start, Nanos { 71200 });
    QCOMPARE(pass.end, Nanos { 90100 });
    QCOMPARE(pass.bytes, Bytes { 1048576 });
    QVERIFY(pass.joined);
    const auto plain
        = read<PassEnded>(R"({"event":"pass","step":5,"device":1,"pass":"6F3","start_ns":-5,"end_ns":-5})");
    QCOMPARE(plain.start, Nanos { -5 });
    QCOMPARE(plain.bytes, Bytes { -1 });
    QVERIFY(!plain.joined);
    const auto transfer = read<TransferEnded>(
        R"({"event":"transfer","step":0,"pass":"6B3","from":1,"to":2,"start_ns":90100,"end_ns":90800})");
    QCOMPARE(transfer.from.value, 1);
    QCOMPARE(transfer.to.value, 2);
    QCOMPARE(transfer.end, Nanos { 90800 });
    QCOMPARE(deviceOf(transfer)->value, 2); // who received it tells it
}

void EventLinesTest::whatElseHappensIsRead()
{
    QCOMPARE(read<StepBegan>(R"({"event":"step_begin","step":1,"device":1,"at_ns":51200})").at, Nanos { 51200 });
    QCOMPARE(read<MemoryPeaked>(R"({"event":"memory","step":0,"device":1,"peak_bytes":104})").peak, Bytes { 104 });
    QCOMPARE(read<StepEnded>(R"({"event":"step","step":0,"loss":5.5,"step_ms":41})").loss, std::optional(5.5));
    QVERIFY(std::isnan(*read<StepEnded>(R"({"event":"step","step":0,"loss":null,"step_ms":41.2})").loss));
    QVERIFY(!read<StepEnded>(R"({"event":"step","step":0,"step_ms":41.2})").loss);
    const auto skip = read<StepUndone>(
        R"({"event":"skip","step":3,"reason":"nan","device":2,"stage":5,"parameter":"layer 4 qkv"})");
    QVERIFY(!skip.rolledBack);
    QCOMPARE(skip.device.value, 2);
    QCOMPARE(skip.stage.value, 5);
    QCOMPARE(skip.parameter, std::string("layer 4 qkv"));
    const auto clip = read<StepUndone>(R"({"event":"rollback","step":3,"reason":"clip","scale":0.8125})");
    QVERIFY(clip.rolledBack && clip.reason == StepUndone::Reason::Clipped);
    QCOMPARE(clip.scale, 0.8125);
    const auto stall = read<DeviceStalled>(
        R"({"event":"stall","device":2,"at_ns":912,"pass":"3B5","for_ms":1004.2,"waiting":[1,0],"message":"so"})");
    QCOMPARE(text(*stall.pass), std::string("3B5"));
    QCOMPARE(stall.waiting, (std::vector { DeviceId { 1 }, DeviceId { 0 } }));
    QVERIFY(!read<DeviceStalled>(R"({"event":"stall","device":2,"at_ns":9,"for_ms":1,"waiting":[]})").pass);
    QCOMPARE(read<CheckpointSaved>(R"({"event":"checkpoint","steps":20,"ms":8.6})").ms, 8.6);
    QCOMPARE(read<CheckpointSaved>(R"({"event":"checkpoint","steps":20})").ms, 0.0);
    QCOMPARE(read<RunVerified>(R"({"event":"verify","worst":3.1e-07,"parameter":"w"})").worst, 3.1e-07);
    const auto failed
        = read<RunFailed>(R"({"event":"error","rule":"run/nan","message":"Naïve \"end\"","remedy":"r","devices":[1]})");
    QCOMPARE(failed.message, std::string("Naïve \"end\""));
    QCOMPARE(failed.devices, (std::vector { DeviceId { 1 } }));
    QCOMPARE(read<DeviceEnded>(R"({"event":"device_end","device":1,"lines":4711})").lines, std::int64_t { 4711 });
    QCOMPARE(read<RunEnded>(R"({"event":"end","outcome":"finished"})").outcome, std::string("finished"));
}

/// Keys that nobody knows, nested, escaped or very many, cost a line its speed and nothing else.
void EventLinesTest::unusualKeysAreReadToo()
{
    const std::string head = R"({"event":"pass","step":5,"device":1,"pass":"6BW3","start_ns":71200,"end_ns":90100)";
    std::string many;
    for (int i = 0; i < 20; ++i)
        many += ",\"k" + std::to_string(i) + "\":1";
    for (const std::string& more : { std::string(R"(,"note":"a\"b")"), std::string(R"(,"why":{"deep":[1,{"x":null}]})"),
             std::string(R"(,"x":1.5)"), std::string(",\"é\":\"ü\""), many }) {
        const auto pass = read<PassEnded>(head + more + "}");
        QCOMPARE(pass.end, Nanos { 90100 });
        QCOMPARE(text(pass.pass), std::string("6BW3"));
    }
    const auto transfer = read<TransferEnded>(
        R"( { "from" : 1 , "note" : null, "to":2,"event":"transfer","step":0,"pass":"6B3","end_ns":90800,"start_ns":90100})");
    QCOMPARE(transfer.to.value, 2);
}

void EventLinesTest::garbledLinesAreToldAndPassedOver_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("what");
    const auto pass = [](const char* from, const char* to) { return QByteArray(passLine).replace(from, to); };
    QTest::newRow("no JSON") << QByteArray("nonsense") << QByteArray("no whole JSON");
    QTest::newRow("half a line") << QByteArray(passLine).left(40) << QByteArray("no whole JSON");
    QTest::newRow("two in one") << QByteArray(passLine).left(40) + passLine << QByteArray("no whole JSON");
    QTest::newRow("a list") << QByteArray("[1]") << QByteArray("no JSON object");
    QTest::newRow("no event") << QByteArray("{}") << QByteArray("event");
    QTest::newRow("event is a number") << QByteArray(R"({"event":1})") << QByteArray("wrong type");
    QTest::newRow("no step") << pass("\"step\":5,", "") << QByteArray("no step");
    QTest::newRow("half a step") << pass("\"step\":5", "\"step\":1.5") << QByteArray("step");
    QTest::newRow("a step as text") << pass("\"step\":5", "\"step\":\"5\"") << QByteArray("step");
    QTest::newRow("a true step") << pass("\"step\":5", "\"step\":true") << QByteArray("step");
    QTest::newRow("a step below 0") << pass("\"step\":5", "\"step\":-1") << QByteArray("step");
    QTest::newRow("a step that wraps") << pass("\"step\":5", "\"step\":18446744073709551615") << QByteArray("step");
    QTest::newRow("a device that wraps") << pass("\"device\":1", "\"device\":4294967297") << QByteArray("device");
    QTest::newRow("no such device") << pass("\"device\":1", "\"device\":4096") << QByteArray("device");
    QTest::newRow("no such pass") << pass("6BW3", "6X3") << QByteArray("pass");
    QTest::newRow("a pass that wraps") << pass("6BW3", "4294967302F3") << QByteArray("pass");
    QTest::newRow("a pass with more") << pass("6BW3", "6BW3 ") << QByteArray("pass");
    QTest::newRow("it ends before it starts") << pass("90100", "71199") << QByteArray("end_ns");
    QTest::newRow("a time beyond all") << pass("90100", "2305843009213693952") << QByteArray("end_ns");
    QTest::newRow("bytes below 0") << pass("1048576", "-2") << QByteArray("bytes");
    QTest::newRow("a device that wraps, by the tree")
        << QByteArray(R"({"event":"memory","step":0,"device":4294967297,"peak_bytes":1})") << QByteArray("device");
    QTest::newRow("half a byte") << QByteArray(R"({"event":"memory","step":0,"device":1,"peak_bytes":1.5})")
                                 << QByteArray("peak_bytes");
    QTest::newRow("waiting devices that are none")
        << QByteArray(R"({"event":"stall","device":2,"at_ns":9,"for_ms":1,"waiting":[-1]})") << QByteArray("device");
    QTest::newRow("another version") << QByteArray(runLine).replace("\"version\":1", "\"version\":2")
                                     << QByteArray("version 2");
    QTest::newRow("a design that is none")
        << QByteArray(runLine).replace("\"pipeloom\":1,", "") << QByteArray("design");
    QTest::newRow("nested deep") << QByteArray("{\"event\":") + QByteArray("[").repeated(100'000) << QByteArray("deep");
    QByteArray keys("{");
    for (int i = 0; i < 200'000; ++i)
        keys += "\"" + QByteArray::number(i) + "\":0,";
    QTest::newRow("very many keys") << keys + "\"event\":\"end\"}" << QByteArray("too many keys");
}

void EventLinesTest::garbledLinesAreToldAndPassedOver()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, what);
    const QByteArray file = QByteArray(passLine) + '\n' + line + '\n' + passLine + '\n';
    const Outcome outcome = fed(std::string_view(file.constData(), static_cast<std::size_t>(file.size())));
    QCOMPARE(outcome.events.size(), std::size_t { 2 });
    QCOMPARE(outcome.counts.lines, std::int64_t { 3 });
    QCOMPARE(outcome.counts.garbled, std::int64_t { 1 });
    QCOMPARE(outcome.counts.unknown, std::int64_t { 0 });
    const auto first = QByteArray::fromStdString(outcome.counts.firstGarbled);
    QVERIFY2(first.contains(what), first.constData());
    QVERIFY2(first.size() < 1000, first.constData());
}

void EventLinesTest::linesOfALaterVersionAreCounted()
{
    const Outcome outcome = fed("{\"event\":\"weather\",\"sky\":\"blue\"}\n{\"event\":\"later\"}");
    QVERIFY(outcome.events.empty());
    QCOMPARE(outcome.counts.lines, std::int64_t { 2 });
    QCOMPARE(outcome.counts.unknown, std::int64_t { 2 });
    QCOMPARE(outcome.counts.garbled + outcome.counts.cut, std::int64_t { 0 });
}

void EventLinesTest::aCutLineIsReadIfItIsWhole()
{
    const std::string line = passLine;
    for (std::size_t length = 1; length <= line.size(); ++length) {
        const Outcome outcome = fed(line + "\n" + line.substr(0, length));
        const bool isWhole = length == line.size();
        QCOMPARE(outcome.events.size(), std::size_t { isWhole ? 2U : 1U });
        QCOMPARE(outcome.counts.cut, std::int64_t { isWhole ? 0 : 1 });
        QCOMPARE(outcome.counts.garbled, std::int64_t { 0 });
    }
}

void EventLinesTest::windowsLinesAndMarksAreRead()
{
    const std::string end = R"({"event":"end","outcome":"finished"})";
    const Outcome outcome = fed("\xEF\xBB\xBF" + std::string(passLine) + "\r\n\r\n   \n" + end + "\r");
    QCOMPARE(outcome.events.size(), std::size_t { 2 });
    QCOMPARE(outcome.counts.lines, std::int64_t { 2 });
    const Outcome alone = fed("\xEF\xBB\xBF" + end);
    QCOMPARE(alone.events.size(), std::size_t { 1 });
    QCOMPARE(fed("\r").counts.cut, std::int64_t { 0 });
    QCOMPARE(fed("").counts.lines, std::int64_t { 0 });
}

void EventLinesTest::anySplittingGivesTheSame()
{
    const std::string file = std::string(passLine) + "\r\n" + R"({"event":"step","step":0,"loss":null,"step_ms":41.2})"
        + "\ngarbage\n\n" + R"({"event":"new"})" + "\n" + R"({"event":"step_begin","step":1,"device":1,"at_ns":512})"
        + "\n" + std::string(passLine).substr(0, 30);
    const Outcome whole = fed(file);
    QCOMPARE(whole.events.size(), std::size_t { 3 });
    for (std::size_t first = 0; first <= file.size(); ++first)
        for (const std::size_t piece : { std::size_t { 1 }, std::size_t { 7 }, file.size() }) {
            const Outcome pieces = fed(file, first, piece);
            QCOMPARE(pieces.events, whole.events);
            QCOMPARE(pieces.counts.lines, whole.counts.lines);
            QCOMPARE(pieces.counts.garbled, whole.counts.garbled);
            QCOMPARE(pieces.counts.unknown, whole.counts.unknown);
            QCOMPARE(pieces.counts.cut, whole.counts.cut);
        }
}

void EventLinesTest::offsetsLeadBackToTheLines()
{
    const std::string file = std::string(passLine) + "\n\nrubbish\r\n" + passLine + "\n" + passLine;
    std::vector<std::int64_t> begins;
    EventLines lines;
    const auto take = [&](RunEvent&&, std::int64_t begin) { begins.push_back(begin); };
    for (const char byte : file)
        lines.feed({ &byte, 1 }, take);
    lines.finish(take);
    QCOMPARE(begins.size(), std::size_t { 3 });
    for (const std::int64_t begin : begins)
        QVERIFY(file.compare(static_cast<std::size_t>(begin), std::strlen(passLine), passLine) == 0);
}

void EventLinesTest::endlessLinesAreNotKept()
{
    EventLines lines;
    int events = 0;
    const auto take = [&](RunEvent&&, std::int64_t) { ++events; };
    const std::string piece(std::size_t { 1 } << 20, 'x');
    for (int i = 0; i < 66; ++i)
        lines.feed(piece, take);
    lines.feed(std::string("\n") + passLine + "\n", take);
    QCOMPARE(events, 1);
    QCOMPARE(lines.counts().garbled, std::int64_t { 1 });
    QVERIFY(lines.counts().firstGarbled.find("64 MB") != std::string::npos);
}

void EventLinesTest::realRunsAreReadWhole_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : { "v-half", "straggler", "nan-skip", "killed" })
        QTest::newRow(name) << name;
}

void EventLinesTest::realRunsAreReadWhole()
{
    QFETCH(QString, name);
    QFile file(QString(PIPELOOM_SOURCE_DIR "/tests/recordings/%1.jsonl").arg(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    const Outcome outcome = fed(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    QCOMPARE(outcome.counts.lines, std::int64_t { bytes.count('\n') });
    QCOMPARE(static_cast<std::int64_t>(outcome.events.size()), outcome.counts.lines);
    QCOMPARE(outcome.counts.garbled + outcome.counts.unknown + outcome.counts.cut, std::int64_t { 0 });
}

QTEST_APPLESS_MAIN(EventLinesTest)
#include "event_lines_test.moc"
