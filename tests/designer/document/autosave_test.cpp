// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/document/autosave.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "tests/designer/window_test_main.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace pipeloom;
using namespace pipeloom::designer;

namespace {

constexpr qint64 noProcess = 999'999'999; // beyond what Linux counts to

struct Session {
    QString folder;
    Document document;
    Autosave autosave { document, folder };

    explicit Session(QString in)
        : folder(std::move(in))
    {
        autosave.setDelayMs(1);
        document.reset(*findInLibrary("v-half")->make({}).design, {});
    }
    void rename(const std::string& name)
    {
        Design design = *document.committed();
        design.name = name;
        document.apply({ design, "Rename", {} });
    }
    QStringList files() const { return QDir(folder).entryList(QDir::Files); }
};

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// As if another process had written it and crashed.
LeftBehind crashed(
    const QString& folder, const Design& design, const QString& path, ProcessId process = { noProcess, 1 })
{
    const LeftBehind what { folder + "/0123456789abcdef-999999999.pipeloom.json", path, "crashed.pipeloom.json",
        QDateTime(QDate(2026, 1, 2), QTime(3, 4, 5)) };
    if (!writeRecovery(what, writeDesign(design), process).isEmpty())
        qFatal("the crash could not be staged");
    return what;
}

} // namespace

class AutosaveTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEditIsKeptAsCanonicalText();
    void nothingIsWrittenOfACleanDocument();
    void savingAndGivingUpRemoveTheCopy();
    void aProperEndLeavesNothing();
    void aRunningProcessIsNoCrash();
    void aNumberUsedAgainIsACrash();
    void whatACrashLeftComesBackByteForByte();
    void whatWasRecoveredIsKeptUntilItIsSaved();
    void aDamagedCopyIsToldAndLeavesTheDocumentAlone();
    void aCopyWithoutDescriptionIsOfferedAllTheSame();
    void failingIsToldOnce();
    void aSaveDuringTheWritingLeavesNoCopy();
};

void AutosaveTest::anEditIsKeptAsCanonicalText()
{
    QTemporaryDir folder;
    Session session(folder.filePath("recovery"));
    QSignalSpy written(&session.autosave, &Autosave::written);
    session.rename("edited");
    QVERIFY(written.wait(5000));
    QCOMPARE(session.files().size(), 2);
    QCOMPARE(read(session.autosave.file()), QByteArray::fromStdString(writeDesign(*session.document.committed())));
    session.rename("again");
    QVERIFY(written.wait(5000));
    QCOMPARE(session.files().size(), 2); // the same file
    QCOMPARE(read(session.autosave.file()), QByteArray::fromStdString(writeDesign(*session.document.committed())));
}

void AutosaveTest::nothingIsWrittenOfACleanDocument()
{
    QTemporaryDir folder;
    Session session(folder.filePath("recovery"));
    session.autosave.flush();
    QVERIFY(session.files().isEmpty());
    session.rename("edited");
    session.document.undoStack().undo();
    session.autosave.flush();
    QVERIFY(session.files().isEmpty());
}

void AutosaveTest::savingAndGivingUpRemoveTheCopy()
{
    QTemporaryDir folder;
    Session session(folder.filePath("recovery"));
    session.rename("edited");
    session.autosave.flush();
    QCOMPARE(session.files().size(), 2);
    QVERIFY(session.document.save(folder.filePath("v.pipeloom.json")).empty());
    QVERIFY(session.files().isEmpty());

    session.rename("edited again");
    session.autosave.flush();
    QCOMPARE(session.files().size(), 2);
    session.document.reset(*findInLibrary("1f1b")->make({}).design, {});
    QVERIFY(session.files().isEmpty());
}

void AutosaveTest::aProperEndLeavesNothing()
{
    QTemporaryDir folder;
    {
        Session session(folder.path());
        session.rename("edited");
        session.autosave.flush();
        QCOMPARE(session.files().size(), 2);
    }
    QVERIFY(QDir(folder.path()).isEmpty());
}

void AutosaveTest::aRunningProcessIsNoCrash()
{
    QTemporaryDir folder;
    Session session(folder.path());
    session.rename("edited");
    session.autosave.flush();
    QVERIFY(session.autosave.leftBehind().empty());
    QVERIFY(isAlive(thisProcess()));
    QVERIFY(!isAlive({ noProcess, 0 }));
    QVERIFY(!isAlive({}));
}

void AutosaveTest::aNumberUsedAgainIsACrash()
{
    const ProcessId now = thisProcess();
    if (now.started == 0)
        QSKIP("This system does not tell when a process started.");
    QTemporaryDir folder;
    crashed(folder.path(), *findInLibrary("v-half")->make({}).design, {}, { now.number, now.started - 1 });
    QCOMPARE(leftBehindIn(folder.path()).size(), std::size_t { 1 });
}

