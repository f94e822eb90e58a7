// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_folder.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>
#include <QStandardPaths>
#include <QSysInfo>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

namespace pipeloom::designer {

namespace {

constexpr const char* recordFile = "/run.json";

QByteArray content(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::optional<int> number(const QString& path)
{
    bool ok = false;
    const int value = content(path).trimmed().toInt(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<ProcessState> processState(pid_t pid)
{
    const QByteArray line = content(QStringLiteral("/proc/%1/stat").arg(pid));
    // The name stands in brackets and may hold any.
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    constexpr qsizetype started = 19;
    if (pid <= 0 || line.isEmpty() || fields.size() <= started || fields[0].isEmpty())
        return std::nullopt;
    return ProcessState { fields[0][0], fields[2].toInt(), fields[3].toInt(), fields[started].toULongLong() };
}

std::vector<pid_t> processesOfSession(pid_t session, pid_t spared)
{
    std::vector<pid_t> found;
    for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const pid_t pid = entry.toInt();
        if (pid <= 0 || pid == spared)
            continue;
        const auto state = processState(pid);
        if (state && state->session == session && state->state != 'Z' && state->state != 'X')
            found.push_back(pid);
    }
    return found;
}

QString runsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/runs");
}

QString makeRunFolder(const QString& runs, const QString& name, const QDateTime& at)
{
    static const QRegularExpression odd(QStringLiteral("[^A-Za-z0-9._-]+"));
    constexpr qsizetype longest = 40;
    const QString stem = at.toString(QStringLiteral("yyyyMMdd-HHmmss-zzz-"))
        + (name.isEmpty() ? QStringLiteral("run") : QString(name).replace(odd, QStringLiteral("-")).left(longest));
    if (!QDir().mkpath(runs))
        return {};
    constexpr int tries = 100;
    for (int i = 1; i <= tries; ++i) {
        const QString folder = runs + '/' + stem + (i == 1 ? QString() : QStringLiteral("-%1").arg(i));
        if (QDir().mkdir(folder))
            return folder;
        if (!QDir(folder).exists())
            break;
    }
    return {};
}

bool writeRecord(const RunRecord& record)
{
    const QJsonObject json {
        { "name", record.name },
        { "at", record.at.toUTC().toString(Qt::ISODateWithMs) },
        { "settings", toJson(record.settings) },
        { "events", record.events },
        { "host", record.host },
        { "supervisor", record.supervisor },
        { "supervisor_started", QString::number(record.supervisorStarted) },
    };
    QSaveFile file(record.folder + recordFile);
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(json).toJson()) >= 0 && file.commit();
}

std::optional<RunRecord> readRecord(const QString& folder)
{
    const QJsonObject json = QJsonDocument::fromJson(content(folder + recordFile)).object();
    if (json.isEmpty())
        return std::nullopt;
    RunRecord record;
    record.folder = QDir(folder).absolutePath();
    record.name = json["name"].toString();
    record.at = QDateTime::fromString(json["at"].toString(), Qt::ISODateWithMs).toLocalTime();
    record.settings = runSettings(json["settings"].toObject());
    record.events = json["events"].toString();
    record.host = json["host"].toString();
    record.supervisor = json["supervisor"].toInt();
    record.supervisorStarted = json["supervisor_started"].toString().toULongLong();
    return record;
}

std::vector<RunRecord> runRecords(const QString& runs)
{
    std::vector<RunRecord> records;
    for (const QString& entry : QDir(runs).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (auto record = readRecord(runs + '/' + entry))
            records.push_back(std::move(*record));
    std::ranges::stable_sort(records, [](const RunRecord& a, const RunRecord& b) { return a.at > b.at; });
    return records;
}

void removeOldRuns(const QString& runs, int keep)
{
    const std::vector<RunRecord> records = runRecords(runs);
    for (std::size_t i = static_cast<std::size_t>(std::max(keep, 0)); i < records.size(); ++i)
        if (!isRunning(records[i]))
            QDir(records[i].folder).removeRecursively();
}

std::optional<int> exitCode(const RunRecord& record) { return number(record.folder + QStringLiteral("/exit")); }

bool isRunning(const RunRecord& record)
{
    if (record.supervisor <= 0 || record.host != QSysInfo::machineHostName())
        return false;
    const auto state = processState(record.supervisor);
    return state && state->started == record.supervisorStarted && state->state != 'Z' && state->state != 'X';
}

std::optional<pid_t> programOf(const RunRecord& record)
{
    const auto pid = number(record.folder + QStringLiteral("/pid"));
    if (!pid || !isRunning(record))
        return std::nullopt;
    const auto state = processState(*pid);
    // Who is in the session of a process that lives is one of its own.
    const bool isOurs = state && state->session == record.supervisor && *pid != record.supervisor;
    return isOurs && state->state != 'Z' ? std::optional<pid_t>(*pid) : std::nullopt;
}

bool interrupt(const RunRecord& record)
{
    const auto program = programOf(record);
    if (!program)
        return false;
    const bool isTemplate = !record.settings.starter.trimmed().isEmpty();
    return ::kill(isTemplate ? -record.supervisor : *program, SIGINT) == 0;
}

int killProcesses(const RunRecord& record)
{
    if (!isRunning(record))
        return 0;
    // The supervisor's other half must be there to the last: it ends with the run.
    const auto program = programOf(record);
    const std::vector<pid_t> all = processesOfSession(record.supervisor, record.supervisor);
    int killed = 0;
    for (const pid_t pid : all)
        killed += pid != program && ::kill(pid, SIGKILL) == 0 ? 1 : 0;
    if (program)
        killed += ::kill(*program, SIGKILL) == 0 ? 1 : 0;
    return killed;
}

} // namespace pipeloom::designer
