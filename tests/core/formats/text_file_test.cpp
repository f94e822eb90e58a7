// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_file.h"
#include "core/formats/text_file.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

using namespace pipeloom;

namespace {

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("the test cannot write %s", qPrintable(path));
}

unsigned modeOf(const QString& path)
{
    struct stat status { };
    return ::stat(qPrintable(path), &status) == 0 ? status.st_mode & 07777U : 0U;
}

/// A folder that is empty at first and gone at the end.
class Folder : public QTemporaryDir {
public:
    /// Names of all that is in it.
    [[nodiscard]] QStringList files() const
    {
        return QDir(path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }
};

/// Makes a file descriptor of this process another one while it lives.
class Redirected {
public:
    Redirected(int number, int to)
        : number_(number)
        , before_(::dup(number))
    {
        if (before_ < 0 || ::dup2(to, number) < 0)
            qFatal("the test cannot redirect %d", number);
        ::close(to);
    }
    Redirected(const Redirected&) = delete;
    Redirected& operator=(const Redirected&) = delete;
    ~Redirected()
    {
        if (before_ >= 0) {
            ::dup2(before_, number_);
            ::close(before_);
        }
    }

private:
    int number_;
    int before_;
};

} // namespace

class TextFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();

    void filesAreReadWhole();
    void standardInputIsRead();
    void whatCannotBeReadSaysWhy_data();
    void whatCannotBeReadSaysWhy();
    void enormousFilesAreRefusedUnread();
    void endlessInputIsRefused();
    void designsAreLoadedFromFiles();

    void savingMakesAFile();
    void savingReplacesAndKeepsPermissions();
    void newFilesFollowTheUmask();
    void savingThroughALinkKeepsTheLink();
    void savingToADanglingLinkMakesItsTarget();
    void devicesAreWrittenToAndNotReplaced();
    void standardOutputIsWritten();
    void whatCannotBeWrittenSaysWhy_data();
    void whatCannotBeWrittenSaysWhy();
    void aFullDiskLeavesTheOldFileAndNothingElse();
    void aReaderThatWentAwayIsAnErrorNotTheEnd();
    void writeProtectedFilesStay();

private: // NOLINT(readability-redundant-access-specifiers): not a slot
    std::unique_ptr<Folder> folder_;
};

void TextFileTest::init()
{
    folder_ = std::make_unique<Folder>();
    QVERIFY(folder_->isValid());
}

void TextFileTest::filesAreReadWhole()
{
    const QByteArray bytes = QByteArray("a\r\nb\0c", 6) + QByteArray(1'000'000, 'x');
    write(folder_->filePath("a"), bytes);
    const ReadText read = readTextFile(folder_->filePath("a").toStdString(), 2'000'000);
    QVERIFY(read.findings.empty());
    QVERIFY(read.text == bytes.toStdString());
    write(folder_->filePath("empty"), {});
    QVERIFY(readTextFile(folder_->filePath("empty").toStdString(), 10).text == "");
}

void TextFileTest::standardInputIsRead()
{
    std::array<int, 2> ends {};
    QCOMPARE(::pipe(ends.data()), 0);
    QCOMPARE(::write(ends[1], "from a pipe", 11), ssize_t { 11 });
    ::close(ends[1]);
    const Redirected input(STDIN_FILENO, ends[0]);
    QVERIFY(readTextFile("-", 100).text == "from a pipe");
}

void TextFileTest::whatCannotBeReadSaysWhy_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("words");
    QTest::newRow("missing") << "missing.json"
                             << "missing.json` cannot be read: No such file or directory";
    QTest::newRow("a folder") << ""
                              << "it is a folder";
    QTest::newRow("below a file") << "file/below"
                                  << "Not a directory";
    QTest::newRow("a link to itself") << "loop"
                                      << "Too many levels of symbolic links";
}

void TextFileTest::whatCannotBeReadSaysWhy()
{
    write(folder_->filePath("file"), "x");
    QVERIFY(::symlink("loop", qPrintable(folder_->filePath("loop"))) == 0);
    QFETCH(QString, name);
    QFETCH(QString, words);
    const ReadText read = readTextFile(folder_->filePath(name).toStdString(), 100);
    QVERIFY(!read.text.has_value());
    QCOMPARE(read.findings.size(), std::size_t { 1 });
    QCOMPARE(read.findings[0].rule, std::string("file/unreadable"));
    QVERIFY2(QString::fromStdString(read.findings[0].message).contains(words), read.findings[0].message.c_str());
}

