// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The real `pipeloom`, started as a shell would start it, and designs for it to read.

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include <stdexcept>

namespace pipeloom::test {

/// How a command ended.
struct Ended {
    int code = -1; ///< -1: it crashed or did not end
    QByteArray out;
    QByteArray error;

    /// Standard output as the one JSON document that it must be.
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out.toStdString()); }
};

/// No display, no terminal, UTF-8, 80 columns.
inline QProcessEnvironment plainEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "COLUMNS", "NO_COLOR" })
        environment.remove(name);
    environment.insert("LC_ALL", "C.UTF-8");
    return environment;
}

inline Ended ended(QProcess& process)
{
    Ended ended;
    constexpr int patience = 60'000;
    if (process.waitForFinished(patience) && process.exitStatus() == QProcess::NormalExit)
        ended.code = process.exitCode();
    ended.out = process.readAllStandardOutput();
    ended.error = process.readAllStandardError();
    return ended;
}

inline Ended call(const QStringList& arguments, const QByteArray& input = {},
    const QProcessEnvironment& environment = plainEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(PIPELOOM_BINARY, arguments);
    process.write(input);
    process.closeWriteChannel();
    return ended(process);
}

/// A shell's line, in which `pipeloom` is the program.
inline Ended shell(const QString& line)
{
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start("bash", { "-c", "pipeloom() { " PIPELOOM_BINARY " \"$@\"; }\n" + line });
    process.closeWriteChannel();
    return ended(process);
}

/// The design of a published schedule, as `new` makes it.
inline QByteArray design(const QString& schedule, int devices, int microBatches, const QStringList& more = {})
{
    const Ended made = call(QStringList { "new", schedule, "--devices", QString::number(devices), "--micro-batches",
                                QString::number(microBatches) }
        + more);
    if (made.code != 0)
        throw std::runtime_error(made.error.toStdString());
    return made.out;
}

/// The design with another text in the place of one that it has.
inline QByteArray changed(QByteArray design, const char* before, const char* after)
{
    if (!design.contains(before))
        throw std::runtime_error(std::string("the design has no ") + before);
    return design.replace(before, after);
}

} // namespace pipeloom::test
