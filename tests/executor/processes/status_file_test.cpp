// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// A rank's last word reaches its launcher whole, at any moment, also from beyond the rank's end.
#include "child_programs.h"
#include "executor/processes/status_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

/// Every field follows from the number, so that a torn status shows.
DeviceStatus numbered(std::int32_t number)
{
    const auto pass = [&](std::int32_t add) {
        return Pass { StageId { number + add }, MicroBatch { number - add },
            static_cast<PassKind>((number + add) % 4) };
    };
    DeviceStatus status;
    status.device = DeviceId { number };
    status.doing = static_cast<Doing>(number % 9);
    status.since = Clock::time_point(Nanoseconds(std::int64_t { number } * 1'000'003));
    status.pass = pass(1);
    status.needs = pass(2);
    status.from = DeviceId { number + 7 };
    if (number % 3 != 0)
        status.finished = pass(3);
    return status;
}

bool same(const DeviceStatus& a, const DeviceStatus& b)
{
    return a.device == b.device && a.doing == b.doing && a.since == b.since && a.pass == b.pass && a.needs == b.needs
        && a.from == b.from && a.finished == b.finished;
}

/// The part of a rank: writes as many statuses as it is told, says so, and then either stops or goes on without end.
[[noreturn]] void beRank()
{
    const std::string path = variable("STATUS_PATH");
    const int count = std::stoi(variable("STATUS_COUNT"));
    const auto created = StatusWriter::create(path, numbered(1));
    if (!created.writer)
        std::exit(9);
    for (int i = 2; i <= count; ++i)
        created.writer->write(numbered(i));
    if (count == 0) {
        DeviceStatus now;
        now.since = Clock::now();
        created.writer->write(now);
    }
    [[maybe_unused]] const auto said = ::write(STDOUT_FILENO, "ready\n", 6);
    if (variable("STATUS_BUSY").empty())
        waitForever();
    for (std::int32_t i = count + 1;; i = i < 1'000'000'000 ? i + 1 : 1)
        created.writer->write(numbered(i));
}

} // namespace

class StatusFileTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFieldSurvivesTheTrip();
    void aReaderNeverSeesATornStatusOfABusyWriter();
    void theLastWordOfAKilledRankIsRead();
    void aRankKilledWhileWritingLeavesAWholeStatus();
    void timesOfARankAreThoseOfItsLauncher();
    void aNewFileTakesThePlaceOfTheOld();
    void whatCannotBeMadeIsTold();
    void whatIsNotThereTooShortOrForeignIsTold();
    void aStatusThatMakesNoSenseIsNone();

private:
    static std::string pathIn(const QTemporaryDir& folder) { return folder.filePath("rank0.status").toStdString(); }
    static ChildrenPlan rankPlan(const std::string& path, int count, bool busy, Lines& lines)
    {
        Environment environment { { "STATUS_PATH", path }, { "STATUS_COUNT", std::to_string(count) } };
        if (busy)
            environment.emplace_back("STATUS_BUSY", "1");
        return parts({ "rank" }, lines.collect(), environment);
    }
};

void StatusFileTest::everyFieldSurvivesTheTrip()
{
    const QTemporaryDir folder;
    const auto created = StatusWriter::create(pathIn(folder), numbered(0));
    QVERIFY(created.writer);
    const auto opened = StatusReader::open(pathIn(folder));
    QVERIFY(opened.reader);
    QVERIFY(same(*opened.reader->read(), numbered(0)));
    for (std::int32_t i = 1; i < 200; ++i) {
        created.writer->write(numbered(i));
        QVERIFY(same(*opened.reader->read(), numbered(i)));
        QCOMPARE(opened.reader->written(), static_cast<std::uint64_t>(i + 1));
    }
    DeviceStatus nothing; // stages and kinds that no pass has
    created.writer->write(nothing);
    QVERIFY(same(*opened.reader->read(), nothing));
}

