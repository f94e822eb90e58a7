// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a run that a window started leaves on the disk, so that any window can find it again, follow it and end it:
//
//   AppDataLocation/runs/20261201-021530-V-Half/
//     run.json                 what it was started with, and which process looks after it
//     design.pipeloom.json     the design as it was then
//     events/                  what the run tells of itself
//     output.txt errors.txt    what it writes
//     pid                      of the run itself
//     exit                     its exit code, once it has ended

#include "app/designer/run/run_settings.h"

#include <QDateTime>
#include <QString>
#include <sys/types.h>

#include <optional>
#include <vector>

namespace pipeloom::designer {

/// A process as the system has it.
struct ProcessState {
    char state = 0; ///< `Z`: ended, and only its exit code is left
    pid_t group = 0;
    pid_t session = 0;
    std::uint64_t started
        = 0; ///< in ticks of the system since it booted: tells a pid that is used again from the one before
};
/// None: there is no such process.
[[nodiscard]] std::optional<ProcessState> processState(pid_t pid);
/// All processes of a session but `spared`, ended ones left out.
[[nodiscard]] std::vector<pid_t> processesOfSession(pid_t session, pid_t spared = 0);

struct RunRecord {
    QString folder;
    QString name; ///< of the design
    QDateTime at;
    RunSettings settings;
    QString events; ///< the folder that it writes them to
    QString host;
    pid_t supervisor = 0; ///< leads a session of its own, in which the run is; 0: not started
    std::uint64_t supervisorStarted = 0;
};

/// AppDataLocation/runs.
[[nodiscard]] QString runsFolder();
/// Makes a folder for a run; an empty text if it cannot be made.
[[nodiscard]] QString makeRunFolder(const QString& runs, const QString& name, const QDateTime& at);
/// False: it could not be written.
[[nodiscard]] bool writeRecord(const RunRecord& record);
[[nodiscard]] std::optional<RunRecord> readRecord(const QString& folder);
/// Newest first.
[[nodiscard]] std::vector<RunRecord> runRecords(const QString& runs);
/// Removes all but the newest `keep`, and never one that still runs.
void removeOldRuns(const QString& runs, int keep = 20);

[[nodiscard]] std::optional<int> exitCode(const RunRecord& record);
/// It was started on this machine, and the process that looks after it is there.
[[nodiscard]] bool isRunning(const RunRecord& record);
/// The run itself, if it is there and certainly the one that is meant.
[[nodiscard]] std::optional<pid_t> programOf(const RunRecord& record);
/// As Ctrl+C would: to the run, or to all that its template started. False: there is nobody to send it to.
bool interrupt(const RunRecord& record);
/// Kills all processes of the run but the one that looks after it. Gives how many there were.
int killProcesses(const RunRecord& record);

} // namespace pipeloom::designer
