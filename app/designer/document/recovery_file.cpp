// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/document/recovery_file.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>

#ifdef Q_OS_UNIX
#include <signal.h>
#endif

#include <cerrno>

namespace pipeloom::designer {

namespace {

const QString textSuffix = QStringLiteral(".pipeloom.json");
const QString infoSuffix = QStringLiteral(".info");

QString infoOf(const QString& file) { return file.chopped(textSuffix.size()) + infoSuffix; }

/// When a process started, from the 22nd field of its stat file; 0: not known.
qint64 startOf(qint64 number)
{
    QFile stat(QString("/proc/%1/stat").arg(number));
    if (!stat.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = stat.readAll();
    // The name may hold blanks and brackets; it ends at the last bracket, as the second field.
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    return fields.value(22 - 3).toLongLong();
}

bool writeWhole(const QString& path, const QByteArray& bytes, QString& problem)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return true;
    problem = file.errorString();
    return false;
}

ProcessId writerOf(const QJsonObject& info) { return { info["pid"].toInteger(), info["started"].toInteger() }; }

} // namespace

ProcessId thisProcess()
{
    const qint64 number = QCoreApplication::applicationPid();
    return { number, startOf(number) };
}

bool isAlive(const ProcessId& process)
{
    if (process.number <= 0)
        return false;
    const qint64 started = startOf(process.number);
    if (started != 0)
        return process.started == 0 || started == process.started;
#ifdef Q_OS_UNIX
    return kill(static_cast<pid_t>(process.number), 0) == 0 || errno == EPERM;
#else
    return process.number == QCoreApplication::applicationPid();
#endif
}

QString recoveryFolder() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/recovery"; }

QString recoveryFileFor(const QString& folder, const QString& path)
{
    const QByteArray hash = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QString("%1/%2-%3%4").arg(folder, hash).arg(QCoreApplication::applicationPid()).arg(textSuffix);
}

QString writeRecovery(const LeftBehind& what, const std::string& text, const ProcessId& process)
{
    QString problem;
    if (!QDir().mkpath(QFileInfo(what.file).absolutePath()))
        return QCoreApplication::translate("Recovery", "the folder %1 cannot be made")
            .arg(QFileInfo(what.file).absolutePath());
    const QJsonObject info { { "path", what.path }, { "title", what.title },
        { "when", what.when.toString(Qt::ISODate) }, { "pid", process.number }, { "started", process.started } };
    // The description first: a text that nothing tells of would be offered as a crash of its own writer.
    if (writeWhole(infoOf(what.file), QJsonDocument(info).toJson(), problem))
        writeWhole(what.file, QByteArray::fromStdString(text), problem);
    return problem;
}

void removeRecovery(const QString& file)
{
    QFile::remove(file);
    QFile::remove(infoOf(file));
}

std::vector<LeftBehind> leftBehindIn(const QString& folder)
{
    std::vector<LeftBehind> found;
    for (const QFileInfo& file : QDir(folder).entryInfoList({ '*' + textSuffix }, QDir::Files, QDir::Time)) {
        QFile stored(infoOf(file.filePath()));
        const QByteArray bytes = stored.open(QIODevice::ReadOnly) ? stored.readAll() : QByteArray();
        const QJsonObject info = QJsonDocument::fromJson(bytes).object();
        ProcessId writer = writerOf(info);
        if (info.isEmpty())
            writer.number = file.fileName().chopped(textSuffix.size()).section('-', -1).toLongLong();
        if (isAlive(writer))
            continue;
        LeftBehind left { file.filePath(), info["path"].toString(), info["title"].toString(),
            QDateTime::fromString(info["when"].toString(), Qt::ISODate) };
        if (left.title.isEmpty())
            left.title = QCoreApplication::translate("Recovery", "A design");
        if (!left.when.isValid())
            left.when = file.lastModified();
        found.push_back(std::move(left));
    }
    return found;
}

std::optional<LeftBehind> adopt(const LeftBehind& what, const QString& folder)
{
    LeftBehind own = what;
    own.file = recoveryFileFor(folder, what.path);
    if (own.file == what.file)
        return own;
    QFile text(what.file);
    if (!text.open(QIODevice::ReadOnly))
        return std::nullopt;
    if (!writeRecovery(own, text.readAll().toStdString(), thisProcess()).isEmpty())
        return std::nullopt;
    removeRecovery(what.file);
    return own;
}

} // namespace pipeloom::designer
