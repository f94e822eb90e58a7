// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// What is told arrives as it was; what arrives garbled is nothing, and harms nobody.

#include "executor/processes/wire.h"
#include "tests/executor/processes/statuses.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;
using namespace std::chrono_literals;

namespace {

const auto now = Clock::time_point { 1000h };

class Dice {
public:
    explicit Dice(unsigned seed)
        : random_(seed)
    {
    }

    std::int64_t number(std::int64_t low, std::int64_t high)
    {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
    }
    std::int32_t small() { return static_cast<std::int32_t>(number(0, 4000)); }
    std::int64_t any()
    {
        return number(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    }
    double bits() { return std::bit_cast<double>(static_cast<std::uint64_t>(any())); }
    bool coin() { return number(0, 1) == 1; }
    Pass pass() { return { StageId { small() }, MicroBatch { small() }, static_cast<PassKind>(number(0, passKinds)) }; }
    std::string text()
    {
        static const std::vector<std::string> words { "", "\"", "\\", "\n", "ü", "2F7", "漢", "{", "\x01",
            "plain words" };
        std::string result;
        for (auto n = number(0, 5); n > 0; --n)
            result += words[static_cast<std::size_t>(number(0, std::ssize(words) - 1))];
        return result;
    }

    DeviceStatus status()
    {
        DeviceStatus status;
        status.device = DeviceId { small() };
        status.doing = static_cast<Doing>(number(0, static_cast<int>(Doing::Ended)));
        status.since = now - std::chrono::milliseconds(number(0, 1'000'000));
        status.pass = pass();
        status.needs = pass();
        status.from = DeviceId { small() };
        if (coin())
            status.finished = pass();
        return status;
    }
    Beat beat()
    {
        Beat beat { number(0, 1'000'000), coin(), {} };
        for (auto n = number(0, 4); n > 0; --n)
            beat.statuses.push_back(status());
        return beat;
    }
    Finding finding()
    {
        Finding finding { text(), static_cast<Severity>(number(0, 2)), {}, text(), text(), text() };
        for (auto n = number(0, 4); n > 0; --n) {
            Place place;
            if (coin())
                place.device = DeviceId { small() };
            if (coin())
                place.slot = small();
            if (coin())
                place.route = RouteId { small() };
            if (coin())
                place.row = small();
            if (coin())
                place.column = small();
            place.pass = text();
            place.pointer = text();
            finding.where.push_back(place);
        }
        return finding;
    }
    MemoryUse memory()
    {
        MemoryUse use;
        for (auto& bytes : use.byClass)
            bytes = any();
        use.total = any();
        return use;
    }
    StepRecord record()
    {
        StepRecord record;
        for (auto n = number(0, 8); n > 0; --n)
            record.passes.push_back({ any(), any(), pass(), coin() });
        for (auto n = number(0, 8); n > 0; --n)
            record.transfers.push_back({ any(), any(), pass(), DeviceId { small() }, DeviceId { small() } });
        record.busy = Nanoseconds { any() };
        record.processor = Nanoseconds { any() };
        record.loop = Nanoseconds { any() };
        record.loopProcessor = Nanoseconds { any() };
        record.around = Nanoseconds { any() };
        record.transfer = Nanoseconds { any() };
        record.wait = Nanoseconds { any() };
        record.peak = memory();
        return record;
    }
    RankReport report()
    {
        RankReport report;
        report.device = DeviceId { small() };
        if (coin())
            report.lastStep = record();
        report.lastStepTime = Nanoseconds { any() };
        report.peak = memory();
        for (auto n = number(0, 3); n > 0; --n)
            report.warnings.push_back(finding());
        if (coin())
            report.finding = finding();
        return report;
    }
    std::vector<StageSums> sums()
    {
        std::vector<StageSums> sums;
        for (auto n = number(0, 5); n > 0; --n)
            sums.push_back({ StageId { small() }, bits(), bits(), number(0, 1'000'000'000) });
        return sums;
    }

private:
    std::mt19937_64 random_;
};

/// One of everything, as text.
std::vector<std::string> everything(Dice& dice)
{
    return { toWire(dice.beat(), now), toWire(dice.finding()),
        toWire(Hello { dice.text(), dice.text(), dice.text(), dice.number(0, 99999), dice.small(), DeviceId { 3 },
            dice.number(0, 99999) }),
        toWire(StepReport { dice.number(0, 1000), dice.bits(), dice.bits() }), toWire(dice.record()),
        toWire(dice.memory()), toWire(dice.sums()), toWire(dice.report()) };
}

/// How many of all readers make something of it; what they make is within its range.
int readersOf(const std::string& text)
{
    int readers = 0;
    if (const auto beat = beatFrom(text, now)) {
        ++readers;
        for (const auto& status : beat->statuses)
            if (status.device.value < 0 || status.from.value < 0 || status.doing > Doing::Ended || status.since > now
                || status.pass.kind > PassKind::None || status.pass.stage.value < 0)
                qFatal("out of range: %s", text.c_str());
    }
    if (const auto finding = findingFrom(text)) {
        ++readers;
        if (finding->severity > Severity::Note)
            qFatal("out of range: %s", text.c_str());
    }
    readers += helloFrom(text).has_value() ? 1 : 0;
    readers += stepReportFrom(text).has_value() ? 1 : 0;
    readers += stepRecordFrom(text).has_value() ? 1 : 0;
    readers += memoryUseFrom(text).has_value() ? 1 : 0;
    readers += stageSumsFrom(text).has_value() ? 1 : 0;
    readers += rankReportFrom(text).has_value() ? 1 : 0;
    return readers;
}

} // namespace

class WireTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBeatSaysWhatADeviceWaitsForAndSinceWhen();
    void agesAreOfTheReadersClock();
    void anythingComesBackAsItWas();
    void numbersKeepAllTheirBits();
    void bytesThatAreNoTextAreReplaced();
    void cutTextIsNothing();
    void flippedBitsHarmNobody();
    void whatIsOutOfRangeIsNothing_data();
    void whatIsOutOfRangeIsNothing();
};

void WireTest::aBeatSaysWhatADeviceWaitsForAndSinceWhen()
{
    const auto status = waitingFor(2, forward(1, 7), 1, forward(2, 7), backward(2, 3), now - 1500ms);
    const auto beat = beatFrom(toWire(Beat { 5, true, { status } }, now), now);
    QVERIFY(beat);
    QCOMPARE(beat->number, 5);
    QVERIFY(beat->ended);
    QCOMPARE(beat->statuses.size(), std::size_t { 1 });
    QCOMPARE(text(beat->statuses[0], now), text(status, now));
    QCOMPARE(text(status, now), std::string("device 2 waited 1.5 s for 1F7 from device 1 before 2F7"));
    QVERIFY(beat->statuses[0].finished == backward(2, 3));
    QVERIFY(beat->statuses[0].since == status.since);
}

void WireTest::agesAreOfTheReadersClock()
{
    const auto told = toWire(Beat { 1, false, { doing(0, Doing::Optimizer, now - 250ms) } }, now);
    const auto elsewhere = Clock::time_point { 7s };
    QVERIFY(beatFrom(told, elsewhere)->statuses[0].since == elsewhere - 250ms);
    // What has only just begun, by a clock read a moment later, is not begun in the future.
    const auto fresh = toWire(Beat { 1, false, { doing(0, Doing::Optimizer, now + 3ms) } }, now);
    QVERIFY(beatFrom(fresh, elsewhere)->statuses[0].since == elsewhere);
}

void WireTest::anythingComesBackAsItWas()
{
    Dice dice(1);
    for (int i = 0; i < 300; ++i) {
        const auto finding = dice.finding();
        QVERIFY(findingFrom(toWire(finding)) == finding);
        const Hello hello { dice.text(), dice.text(), dice.text(), dice.number(0, 99999), dice.small(),
            DeviceId { dice.small() }, dice.number(0, 99999) };
        QVERIFY(helloFrom(toWire(hello)) == hello);
        const auto record = dice.record();
        const auto recordBack = stepRecordFrom(toWire(record));
        QVERIFY(recordBack && recordBack->passes == record.passes && recordBack->transfers == record.transfers);
        // One text stands for one value, so equal texts are equal values.
        const auto beat = toWire(dice.beat(), now);
        QCOMPARE(toWire(beatFrom(beat, now).value(), now), beat);
        QCOMPARE(toWire(*recordBack), toWire(record));
        const auto memory = toWire(dice.memory());
        QCOMPARE(toWire(memoryUseFrom(memory).value()), memory);
        const auto sums = toWire(dice.sums());
        QCOMPARE(toWire(stageSumsFrom(sums).value()), sums);
        const auto report = toWire(dice.report());
        QCOMPARE(toWire(rankReportFrom(report).value()), report);
        const auto step = toWire(StepReport { dice.number(0, 1000), dice.bits(), dice.bits() });
        QCOMPARE(toWire(stepReportFrom(step).value()), step);
    }
}

void WireTest::numbersKeepAllTheirBits()
{
    using Limits = std::numeric_limits<double>;
    for (const double value : { 0.0, -0.0, 0.1, 1.0 / 3.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
             -Limits::quiet_NaN(), Limits::denorm_min(), Limits::max(), Limits::lowest() }) {
        const std::vector sent { StageSums { StageId { 1 }, value, value, 2 } };
        const auto came = stageSumsFrom(toWire(sent));
        QVERIFY(came);
        QCOMPARE(std::bit_cast<std::uint64_t>((*came)[0].lossSum), std::bit_cast<std::uint64_t>(value));
        QCOMPARE(std::bit_cast<std::uint64_t>((*came)[0].squaredGradientNorm), std::bit_cast<std::uint64_t>(value));
        const auto report = stepReportFrom(toWire(StepReport { 4, value, value }));
        QVERIFY(report);
        QCOMPARE(std::bit_cast<std::uint64_t>(report->loss), std::bit_cast<std::uint64_t>(value));
        QCOMPARE(std::bit_cast<std::uint64_t>(report->stepMs), std::bit_cast<std::uint64_t>(value));
    }
}

void WireTest::bytesThatAreNoTextAreReplaced()
{
    Finding finding;
    finding.message = "a path: \xff\xfe";
    const auto came = findingFrom(toWire(finding));
    QVERIFY(came);
    QVERIFY(came->message.starts_with("a path: "));
}

void WireTest::cutTextIsNothing()
{
    Dice dice(2);
    for (int i = 0; i < 5; ++i)
        for (const auto& whole : everything(dice))
            for (std::size_t length = 0; length<whole.size(); length += whole.size()> 400 ? 7 : 1)
                QCOMPARE(readersOf(whole.substr(0, length)), 0);
}

void WireTest::flippedBitsHarmNobody()
{
    Dice dice(3);
    int broken = 0;
    for (int i = 0; i < 60; ++i) {
        for (auto garbled : everything(dice)) {
            QVERIFY(readersOf(garbled) >= 1);
            for (auto flips = dice.number(1, 4); flips > 0; --flips)
                garbled[static_cast<std::size_t>(dice.number(0, std::ssize(garbled) - 1))]
                    ^= static_cast<char>(1 << dice.number(0, 7));
            broken += readersOf(garbled) == 0 ? 1 : 0;
        }
    }
    QVERIFY(broken > 200);
}

void WireTest::whatIsOutOfRangeIsNothing_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto status = [](const char* row, const char* fields) {
        QTest::newRow(row) << QByteArray(R"({"number":1,"ended":false,"statuses":[)") + fields + "]}";
    };
    status("a device below 0", "[-1,2,0,[0,0,0],[0,0,0],0,null]");
    status("a device above 32 bits", "[4294967296,2,0,[0,0,0],[0,0,0],0,null]");
    status("a device above 63 bits", "[18446744073709551615,2,0,[0,0,0],[0,0,0],0,null]");
    status("a device that is no whole number", "[0.5,2,0,[0,0,0],[0,0,0],0,null]");
    status("an unknown doing", "[0,9,0,[0,0,0],[0,0,0],0,null]");
    status("an unknown kind of pass", "[0,2,0,[5,0,0],[0,0,0],0,null]");
    status("an age in the future", "[0,2,-1,[0,0,0],[0,0,0],0,null]");
    status("an age that would overflow", "[0,2,9223372036854775807,[0,0,0],[0,0,0],0,null]");
    status("a field too few", "[0,2,0,[0,0,0],[0,0,0],0]");
    status("a field too many", "[0,2,0,[0,0,0],[0,0,0],0,null,1]");
    status("no list", "7");
    QTest::newRow("statuses by name") << QByteArray(R"({"number":1,"ended":false,"statuses":{"a":1}})");
    QTest::newRow("passes that do not come out even") << QByteArray(
        R"({"passes":[1,2,0,0,0],"transfers":[],"busy":0,"processor":0,"loop":0,"loop_processor":0,"around":0,"offset":0,"transfer":0,"wait":0,"peak":[0,0,0,0,0,0]})");
    QTest::newRow("a fraction that is not its bits") << QByteArray("[0,1.5,1.5]");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("another word") << QByteArray("true");
    QTest::newRow("two of it") << QByteArray(R"([0,0,0,0,0,0][0,0,0,0,0,0])");
    QTest::newRow("deep") << QByteArray(100'000, '[');
}

void WireTest::whatIsOutOfRangeIsNothing()
{
    QFETCH(const QByteArray, text);
    QCOMPARE(readersOf(text.toStdString()), 0);
    // The same with nothing wrong is read, or the rows above would prove nothing.
    QCOMPARE(readersOf(R"({"number":1,"ended":false,"statuses":[[0,2,0,[0,0,0],[0,0,0],0,null]]})"), 1);
    QCOMPARE(
        readersOf(
            R"({"passes":[1,2,0,0,0,0],"transfers":[],"busy":0,"processor":0,"loop":0,"loop_processor":0,"around":0,"offset":0,"transfer":0,"wait":0,)"
            R"("peak":[0,0,0,0,0,0]})"),
        1);
    QCOMPARE(readersOf("[0,1,1]"), 1);
}

QTEST_APPLESS_MAIN(WireTest)
#include "wire_test.moc"