void AutosaveTest::whatACrashLeftComesBackByteForByte()
{
    QTemporaryDir folder;
    Design design = *findInLibrary("v-half")->make({}).design;
    std::get<BuildingBlock>(design.plan).passes.pop_back(); // half drawn
    const std::string text = writeDesign(design);
    crashed(folder.path(), design, "/home/me/v.pipeloom.json");

    Session session(folder.path());
    const auto left = session.autosave.leftBehind();
    QCOMPARE(left.size(), std::size_t { 1 });
    QCOMPARE(left.front().path, QString("/home/me/v.pipeloom.json"));
    QCOMPARE(left.front().title, QString("crashed.pipeloom.json"));
    QCOMPARE(left.front().when, QDateTime(QDate(2026, 1, 2), QTime(3, 4, 5)));
    QVERIFY(session.autosave.recover(left.front()).empty());
    QCOMPARE(writeDesign(*session.document.committed()), text);
    QCOMPARE(session.document.path(), QString("/home/me/v.pipeloom.json"));
    QVERIFY(session.document.isDirty());
    QVERIFY(session.autosave.leftBehind().empty());
}

void AutosaveTest::whatWasRecoveredIsKeptUntilItIsSaved()
{
    QTemporaryDir folder;
    const QString recovery = folder.filePath("recovery");
    const QString path = folder.filePath("v.pipeloom.json");
    crashed(recovery, *findInLibrary("v-half")->make({}).design, path);
    Session session(recovery);
    QVERIFY(session.autosave.recover(session.autosave.leftBehind().front()).empty());
    QCOMPARE(session.files().size(), 2); // this process's own now
    QVERIFY(session.files().join(' ').contains(QString::number(QCoreApplication::applicationPid())));
    QVERIFY(session.document.save(path).empty());
    QVERIFY(session.files().isEmpty());
    QVERIFY(!session.document.isDirty());
}

void AutosaveTest::aDamagedCopyIsToldAndLeavesTheDocumentAlone()
{
    QTemporaryDir folder;
    const LeftBehind what = crashed(folder.path(), *findInLibrary("v-half")->make({}).design, {});
    QFile file(what.file);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{ \"pipeloom\": 1,");
    file.close();
    Session session(folder.path());
    const DesignPtr before = session.document.committed();
    QVERIFY(hasErrors(session.autosave.recover(what)));
    QCOMPARE(session.document.committed(), before);
    QVERIFY(QFile::exists(what.file));
}

void AutosaveTest::aCopyWithoutDescriptionIsOfferedAllTheSame()
{
    QTemporaryDir folder;
    const LeftBehind what = crashed(folder.path(), *findInLibrary("v-half")->make({}).design, {});
    QVERIFY(QFile::remove(folder.filePath("0123456789abcdef-999999999.info")));
    const auto left = leftBehindIn(folder.path());
    QCOMPARE(left.size(), std::size_t { 1 });
    QVERIFY(!left.front().title.isEmpty());
    QVERIFY(left.front().when.isValid());
}

void AutosaveTest::failingIsToldOnce()
{
    QTemporaryDir folder;
    QFile inTheWay(folder.filePath("recovery"));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    inTheWay.close();
    Session session(folder.filePath("recovery"));
    QSignalSpy failed(&session.autosave, &Autosave::failed);
    session.rename("one");
    QVERIFY(failed.wait(5000));
    QVERIFY(failed.front().front().toString().contains("recovery"));
    session.rename("two");
    QVERIFY(!failed.wait(100));
    QVERIFY(QFile::remove(folder.filePath("recovery")));
    QSignalSpy written(&session.autosave, &Autosave::written);
    session.rename("three");
    QVERIFY(written.wait(5000));
    QCOMPARE(failed.count(), 1);
}

void AutosaveTest::aSaveDuringTheWritingLeavesNoCopy()
{
    QTemporaryDir folder;
    Session session(folder.filePath("recovery"));
    for (int round = 0; round < 20; ++round) {
        session.rename("round " + std::to_string(round));
        QTest::qWait(1); // the writer may or may not have started, or be done
        QVERIFY(session.document.save(folder.filePath("v.pipeloom.json")).empty());
    }
    QTRY_VERIFY(session.files().isEmpty());
    QTest::qWait(30);
    QVERIFY(session.files().isEmpty());
}

PIPELOOM_WINDOW_TEST_MAIN(AutosaveTest)
#include "autosave_test.moc"