void StatusFileTest::aReaderNeverSeesATornStatusOfABusyWriter()
{
    const QTemporaryDir folder;
    // Made beforehand, so that the writer does nothing but write.
    std::vector<DeviceStatus> statuses;
    for (std::int32_t i = 0; i < 1024; ++i)
        statuses.push_back(numbered(i));
    const auto created = StatusWriter::create(pathIn(folder), statuses[0]);
    QVERIFY(created.writer);
    std::atomic<bool> stop = false;
    std::thread writer([&] {
        while (!stop)
            for (const auto& status : statuses)
                created.writer->write(status);
    });
    std::atomic<int> torn = 0;
    std::atomic<int> whole = 0;
    const auto readMany = [&] {
        const auto opened = StatusReader::open(pathIn(folder));
        for (int i = 0; i < 200'000; ++i)
            if (const auto status = opened.reader->read()) {
                ++whole;
                torn += same(*status, statuses[status->device.index() % statuses.size()]) ? 0 : 1;
            }
    };
    std::thread other(readMany);
    readMany();
    other.join();
    stop = true;
    writer.join();
    QCOMPARE(torn.load(), 0);
    QVERIFY(whole > 0);
}

void StatusFileTest::theLastWordOfAKilledRankIsRead()
{
    const QTemporaryDir folder;
    Lines lines;
    auto started = Children::start(rankPlan(pathIn(folder), 1000, false, lines));
    QVERIFY(started.children);
    QVERIFY(lines.has(0, 1));
    const auto opened = StatusReader::open(pathIn(folder));
    QVERIFY(opened.reader);
    QVERIFY(started.children->kill(0, SIGKILL));
    QCOMPARE(text(allExits(*started.children).at(0)), std::string("was killed by SIGKILL"));
    QVERIFY(same(*opened.reader->read(), numbered(1000)));
    const auto later = StatusReader::open(pathIn(folder)); // opened only now
    QVERIFY(same(*later.reader->read(), numbered(1000)));
    QCOMPARE(later.reader->written(), std::uint64_t { 1000 });
}

void StatusFileTest::aRankKilledWhileWritingLeavesAWholeStatus()
{
    for (int i = 0; i < 5; ++i) {
        const QTemporaryDir folder;
        Lines lines;
        auto started = Children::start(rankPlan(pathIn(folder), 10, true, lines));
        QVERIFY(started.children);
        QVERIFY(lines.has(0, 1));
        const auto opened = StatusReader::open(pathIn(folder));
        QVERIFY(opened.reader);
        QVERIFY(comesTrue([&] { return opened.reader->written() > 1000; }));
        QVERIFY(started.children->kill(0, SIGKILL));
        QCOMPARE(allExits(*started.children).size(), std::size_t { 1 });
        const auto status = opened.reader->read();
        QVERIFY(status);
        QVERIFY(same(*status, numbered(status->device.value)));
    }
}

void StatusFileTest::timesOfARankAreThoseOfItsLauncher()
{
    const QTemporaryDir folder;
    Lines lines;
    const auto before = Clock::now();
    auto started = Children::start(rankPlan(pathIn(folder), 0, false, lines));
    QVERIFY(started.children);
    QVERIFY(lines.has(0, 1));
    const auto status = StatusReader::open(pathIn(folder)).reader->read();
    const auto after = Clock::now();
    QVERIFY(status);
    QVERIFY(status->since > before);
    QVERIFY(status->since < after);
}

void StatusFileTest::aNewFileTakesThePlaceOfTheOld()
{
    const QTemporaryDir folder;
    const auto first = StatusWriter::create(pathIn(folder), numbered(1));
    const auto reader = StatusReader::open(pathIn(folder));
    const auto second = StatusWriter::create(pathIn(folder), numbered(2));
    QVERIFY(first.writer && second.writer);
    first.writer->write(numbered(3));
    QVERIFY(same(*reader.reader->read(), numbered(3)));
    QVERIFY(same(*StatusReader::open(pathIn(folder)).reader->read(), numbered(2)));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList("rank0.status"));
}

void StatusFileTest::whatCannotBeMadeIsTold()
{
    const QTemporaryDir folder;
    const auto path = folder.filePath("no/such/folder/rank0.status").toStdString();
    const auto created = StatusWriter::create(path, {});
    QVERIFY(!created.writer);
    QCOMPARE(created.findings.size(), std::size_t { 1 });
    QCOMPARE(created.findings[0].rule, std::string("run/status"));
    QVERIFY(QString::fromStdString(created.findings[0].message).contains("No such file or directory"));

    // In the way stands a folder: what was begun is taken away again.
    QVERIFY(QDir(folder.path()).mkdir("rank0.status"));
    QVERIFY(!StatusWriter::create(pathIn(folder), {}).writer);
    QVERIFY(QDir(folder.path()).entryList(QDir::Files).isEmpty());
}

void StatusFileTest::whatIsNotThereTooShortOrForeignIsTold()
{
    const QTemporaryDir folder;
    const auto refused = [&](const char* why) {
        const auto opened = StatusReader::open(pathIn(folder));
        return !opened.reader && opened.findings.size() == 1 && opened.findings[0].rule == "run/status"
            && QString::fromStdString(opened.findings[0].message).contains(why);
    };
    QVERIFY(refused("No such file or directory"));

    QFile file(QString::fromStdString(pathIn(folder)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("short");
    file.close();
    QVERIFY(refused("it has 5 bytes"));

    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(5000, 'x'));
    file.close();
    QVERIFY(refused("no status file of this version"));
}

void StatusFileTest::aStatusThatMakesNoSenseIsNone()
{
    const QTemporaryDir folder;
    const auto created = StatusWriter::create(pathIn(folder), numbered(1));
    QVERIFY(created.writer);
    QFile file(QString::fromStdString(pathIn(folder)));
    QVERIFY(file.open(QIODevice::ReadWrite));
    constexpr int head = 64; // past it the records
    QVERIFY(file.seek(head));
    file.write(QByteArray(static_cast<int>(file.size()) - head, '\xff'));
    file.close();
    const auto opened = StatusReader::open(pathIn(folder));
    QVERIFY(opened.reader);
    QVERIFY(!opened.reader->read());
    created.writer->write(numbered(2));
    QVERIFY(same(*opened.reader->read(), numbered(2)));
}

int main(int argc, char** argv)
{
    if (part() == "rank")
        beRank();
    StatusFileTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "status_file_test.moc"
