// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/command_line.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipeloom::designer;

class CommandLineTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFileIsOpenedInAWindow();
    void helpAndVersionArePrinted();
    void aScreenshotTakesSizeThemeScaleAndLayout();
    void theEventsOfARunShowIt();
    void whatMakesNoSenseIsRefused_data();
    void whatMakesNoSenseIsRefused();
    void qtsOwnOptionsArePassedOver();
    void withoutADisplayItIsOffscreenUnlessTheUserChose_data();
    void withoutADisplayItIsOffscreenUnlessTheUserChose();

private:
    static CommandLine parse(const QStringList& arguments)
    {
        return parseCommandLine(QStringList { "pipeloom-designer" } + arguments);
    }
};

void CommandLineTest::aFileIsOpenedInAWindow()
{
    QCOMPARE(parse({}).task, CommandLine::Task::Window);
    QVERIFY(parse({}).file.isEmpty());
    const CommandLine line = parse({ "a.pipeloom.json", "--theme", "dark" });
    QCOMPARE(line.task, CommandLine::Task::Window);
    QCOMPARE(line.file, QString("a.pipeloom.json"));
    QCOMPARE(line.theme, std::optional(ThemeChoice::Dark));
}

void CommandLineTest::helpAndVersionArePrinted()
{
    for (const char* option : { "--help", "-h" }) {
        const CommandLine line = parse({ option });
        QCOMPARE(line.task, CommandLine::Task::Print);
        QCOMPARE(line.exitCode, 0);
        for (const char* mentioned : { "--screenshot", "--size", "--theme", "--scale", "--layout", "--replay", "--step",
                 "--version", "DESIGN", "EVENTS" })
            QVERIFY2(line.text.contains(mentioned), mentioned);
    }
    QCOMPARE(parse({ "--version" }).text, QString("pipeloom-designer %1\n").arg(PIPELOOM_VERSION));
}

void CommandLineTest::aScreenshotTakesSizeThemeScaleAndLayout()
{
    const CommandLine line = parse({ "--screenshot", "out.png", "--size", "800x600", "--scale", "1.5", "--layout",
        "compare", "--theme=light", "v.pipeloom.json" });
    QCOMPARE(line.task, CommandLine::Task::Screenshot);
    QCOMPARE(line.screenshot, QString("out.png"));
    QCOMPARE(line.size, QSize(800, 600));
    QCOMPARE(line.scale, std::optional(1.5));
    QCOMPARE(line.layout, CommandLine::Layout::Compare);
    QCOMPARE(line.theme, std::optional(ThemeChoice::Light));
    QCOMPARE(line.file, QString("v.pipeloom.json"));
}

void CommandLineTest::theEventsOfARunShowIt()
{
    const CommandLine line = parse({ "v.pipeloom.json", "events.jsonl", "--replay", "10", "--step", "7" });
    QCOMPARE(line.task, CommandLine::Task::Window);
    QCOMPARE(line.file, QString("v.pipeloom.json"));
    QCOMPARE(line.run, QString("events.jsonl"));
    QCOMPARE(line.replaySpeed, 10.0);
    QCOMPARE(line.step, std::optional<std::int64_t>(7));
    QCOMPARE(line.layout, CommandLine::Layout::Run);
    QCOMPARE(parse({ "events.jsonl", "--layout", "design" }).layout, CommandLine::Layout::Design);
    const QTemporaryDir folder; // a folder is one of events
    QCOMPARE(parse({ folder.path() }).run, folder.path());
}

void CommandLineTest::whatMakesNoSenseIsRefused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    QTest::newRow("unknown option") << QStringList { "--colour" } << "colour";
    QTest::newRow("two files") << QStringList { "a", "b" } << "a and b";
    QTest::newRow("two runs") << QStringList { "a.jsonl", "b.jsonl" } << "a.jsonl and b.jsonl";
    QTest::newRow("a replay of nothing") << QStringList { "a", "--replay", "2" } << "--replay needs";
    QTest::newRow("a step of nothing") << QStringList { "--step", "2" } << "--step needs";
    QTest::newRow("too fast") << QStringList { "a.jsonl", "--replay", "101" } << "'101'";
    QTest::newRow("no step") << QStringList { "a.jsonl", "--step", "-1" } << "'-1'";
    QTest::newRow("no value") << QStringList { "--screenshot" } << "screenshot";
    QTest::newRow("empty value") << QStringList { "--screenshot", "" } << "PNG";
    QTest::newRow("size without height") << QStringList { "--size", "800" } << "'800'";
    QTest::newRow("size too small") << QStringList { "--size", "10x10" } << "'10x10'";
    QTest::newRow("size beyond numbers") << QStringList { "--size", "99999999999x10" } << "99999999999x10";
    QTest::newRow("theme") << QStringList { "--theme", "purple" } << "'purple'";
    QTest::newRow("scale") << QStringList { "--scale", "nan" } << "'nan'";
    QTest::newRow("scale too large") << QStringList { "--scale", "9" } << "'9'";
    QTest::newRow("layout") << QStringList { "--layout", "tall" } << "'tall'";
}

void CommandLineTest::whatMakesNoSenseIsRefused()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const CommandLine line = parse(arguments);
    QCOMPARE(line.task, CommandLine::Task::Print);
    QCOMPARE(line.exitCode, 2);
    QVERIFY2(line.text.contains(said), qPrintable(line.text));
    QVERIFY(line.text.contains("--help"));
}

void CommandLineTest::qtsOwnOptionsArePassedOver()
{
    const CommandLine line = parse({ "-platform", "xcb", "v.pipeloom.json", "-style", "fusion" });
    QCOMPARE(line.task, CommandLine::Task::Window);
    QCOMPARE(line.file, QString("v.pipeloom.json"));
}

void CommandLineTest::withoutADisplayItIsOffscreenUnlessTheUserChose_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("variables");
    QTest::addColumn<QString>("platform");
    QTest::newRow("a display") << QStringList {} << QStringList { "DISPLAY" } << "";
    QTest::newRow("wayland") << QStringList {} << QStringList { "WAYLAND_DISPLAY" } << "";
    QTest::newRow("none") << QStringList {} << QStringList {} << "offscreen";
    QTest::newRow("screenshot") << QStringList { "--screenshot", "a.png" } << QStringList { "DISPLAY" } << "offscreen";
    QTest::newRow("chosen") << QStringList { "--screenshot", "a.png" } << QStringList { "QT_QPA_PLATFORM" } << "";
    QTest::newRow("chosen by option") << QStringList { "-platform", "vnc" } << QStringList {} << "";
}

void CommandLineTest::withoutADisplayItIsOffscreenUnlessTheUserChose()
{
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, variables);
    QFETCH(QString, platform);
    const auto isSet = [&](const char* variable) { return variables.contains(variable); };
    QCOMPARE(platformFor(parse(arguments), arguments, isSet), platform);
}

QTEST_APPLESS_MAIN(CommandLineTest)
#include "command_line_test.moc"
