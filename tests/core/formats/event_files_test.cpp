// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/event_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace pipeloom;

namespace {

QByteArray begin(int step, int device, int at)
{
    return QString(R"({"event":"step_begin","step":%1,"device":%2,"at_ns":%3})").arg(step).arg(device).arg(at).toUtf8()
        + '\n';
}

class Folder {
public:
    [[nodiscard]] std::string path(const QString& name = {}) const
    {
        return (name.isEmpty() ? folder_.path() : folder_.filePath(name)).toStdString();
    }
    void append(const QString& name, const QByteArray& bytes, QIODevice::OpenMode how = QIODevice::Append) const
    {
        QFile file(folder_.filePath(name));
        if (!file.open(how) || file.write(bytes) != bytes.size())
            qFatal("%s could not be written", qPrintable(name));
    }
    [[nodiscard]] QDir dir() const { return QDir(folder_.path()); }

private:
    QTemporaryDir folder_;
};

/// The times of what is there, one after the other.
QStringList readAll(EventFileReader& reader, bool isEnd = false)
{
    QStringList times;
    const auto take
        = [&](RunEvent&& event, EventFileReader::Origin) { times << QString::number(timeOf(event).value_or(-1)); };
    while (reader.read(3, take)) { }
    if (isEnd)
        reader.finish(take);
    return times;
}

} // namespace

class EventFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFolderIsListedWithTheRunsOwnFileFirst();
    void filesOfAFolderAreReadInTheOrderOfTime();
    void aGrowingFileIsFollowed();
    void newFilesOfAFolderAreFound();
    void aReplacedFileBeginsAnew();
    void originsLeadBackToTheLine();
    void whatIsNotThereIsSaid();
};

void EventFilesTest::aFolderIsListedWithTheRunsOwnFileFirst()
{
    const Folder folder;
    for (const char* name : { "events-rank-1.jsonl", "a.jsonl", "events.jsonl", "notes.txt", "events-rank-0.jsonl" })
        folder.append(name, "");
    QStringList names;
    for (const std::string& file : eventFiles(folder.path()))
        names << QFileInfo(QString::fromStdString(file)).fileName();
    QCOMPARE(names, (QStringList { "events.jsonl", "events-rank-0.jsonl", "events-rank-1.jsonl" }));
    // Where somebody collects runs each file is one of its own.
    Folder runs;
    runs.append("first.jsonl", begin(0, 0, 1));
    runs.append("second.jsonl", begin(0, 0, 1));
    QCOMPARE(eventFiles(runs.path()).size(), std::size_t { 1 });
    QCOMPARE(eventFiles(folder.path("notes.txt")), (std::vector { folder.path("notes.txt") }));
    QVERIFY(eventFiles(folder.path("none")).empty());
}

void EventFilesTest::filesOfAFolderAreReadInTheOrderOfTime()
{
    const Folder folder;
    const QByteArray rank = R"({"event":"rank","device":1,"rank":1,"pid":1,"host":"h"})"
                            "\n";
    folder.append("events.jsonl", rank + begin(0, 0, 10) + begin(1, 0, 40) + begin(2, 0, 45));
    folder.append("events-rank-1.jsonl", rank + begin(0, 1, 5) + begin(1, 1, 42) + begin(2, 1, 60));
    EventFileReader reader(folder.path());
    QVERIFY(reader.look().empty());
    QCOMPARE(reader.files().size(), std::size_t { 2 });
    QCOMPARE(readAll(reader), (QStringList { "-1", "-1", "5", "10", "40", "42", "45", "60" }));
    QCOMPARE(reader.behind(), std::int64_t { 0 });
    QCOMPARE(reader.counts().lines, std::int64_t { 8 });
}

