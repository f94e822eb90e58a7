// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself, started where there is no display (CASES.md 26).

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

class ProgramTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void helpAndVersionNeedNoDisplay();
    void wrongArgumentsEndWithTwo();
    void aScreenshotNeedsNoDisplay();
    void aFileThatIsNotThereIsTold();

private:
    struct Run {
        int exitCode = -1;
        QString output;
        QString errors;
    };
    [[nodiscard]] Run run(const QStringList& arguments) const;

    QString program_;
    QTemporaryDir folder_; ///< settings and data go here
};

void ProgramTest::initTestCase()
{
    program_ = QDir(QCoreApplication::applicationDirPath()).filePath("../pipeloom-designer");
    QVERIFY2(QFileInfo(program_).isExecutable(), qPrintable(program_));
}

ProgramTest::Run ProgramTest::run(const QStringList& arguments) const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* variable : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM" })
        environment.remove(variable);
    for (const char* variable : { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR" })
        environment.insert(variable, folder_.path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program_, arguments);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

void ProgramTest::helpAndVersionNeedNoDisplay()
{
    const Run help = run({ "--help" });
    QCOMPARE(help.exitCode, 0);
    QVERIFY(help.output.startsWith("Usage: pipeloom-designer"));
    QCOMPARE(help.errors, QString());
    const Run version = run({ "--version" });
    QCOMPARE(version.exitCode, 0);
    QCOMPARE(version.output, QString("pipeloom-designer %1\n").arg(PIPELOOM_VERSION));
}

void ProgramTest::wrongArgumentsEndWithTwo()
{
    const Run wrong = run({ "--size", "big" });
    QCOMPARE(wrong.exitCode, 2);
    QCOMPARE(wrong.output, QString());
    QVERIFY(wrong.errors.contains("'big'"));
}

void ProgramTest::aScreenshotNeedsNoDisplay()
{
    const QString path = folder_.filePath("window.png");
    const Run shot = run({ "--screenshot", path, "--size", "1280x800", "--theme", "light",
        PIPELOOM_SOURCE_DIR "/resources/designs/v-half.pipeloom.json" });
    QVERIFY2(shot.exitCode == 0, qPrintable(shot.errors));
    const QImage image(path);
    QCOMPARE(image.size(), QSize(1280, 800));
    // Forward passes are drawn.
    int blue = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            blue += image.pixelColor(x, y) == QColor("#1f5fa8");
    QVERIFY2(blue > 2000, qPrintable(QString::number(blue)));
}

void ProgramTest::aFileThatIsNotThereIsTold()
{
    const Run shot = run({ "--screenshot", folder_.filePath("none.png"), "/no/such/design.pipeloom.json" });
    QVERIFY(shot.exitCode != 0);
    QVERIFY2(shot.errors.contains("design.pipeloom.json"), qPrintable(shot.errors));
}

QTEST_GUILESS_MAIN(ProgramTest)
#include "program_test.moc"
