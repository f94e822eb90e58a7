// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_settings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("RunSettings", text); }

constexpr int mostRanks = 1'000'000;
constexpr double mostSeconds = 1e6;
constexpr double mostSteps = 1e9;

const QStringList& transports()
{
    static const QStringList names { {}, "gloo", "nccl" };
    return names;
}

/// A word of a few, else the first.
QString oneOf(const QJsonValue& value, const QStringList& words)
{
    const QString word = value.toString();
    return words.contains(word) ? word : words.front();
}

int within(const QJsonValue& value, int least, int most, int byDefault)
{
    const double number = value.toDouble(byDefault);
    return number >= least && number <= most ? static_cast<int>(number) : byDefault;
}

QStringList texts(const QJsonValue& value)
{
    QStringList list;
    for (const QJsonValue& entry : value.toArray())
        if (entry.isString())
            list.append(entry.toString());
    return list;
}

} // namespace

QJsonObject toJson(const RunSettings& settings)
{
    return {
        { "program", settings.program },
        { "design", settings.design },
        { "folder", settings.folder },
        { "where", static_cast<int>(settings.where) },
        { "ranks", settings.ranks },
        { "transport", settings.transport },
        { "device", settings.device },
        { "data", QJsonArray::fromStringList(settings.data) },
        { "steps", static_cast<double>(settings.steps) },
        { "timeout", settings.timeoutSeconds },
        { "checkpoint", settings.checkpoint },
        { "resume", settings.resume },
        { "replicas", settings.replicas },
        { "optimizer", settings.optimizer },
        { "on_nan", settings.onNan },
        { "queue", settings.queue },
        { "rehearsal", static_cast<int>(settings.rehearsal) },
        { "verify", settings.verify },
        { "more", settings.more },
        { "environment", QJsonArray::fromStringList(settings.environment) },
        { "starter", settings.starter },
        { "events_folder", settings.eventsFolder },
        { "keep_running", settings.keepRunning },
    };
}

RunSettings runSettings(const QJsonObject& json)
{
    RunSettings settings;
    settings.program = json["program"].toString();
    settings.design = json["design"].toString();
    settings.folder = json["folder"].toString();
    settings.where = static_cast<RunSettings::Where>(within(json["where"], 0, 2, 0));
    settings.ranks = within(json["ranks"], 1, mostRanks, 1);
    settings.transport = oneOf(json["transport"], transports());
    settings.device = oneOf(json["device"], { "cpu", "cuda" });
    settings.data = texts(json["data"]);
    const double steps = json["steps"].toDouble();
    settings.steps = steps >= 1 && steps <= mostSteps ? static_cast<std::int64_t>(steps) : 0;
    const double timeout = json["timeout"].toDouble();
    if (timeout > 0 && timeout <= mostSeconds)
        settings.timeoutSeconds = timeout;
    settings.checkpoint = json["checkpoint"].toString();
    settings.resume = json["resume"].toString();
    settings.replicas = within(json["replicas"], 1, mostRanks, 1);
    settings.optimizer = oneOf(json["optimizer"], { "synchronised", "post-validation" });
    settings.onNan = oneOf(json["on_nan"], { "stop", "skip" });
    settings.queue = oneOf(json["queue"], { {}, "ideal", "directed", "pair", "device" });
    settings.rehearsal = static_cast<RunSettings::Rehearsal>(within(json["rehearsal"], 0, 2, 0));
    settings.verify = json["verify"].toBool();
    settings.more = json["more"].toString();
    settings.environment = texts(json["environment"]);
    settings.starter = json["starter"].toString();
    settings.eventsFolder = json["events_folder"].toString();
    settings.keepRunning = json["keep_running"].toBool();
    return settings;
}

QString shellQuoted(const QString& word)
{
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_./:=@%+,-]+\\z"));
    if (plain.match(word).hasMatch())
        return word;
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