void EventFilesTest::aGrowingFileIsFollowed()
{
    const Folder folder;
    folder.append("events.jsonl", begin(0, 0, 1));
    EventFileReader reader(folder.path("events.jsonl"));
    QVERIFY(reader.look().empty());
    QCOMPARE(readAll(reader), (QStringList { "1" }));
    const QByteArray next = begin(1, 0, 2);
    folder.append("events.jsonl", next.left(17));
    QVERIFY(reader.look().empty());
    QCOMPARE(reader.behind(), std::int64_t { 17 });
    QCOMPARE(readAll(reader), QStringList());
    folder.append("events.jsonl", next.mid(17) + begin(2, 0, 3).left(20));
    QCOMPARE(readAll(reader), (QStringList { "2" }));
    QCOMPARE(readAll(reader, true), QStringList());
    QCOMPARE(reader.counts().cut, std::int64_t { 1 });
}

void EventFilesTest::newFilesOfAFolderAreFound()
{
    const Folder folder;
    folder.append("events.jsonl", begin(0, 0, 1));
    EventFileReader reader(folder.path());
    QVERIFY(reader.look().empty());
    QCOMPARE(readAll(reader), (QStringList { "1" }));
    folder.append("events-rank-1.jsonl", begin(0, 1, 2));
    QVERIFY(reader.look().empty());
    QVERIFY(!reader.wasReplaced());
    QCOMPARE(readAll(reader), (QStringList { "2" }));
}

void EventFilesTest::aReplacedFileBeginsAnew()
{
    const Folder folder;
    folder.append("events.jsonl", begin(0, 0, 1) + begin(1, 0, 2));
    EventFileReader reader(folder.path("events.jsonl"));
    QVERIFY(reader.look().empty());
    QCOMPARE(readAll(reader), (QStringList { "1", "2" }));
    folder.append("events.jsonl", begin(0, 0, 7), QIODevice::WriteOnly | QIODevice::Truncate);
    QVERIFY(reader.look().empty());
    QVERIFY(reader.wasReplaced());
    QCOMPARE(readAll(reader), (QStringList { "7" }));
    folder.append("other.jsonl", begin(0, 0, 8) + begin(1, 0, 9));
    QVERIFY(folder.dir().remove("events.jsonl") && folder.dir().rename("other.jsonl", "events.jsonl"));
    QVERIFY(reader.look().empty());
    QVERIFY(reader.wasReplaced());
    QCOMPARE(readAll(reader), (QStringList { "8", "9" }));
    QVERIFY(reader.look().empty());
    QVERIFY(!reader.wasReplaced());
}

void EventFilesTest::originsLeadBackToTheLine()
{
    const Folder folder;
    folder.append("events.jsonl", begin(0, 0, 1) + "\nrubbish\n" + begin(1, 0, 5));
    folder.append("events-rank-1.jsonl", begin(0, 1, 3) + begin(1, 1, 6).chopped(1));
    EventFileReader reader(folder.path());
    QVERIFY(reader.look().empty());
    int seen = 0;
    const auto take = [&](RunEvent&& event, EventFileReader::Origin origin) {
        QFile file(QString::fromStdString(reader.files()[origin.file]));
        QVERIFY(file.open(QIODevice::ReadOnly) && file.seek(origin.offset));
        const QByteArray line = file.readLine().trimmed() + '\n';
        const auto& began = std::get<StepBegan>(event);
        QCOMPARE(line, begin(static_cast<int>(began.step), began.device.value, static_cast<int>(began.at)));
        ++seen;
    };
    reader.finish(take);
    QCOMPARE(seen, 4);
    QCOMPARE(reader.counts().garbled, std::int64_t { 1 });
}

void EventFilesTest::whatIsNotThereIsSaid()
{
    const Folder folder;
    EventFileReader missing(folder.path("none.jsonl"));
    const Findings findings = missing.look();
    QCOMPARE(findings.front().rule, std::string("file/unreadable"));
    EventFileReader empty(folder.path());
    QVERIFY(empty.look().front().message.find("has no events in it") != std::string::npos);
    // It may come later.
    folder.append("events.jsonl", begin(0, 0, 1));
    QVERIFY(empty.look().empty());
    QCOMPARE(readAll(empty), (QStringList { "1" }));
}

QTEST_APPLESS_MAIN(EventFilesTest)
#include "event_files_test.moc"
