// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Designs with a model so small that a run is over at once, and the processes that a run leaves or does not leave.

#include "tests/app/pipeloom_process.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <unistd.h>

#include <vector>

namespace pipeloom::test {

class SmallRuns {
public:
    SmallRuns()
    {
        text_ = write("text.txt", QByteArray("It was the best of times, it was the worst of times. ").repeated(40));
    }

    QString write(const QString& name, const QByteArray& content)
    {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("%s could not be written", qPrintable(name));
        return file.fileName();
    }

    QString design(const QString& schedule, int devices, int microBatches)
    {
        const QByteArray made = test::design(schedule, devices, microBatches);
        const char* model
            = R"(, "model": { "layers": 8, "hidden": 16, "heads": 2, "sequence": 16, "micro_batch_size": 1 } })";
        return write(
            QString("%1-%2.pipeloom.json").arg(schedule).arg(devices), made.left(made.lastIndexOf('}')) + model);
    }

    /// A file to train on.
    [[nodiscard]] const QString& text() const { return text_; }

    /// The arguments of a run.
    [[nodiscard]] QStringList run(const QString& file, const QStringList& more = {}, int timeout = 20) const
    {
        return QStringList { "run", file, "--data", text_, "--timeout", QString::number(timeout) } + more;
    }

    [[nodiscard]] QString folder(const QString& name) const { return folder_.filePath(name); }

private:
    QTemporaryDir folder_;
    QString text_;
};

/// What a file holds so far; empty if it is not there.
inline QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Processes that have the text in their command line.
inline QList<pid_t> processesWith(const QString& text)
{
    QList<pid_t> found;
    for (const QString& entry : QDir("/proc").entryList(QDir::Dirs)) {
        QFile file("/proc/" + entry + "/cmdline");
        if (entry.toInt() > 0 && entry.toInt() != getpid() && file.open(QIODevice::ReadOnly)
            && file.readAll().contains(text.toUtf8()))
            found.append(entry.toInt());
    }
    return found;
}

inline std::vector<double> losses(const nlohmann::json& run)
{
    std::vector<double> all;
    for (const auto& step : run.at("steps"))
        all.push_back(step.at("loss").get<double>());
    return all;
}

} // namespace pipeloom::test