void TextFileTest::enormousFilesAreRefusedUnread()
{
    write(folder_->filePath("large"), "{");
    // With a hole, so that the disk holds only some of it.
    QCOMPARE(::truncate(qPrintable(folder_->filePath("large")), (off_t { 1 } << 40)), 0);
    const ReadDesign read = loadDesign(folder_->filePath("large").toStdString());
    QVERIFY(!read.design.has_value());
    QCOMPARE(read.findings.at(0).rule, std::string("file/size"));
    QVERIFY(read.findings[0].message.find("more than 536870912 bytes") != std::string::npos);
}

void TextFileTest::endlessInputIsRefused()
{
    const ReadText read = readTextFile("/dev/zero", 1'000'000);
    QVERIFY(!read.text.has_value());
    QCOMPARE(read.findings.at(0).rule, std::string("file/size"));
}

void TextFileTest::designsAreLoadedFromFiles()
{
    const Design design = emptyDesign(pipeline(PlacementKind::V, 2, 4, 3));
    QVERIFY(saveText(folder_->filePath("a").toStdString(), writeDesign(design)).empty());
    QVERIFY(loadDesign(folder_->filePath("a").toStdString()).design == design);
    QCOMPARE(loadDesign(folder_->filePath("b").toStdString()).findings.at(0).rule, std::string("file/unreadable"));
}

void TextFileTest::savingMakesAFile()
{
    QVERIFY(saveText(folder_->filePath("a.json").toStdString(), "text\n").empty());
    QCOMPARE(bytesOf(folder_->filePath("a.json")), QByteArray("text\n"));
    QCOMPARE(folder_->files(), QStringList { "a.json" });
    QVERIFY(saveText(folder_->filePath("empty").toStdString(), "").empty());
    QCOMPARE(bytesOf(folder_->filePath("empty")), QByteArray());
}

void TextFileTest::savingReplacesAndKeepsPermissions()
{
    write(folder_->filePath("a"), "a much longer text than the new one");
    QCOMPARE(::chmod(qPrintable(folder_->filePath("a")), 0640), 0);
    QVERIFY(saveText(folder_->filePath("a").toStdString(), "new").empty());
    QCOMPARE(bytesOf(folder_->filePath("a")), QByteArray("new"));
    QCOMPARE(modeOf(folder_->filePath("a")), 0640U);
    QCOMPARE(folder_->files(), QStringList { "a" });
}

void TextFileTest::newFilesFollowTheUmask()
{
    const mode_t before = ::umask(027);
    const Findings findings = saveText(folder_->filePath("a").toStdString(), "x");
    ::umask(before);
    QVERIFY(findings.empty());
    QCOMPARE(modeOf(folder_->filePath("a")), 0640U);
}

void TextFileTest::savingThroughALinkKeepsTheLink()
{
    QVERIFY(QDir(folder_->path()).mkdir("sub"));
    write(folder_->filePath("sub/target"), "old");
    QCOMPARE(::symlink("sub/target", qPrintable(folder_->filePath("link"))), 0);
    QVERIFY(saveText(folder_->filePath("link").toStdString(), "new").empty());
    QVERIFY(QFileInfo(folder_->filePath("link")).isSymLink());
    QCOMPARE(bytesOf(folder_->filePath("sub/target")), QByteArray("new"));
}

void TextFileTest::savingToADanglingLinkMakesItsTarget()
{
    QCOMPARE(::symlink("target", qPrintable(folder_->filePath("link"))), 0);
    QVERIFY(saveText(folder_->filePath("link").toStdString(), "new").empty());
    QVERIFY(QFileInfo(folder_->filePath("link")).isSymLink());
    QCOMPARE(bytesOf(folder_->filePath("target")), QByteArray("new"));
}

void TextFileTest::devicesAreWrittenToAndNotReplaced()
{
    QVERIFY(saveText("/dev/null", "x").empty());
    struct stat status { };
    QCOMPARE(::stat("/dev/null", &status), 0);
    QVERIFY(S_ISCHR(status.st_mode));
}

