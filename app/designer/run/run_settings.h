// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a run from the window is started with, and the command line that follows from it.

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <cstdint>

namespace pipeloom::designer {

struct RunSettings {
    enum class Where : std::uint8_t {
        Threads,   ///< each device is a thread of one process
        Processes, ///< `ranks` processes of one machine, which pipeloom starts
        Starter,   ///< processes that the template starts: srun, torchrun, mpirun
    };
    enum class Rehearsal : std::uint8_t { No, Real, Virtual };

    QString program; ///< empty: findProgram()
    QString design;  ///< the design file
    QString folder;  ///< where it runs; relative names count from there
    Where where = Where::Threads;
    int ranks = 1;                                      ///< devices of all replicas; only for Processes
    QString transport;                                  ///< `gloo`, `nccl`; empty: what follows from `where`
    QString device = QStringLiteral("cpu");             ///< or `cuda`
    QStringList data;                                   ///< text files; empty: those of the design
    std::int64_t steps = 0;                             ///< 0: as the design says
    double timeoutSeconds = 60;                         ///< without a sign of life
    QString checkpoint;                                 ///< folder; empty: none
    QString resume;                                     ///< folder; empty: from the start
    int replicas = 1;                                   ///< data-parallel
    QString optimizer = QStringLiteral("synchronised"); ///< or `post-validation`
    QString onNan = QStringLiteral("stop");             ///< or `skip`
    QString queue;                                      ///< empty: as the design says
    Rehearsal rehearsal = Rehearsal::No;
    bool verify = false;
    QString more;             ///< further arguments, as a shell would read them
    QStringList environment;  ///< NAME=VALUE
    QString starter;          ///< `ssh node7 {command}`; empty: none. {command}, {dir}: the command line, the folder
    QString eventsFolder;     ///< where the run can write and the window can read; empty: beside its output
    bool keepRunning = false; ///< when the window closes

    friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

[[nodiscard]] QJsonObject toJson(const RunSettings& settings);
/// What is missing or makes no sense is as by default.
[[nodiscard]] RunSettings runSettings(const QJsonObject& json);

/// As a word of a POSIX shell: bare if it needs no quotes.
[[nodiscard]] QString shellQuoted(const QString& word);
/// A line as a POSIX shell splits it, without anything else that a shell does. `ok`: false if a quote is not closed.
[[nodiscard]] QStringList shellWords(const QString& line, bool& ok);

/// What follows the program's name: `run design.pipeloom.json --ranks 4 …`. `events`: the folder that they are written to.
[[nodiscard]] QStringList runArguments(const RunSettings& settings, const QString& events);
/// The whole as a line for a shell, with the environment before it, within the template if there is one.
[[nodiscard]] QString commandLine(const RunSettings& settings, const QString& events);

/// `pipeloom` beside this program, in ../bin, or in PATH; empty: there is none.
[[nodiscard]] QString findProgram();

/// Where a wrong entry is typed, and what is wrong with it.
struct WrongEntry {
    const char* field; ///< the member's name
    QString sentence;
};
/// What can be known before it is started: `devices` of the design, `hasData`: the design names some.
[[nodiscard]] QList<WrongEntry> wrongEntries(const RunSettings& settings, int devices, bool hasData);

} // namespace pipeloom::designer