QStringList shellWords(const QString& line, bool& ok)
{
    QStringList words;
    QString word;
    bool begun = false;
    QChar quote;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size()
            && (quote.isNull() || QStringLiteral("\"\\$`").contains(line[i + 1]));
        if (escapes) {
            word += line[++i];
            begun = true;
        } else if (!quote.isNull()) {
            if (c == quote)
                quote = {};
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            begun = true;
        } else if (c.isSpace()) {
            if (begun)
                words.append(word);
            word.clear();
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    ok = quote.isNull();
    if (begun)
        words.append(word);
    return words;
}

QStringList runArguments(const RunSettings& settings, const QString& events)
{
    QStringList line { "run", settings.design };
    const auto add = [&line](const char* flag, const QString& value) {
        if (!value.isEmpty())
            line << QLatin1String(flag) << value;
    };
    const bool isRehearsal = settings.rehearsal != RunSettings::Rehearsal::No;
    if (settings.where == RunSettings::Where::Processes && !isRehearsal)
        add("--ranks", QString::number(settings.ranks));
    if (settings.where != RunSettings::Where::Threads && !isRehearsal)
        add("--transport", settings.transport);
    if (settings.device != "cpu")
        add("--device", settings.device);
    if (settings.steps > 0)
        add("--steps", QString::number(settings.steps));
    if (settings.rehearsal == RunSettings::Rehearsal::Real)
        line << "--emulate=real";
    if (settings.rehearsal == RunSettings::Rehearsal::Virtual)
        line << "--emulate=virtual";
    if (settings.replicas > 1)
        add("--replicas", QString::number(settings.replicas));
    if (settings.timeoutSeconds != RunSettings().timeoutSeconds)
        add("--timeout", QString::number(settings.timeoutSeconds, 'g', 9));
    add("--checkpoint", settings.checkpoint);
    add("--resume", settings.resume);
    if (settings.optimizer != "synchronised")
        add("--optimizer", settings.optimizer);
    if (settings.onNan != "stop")
        add("--on-nan", settings.onNan);
    add("--queue", settings.queue);
    if (settings.verify)
        line << "--verify";
    add("--events", events);
    bool ok = false;
    line << shellWords(settings.more, ok);
    // Takes all that follows up to the next option.
    if (!settings.data.isEmpty() && !isRehearsal)
        line << "--data" << settings.data;
    return line;
}

QString commandLine(const RunSettings& settings, const QString& events)
{
    QStringList words;
    if (!settings.environment.isEmpty()) {
        words << "env";
        for (const QString& entry : settings.environment)
            words << shellQuoted(entry);
    }
    words << shellQuoted(settings.program.isEmpty() ? QStringLiteral("pipeloom") : settings.program);
    for (const QString& argument : runArguments(settings, events))
        words << shellQuoted(argument);
    const QString command = words.join(' ');
    if (settings.starter.trimmed().isEmpty())
        return command;
    // ssh gives what it is told to another shell, which reads it once more.
    static const QRegularExpression remote(QStringLiteral("\\A\\s*(\\S*/)?ssh\\s"));
    const bool isReadTwice = remote.match(settings.starter).hasMatch();
    const QString dir = shellQuoted(settings.folder);
    const QString there = isReadTwice ? shellQuoted("cd " + dir + " && " + command) : command;
    QString line = settings.starter.trimmed();
    // In one go: a folder's name may hold what looks like the other.
    static const QRegularExpression holes(QStringLiteral("\\{(command|dir)\\}"));
    QString filled;
    qsizetype from = 0;
    for (auto found = holes.globalMatch(line); found.hasNext();) {
        const QRegularExpressionMatch hole = found.next();
        filled += line.mid(from, hole.capturedStart() - from) + (hole.captured(1) == "dir" ? dir : there);
        from = hole.capturedEnd();
    }
    return filled + line.mid(from);
}

QString findProgram()
{
    const QDir here(QCoreApplication::applicationDirPath());
    for (const char* place : { "pipeloom", "../bin/pipeloom" }) {
        const QFileInfo file(here.filePath(QLatin1String(place)));
        if (file.isFile() && file.isExecutable())
            return QDir::cleanPath(file.absoluteFilePath());
    }
    return QStandardPaths::findExecutable(QStringLiteral("pipeloom"));
}

QList<WrongEntry> wrongEntries(const RunSettings& settings, int devices, bool hasData)
{
    using Where = RunSettings::Where;
    QList<WrongEntry> wrong;
    const bool isRehearsal = settings.rehearsal != RunSettings::Rehearsal::No;
    const bool isRemote = !settings.starter.trimmed().isEmpty();
    const QDir folder(settings.folder);
    if (settings.where == Where::Processes && !isRehearsal && settings.ranks != devices * settings.replicas)
        wrong.append({ "ranks",
            tr("The design has %1 devices and %2 replicas: it needs %3 ranks.")
                .arg(devices)
                .arg(settings.replicas)
                .arg(devices * settings.replicas) });
    if (isRehearsal && settings.where != Where::Threads)
        wrong.append({ "where", tr("A rehearsal runs all devices in one process.") });
    if (settings.transport == "nccl" && settings.device != "cuda")
        wrong.append({ "transport", tr("nccl sends from GPU to GPU: it needs the device cuda.") });
    if (settings.where == Where::Starter && !isRemote)
        wrong.append({ "starter",
            tr("Say what starts the ranks, such as srun -n %1 {command}.").arg(devices * settings.replicas) });
    if (isRemote && !settings.starter.contains("{command}"))
        wrong.append({ "starter", tr("The template must hold {command}.") });
    if (!isRehearsal && settings.data.isEmpty() && !hasData)
        wrong.append({ "data", tr("The design names no text to train on: choose at least one file, or rehearse.") });
    if (!isRemote)
        for (const QString& file : settings.data)
            if (!QFileInfo(folder, file).isFile())
                wrong.append({ "data", tr("%1 is no file.").arg(file) });
    if (!isRemote && !settings.resume.isEmpty() && !QFileInfo(folder, settings.resume).isDir())
        wrong.append({ "resume", tr("%1 is no folder.").arg(settings.resume) });
    if (!(settings.timeoutSeconds > 0) || settings.timeoutSeconds > mostSeconds)
        wrong.append({ "timeoutSeconds", tr("The time limit must be above 0 seconds.") });
    bool ok = false;
    (void)shellWords(settings.more, ok);
    if (!ok)
        wrong.append({ "more", tr("A quote is not closed.") });
    static const QRegularExpression assignment(
        QStringLiteral("\\A[A-Za-z_][A-Za-z0-9_]*=.*\\z"), QRegularExpression::DotMatchesEverythingOption);
    const auto isBad = [](const QString& entry) { return !assignment.match(entry).hasMatch(); };
    const auto bad = std::ranges::find_if(settings.environment, isBad);
    if (bad != settings.environment.end())
        wrong.append({ "environment", tr("\"%1\" is not of the form NAME=VALUE.").arg(*bad) });
    return wrong;
}

} // namespace pipeloom::designer