void TextFileTest::standardOutputIsWritten()
{
    std::array<int, 2> ends {};
    QCOMPARE(::pipe(ends.data()), 0);
    Findings findings;
    {
        const Redirected output(STDOUT_FILENO, ends[1]);
        std::fputs("before ", stdout);
        findings = saveText("-", "after");
    }
    std::array<char, 100> read {};
    QCOMPARE(::read(ends[0], read.data(), read.size()), ssize_t { 12 });
    ::close(ends[0]);
    QVERIFY(findings.empty());
    QCOMPARE(QByteArray(read.data()), QByteArray("before after"));
}

void TextFileTest::whatCannotBeWrittenSaysWhy_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("words");
    QTest::newRow("a folder") << "/tmp"
                              << "`/tmp` could not be written: Is a directory";
    QTest::newRow("in a folder that is not there") << "/tmp/pipeloom-not-there/a"
                                                   << "No such file or directory";
    QTest::newRow("no name") << ""
                             << "No such file or directory";
    QTest::newRow("a full disk") << "/dev/full"
                                 << "No space left on device";
    QTest::newRow("a system that takes no files") << "/proc/a"
                                                  << "could not be written";
    QTest::newRow("a name too long") << "/tmp/" + QString(300, 'x') << "File name too long";
}

void TextFileTest::whatCannotBeWrittenSaysWhy()
{
    QFETCH(QString, path);
    QFETCH(QString, words);
    const Findings findings = saveText(path.toStdString(), "text");
    QCOMPARE(findings.size(), std::size_t { 1 });
    QCOMPARE(findings[0].rule, std::string("file/write"));
    QCOMPARE(findings[0].severity, Severity::Error);
    QVERIFY2(QString::fromStdString(findings[0].message).contains(words), findings[0].message.c_str());
    QVERIFY(!findings[0].remedy.empty());
}

/// A limit on file sizes stands for the full disk: it fails in the same place, but with a signal that would end us besides.
void TextFileTest::aFullDiskLeavesTheOldFileAndNothingElse()
{
    write(folder_->filePath("a"), "old");
    rlimit before {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit low = before;
    low.rlim_cur = 1000;
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &low), 0);
    const Findings replaced = saveText(folder_->filePath("a").toStdString(), std::string(5000, 'x'));
    const Findings made = saveText(folder_->filePath("b").toStdString(), std::string(5000, 'x'));
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    for (const Findings& findings : { replaced, made }) {
        QCOMPARE(findings.size(), std::size_t { 1 });
        QCOMPARE(findings[0].rule, std::string("file/write"));
        QVERIFY2(findings[0].message.find("File too large") != std::string::npos, findings[0].message.c_str());
    }
    QCOMPARE(bytesOf(folder_->filePath("a")), QByteArray("old"));
    QCOMPARE(folder_->files(), QStringList { "a" });
    // The signal is taken, not merely put off.
    sigset_t pending;
    sigemptyset(&pending);
    QCOMPARE(::sigpending(&pending), 0);
    QCOMPARE(sigismember(&pending, SIGXFSZ), 0);
}

void TextFileTest::aReaderThatWentAwayIsAnErrorNotTheEnd()
{
    std::array<int, 2> ends {};
    QCOMPARE(::pipe(ends.data()), 0);
    ::close(ends[0]);
    Findings findings;
    {
        const Redirected output(STDOUT_FILENO, ends[1]);
        findings = saveText("-", "text");
    }
    QCOMPARE(findings.size(), std::size_t { 1 });
    QVERIFY2(findings[0].message.find("Standard output could not be written: Broken pipe") == 0,
        findings[0].message.c_str());
}

void TextFileTest::writeProtectedFilesStay()
{
    if (::geteuid() == 0)
        QSKIP("nothing is write-protected for root");
    write(folder_->filePath("a"), "old");
    QCOMPARE(::chmod(qPrintable(folder_->filePath("a")), 0444), 0);
    QCOMPARE(saveText(folder_->filePath("a").toStdString(), "new").at(0).rule, std::string("file/write"));
    QCOMPARE(bytesOf(folder_->filePath("a")), QByteArray("old"));
}

QTEST_APPLESS_MAIN(TextFileTest)
#include "text_file_test.moc"
