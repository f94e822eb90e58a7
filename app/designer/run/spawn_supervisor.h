// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Starts the script that looks after a run (run_supervisor.h), in a session of its own, with output and errors in files.

#include <QString>
#include <QStringList>
#include <sys/types.h>

namespace pipeloom::designer {

struct SupervisorPlan {
    QString folder; ///< of the run: output.txt and errors.txt are made there
    QString workingFolder;
    QStringList command;     ///< program and arguments
    QStringList environment; ///< NAME=VALUE, which goes before this program's own
    bool keepRunning = false;
    bool interruptsGroup = false;
};

struct SpawnedSupervisor {
    pid_t pid = 0;
    int line = -1;   ///< closed by the caller: what happens then was chosen by keepRunning
    QString trouble; ///< why there is none
};

[[nodiscard]] SpawnedSupervisor spawnSupervisor(const SupervisorPlan& plan);
/// Chooses anew what happens when the line is closed.
void tellSupervisor(int line, bool keepRunning);

} // namespace pipeloom::designer
