// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/command_line.h"

#include <QCommandLineParser>
#include <QFileInfo>

namespace pipeloom::designer {

namespace {

const char* const help = R"(Usage: pipeloom-designer [options] [DESIGN] [EVENTS]

Draws, checks, compares and runs pipeline-parallel training schedules.

  DESIGN                 a design, *.pipeloom.json
  EVENTS                 of a run, *.jsonl or a folder of them: they are followed

Options:
  -h, --help             print this and exit
  -v, --version          print the version and exit
  --screenshot PNG       write the window's picture and exit; needs no display
  --size WxH             of the window in pixels, for --screenshot (1600x1000)
  --theme light|dark     instead of the one in the settings
  --scale FACTOR         of everything drawn, 1 to 4
  --layout NAME          design, compare or run (design; with events run)
  --replay SPEED         shows the run again as it happened, 1 to 100 times as
                         fast
  --step N               of the run to show (the newest)
)";

/// Qt's own options that take a value.
const QStringList& qtOptions()
{
    static const QStringList options { "-platform", "-platformpluginpath", "-platformtheme", "-plugin",
        "-qwindowgeometry", "-qwindowicon", "-qwindowtitle", "-style", "-stylesheet", "-display", "-geometry",
        "-fontengine" };
    return options;
}

QStringList withoutQtOptions(const QStringList& arguments)
{
    QStringList ours;
    for (qsizetype i = 0; i < arguments.size(); ++i)
        if (qtOptions().contains(arguments[i]))
            ++i;
        else
            ours << arguments[i];
    return ours;
}

CommandLine printed(const QString& text, int exitCode)
{
    CommandLine line;
    line.task = CommandLine::Task::Print;
    line.text = text;
    line.exitCode = exitCode;
    return line;
}

CommandLine wrong(const QString& why)
{
    return printed(QString("pipeloom-designer: %1\nTry 'pipeloom-designer --help'.\n").arg(why), 2);
}

/// Takes `800x600`.
std::optional<QSize> sizeOf(const QString& text)
{
    const QStringList parts = text.split('x');
    bool isWidth = false;
    bool isHeight = false;
    if (parts.size() != 2)
        return std::nullopt;
    const QSize size(parts[0].toInt(&isWidth), parts[1].toInt(&isHeight));
    const bool within = size.width() >= 200 && size.width() <= 16384 && size.height() >= 200 && size.height() <= 16384;
    return isWidth && isHeight && within ? std::optional(size) : std::nullopt;
}

bool isRun(const QString& file) { return file.endsWith(QLatin1String(".jsonl")) || QFileInfo(file).isDir(); }

QString takeRunValues(const QCommandLineParser& parser, CommandLine& line)
{
    for (const QString& file : parser.positionalArguments()) {
        QString& place = isRun(file) ? line.run : line.file;
        if (!place.isEmpty())
            return QString("one design and one run at most, not %1 and %2.").arg(place, file);
        place = file;
    }
    if (!line.run.isEmpty() && !parser.isSet("layout"))
        line.layout = CommandLine::Layout::Run;
    for (const char* option : { "replay", "step" })
        if (parser.isSet(option) && line.run.isEmpty())
            return QString("--%1 needs the events of a run.").arg(option);
    bool isNumber = true;
    if (parser.isSet("replay")) {
        line.replaySpeed = parser.value("replay").toDouble(&isNumber);
        if (!isNumber || !(line.replaySpeed >= 1 && line.replaySpeed <= 100))
            return QString("--replay takes a number from 1 to 100, not '%1'.").arg(parser.value("replay"));
    }
    if (parser.isSet("step")) {
        line.step = parser.value("step").toLongLong(&isNumber);
        if (!isNumber || *line.step < 0)
            return QString("--step takes a number from 0 on, not '%1'.").arg(parser.value("step"));
    }
    return {};
}

/// Puts the values of options into the line. Gives what is wrong, or an empty text.
QString takeValues(const QCommandLineParser& parser, CommandLine& line)
{
    if (parser.isSet("size")) {
        const auto size = sizeOf(parser.value("size"));
        if (!size)
            return QString("--size takes WIDTHxHEIGHT from 200x200 to 16384x16384, not '%1'.")
                .arg(parser.value("size"));
        line.size = *size;
    }
    if (parser.isSet("theme")) {
        const QString theme = parser.value("theme");
        if (theme != "light" && theme != "dark")
            return QString("--theme takes light or dark, not '%1'.").arg(theme);
        line.theme = theme == "dark" ? ThemeChoice::Dark : ThemeChoice::Light;
    }
    if (parser.isSet("scale")) {
        bool isNumber = false;
        line.scale = parser.value("scale").toDouble(&isNumber);
        if (!isNumber || !(*line.scale >= 1 && *line.scale <= 4))
            return QString("--scale takes a number from 1 to 4, not '%1'.").arg(parser.value("scale"));
    }
    if (parser.isSet("layout")) {
        const QString layout = parser.value("layout");
        if (layout != "design" && layout != "compare" && layout != "run")
            return QString("--layout takes design, compare or run, not '%1'.").arg(layout);
        line.layout = layout == "compare" ? CommandLine::Layout::Compare
            : layout == "run"             ? CommandLine::Layout::Run
                                          : CommandLine::Layout::Design;
    }
    return takeRunValues(parser, line);
}

} // namespace

CommandLine parseCommandLine(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setOptionsAfterPositionalArgumentsMode(QCommandLineParser::ParseAsOptions);
    parser.addOptions({ { { "h", "help" }, {} }, { { "v", "version" }, {} }, { "screenshot", {}, "PNG" },
        { "size", {}, "WxH" }, { "theme", {}, "name" }, { "scale", {}, "factor" }, { "layout", {}, "name" },
        { "replay", {}, "speed" }, { "step", {}, "number" } });
    if (!parser.parse(withoutQtOptions(arguments)))
        return wrong(parser.errorText());
    if (parser.isSet("help"))
        return printed(help, 0);
    if (parser.isSet("version"))
        return printed(QString("pipeloom-designer %1\n").arg(PIPELOOM_VERSION), 0);
    CommandLine line;
    const QString fault = takeValues(parser, line);
    if (!fault.isEmpty())
        return wrong(fault);
    if (parser.isSet("screenshot")) {
        line.screenshot = parser.value("screenshot");
        if (line.screenshot.isEmpty())
            return wrong("--screenshot takes the name of a PNG file.");
        line.task = CommandLine::Task::Screenshot;
    }
    return line;
}

QString platformFor(
    const CommandLine& line, const QStringList& arguments, const std::function<bool(const char* variable)>& isSet)
{
    if (isSet("QT_QPA_PLATFORM") || arguments.contains("-platform"))
        return {};
    const bool hasDisplay = isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
    return line.task == CommandLine::Task::Screenshot || !hasDisplay ? "offscreen" : QString();
}

void prepareEnvironment(const CommandLine& line, const QStringList& arguments)
{
    const QString platform
        = platformFor(line, arguments, [](const char* variable) { return !qEnvironmentVariableIsEmpty(variable); });
    if (!platform.isEmpty())
        qputenv("QT_QPA_PLATFORM", platform.toLocal8Bit());
    // Text of a picture must not depend on the screen that happens to be there.
    if (line.task == CommandLine::Task::Screenshot && qEnvironmentVariableIsEmpty("QT_FONT_DPI"))
        qputenv("QT_FONT_DPI", "96");
    if (line.scale)
        qputenv("QT_SCALE_FACTOR", QByteArray::number(*line.scale));
}

} // namespace pipeloom::designer
