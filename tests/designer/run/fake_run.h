// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A program that behaves as runs may, without training anything, and what is seen of processes.

#include "app/designer/run/run_process.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace pipeloom::designer::testing {

constexpr int patienceMs = 30'000;

/// Does what its first argument of its own says (RunSettings::more).
class FakeRun {
public:
    FakeRun()
    {
        QFile file(folder_.filePath("a run"));
        const QByteArray script = R"(#!/bin/sh
printf '%s\n' "$@" >arguments
for mode; do
    case $mode in
    finish) echo one; echo two; echo '[rank 2] three' >&2; exit 0 ;;
    fail) printf '1 error\n  run/died\n    Rank 1 was killed.\n    Look at it.\n' >&2; exit 3 ;;
    polite) trap 'echo saved; exit 130' INT ;;
    hasty) count=0; trap 'count=$((count + 1)); [ $count = 2 ] && exit 130' INT ;;
    stubborn) trap '' INT TERM ;;
    family) sleep 1000 & setsid sleep 0 ; (sleep 1000; :) & ;;
    leave) sleep 1000 & exit 0 ;;
    environment) echo "$GREETING"; exit 0 ;;
    esac
done
echo ready
while :; do sleep 0.05; done
)";
        if (!file.open(QIODevice::WriteOnly) || file.write(script) != script.size())
            qFatal("the script cannot be written");
        file.setPermissions(file.permissions() | QFile::ExeOwner);
    }

    [[nodiscard]] RunSettings settings(const QString& mode) const
    {
        RunSettings settings;
        settings.program = folder_.filePath("a run");
        settings.folder = folder_.path();
        settings.more = mode;
        return settings;
    }
    [[nodiscard]] QString runs() const { return folder_.filePath("runs"); }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

private:
    QTemporaryDir folder_;
};

/// The run has said that it is there.
inline bool isReady(const RunProcess& process)
{
    QFile file(process.record().folder + "/output.txt");
    return process.state() == RunProcess::State::Running && file.open(QIODevice::ReadOnly)
        && file.readAll().contains("ready");
}

/// Nothing of a run's session is there any more.
inline bool isGone(const RunRecord& record) { return processesOfSession(record.supervisor).empty(); }

} // namespace pipeloom::designer::testing
