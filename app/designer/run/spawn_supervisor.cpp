// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/spawn_supervisor.h"

#include "app/designer/run/run_supervisor.h"

#include <QDir>
#include <QFile>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

extern char** environ;

namespace pipeloom::designer {

namespace {

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> all;
    for (std::string& text : texts)
        all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

std::string nameOf(const std::string& entry) { return entry.substr(0, entry.find('=')); }

std::vector<std::string> environmentWith(const QStringList& own)
{
    std::vector<std::string> all;
    for (const QString& entry : own)
        all.push_back(entry.toStdString());
    const std::size_t mine = all.size();
    for (char** entry = environ; *entry != nullptr; ++entry) {
        bool isReplaced = false;
        for (std::size_t i = 0; i < mine; ++i)
            isReplaced = isReplaced || nameOf(all[i]) == nameOf(*entry);
        if (!isReplaced)
            all.emplace_back(*entry);
    }
    return all;
}

/// What posix_spawn is told, freed at the end.
struct Actions {
    posix_spawn_file_actions_t files {};
    posix_spawnattr_t attributes {};
    Actions()
    {
        posix_spawn_file_actions_init(&files);
        posix_spawnattr_init(&attributes);
        sigset_t all;
        sigset_t none;
        sigfillset(&all);
        sigemptyset(&none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setsigmask(&attributes, &none);
        constexpr int flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
        posix_spawnattr_setflags(&attributes, static_cast<short>(flags));
    }
    ~Actions()
    {
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
    }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;
};

} // namespace

SpawnedSupervisor spawnSupervisor(const SupervisorPlan& plan)
{
    if (!QDir(plan.workingFolder).exists())
        return { 0, -1, QStringLiteral("there is no folder %1").arg(plan.workingFolder) };
    int ends[2];
    // No pipe: writing to one whose reader is gone would end this program.
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return { 0, -1, QString::fromLocal8Bit(std::strerror(errno)) };

    Actions actions;
    constexpr int mode = 0644;
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
    const std::string output = QFile::encodeName(plan.folder + QStringLiteral("/output.txt")).toStdString();
    const std::string errors = QFile::encodeName(plan.folder + QStringLiteral("/errors.txt")).toStdString();
    const std::string folder = QFile::encodeName(plan.workingFolder).toStdString();
    posix_spawn_file_actions_adddup2(&actions.files, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions.files, STDOUT_FILENO, output.c_str(), flags, mode);
    posix_spawn_file_actions_addopen(&actions.files, STDERR_FILENO, errors.c_str(), flags, mode);
    posix_spawn_file_actions_addchdir_np(&actions.files, folder.c_str());
#if __GLIBC_PREREQ(2, 34)
    // Not all libraries mark their files to be closed.
    posix_spawn_file_actions_addclosefrom_np(&actions.files, STDERR_FILENO + 1);
#endif

    std::vector<std::string> words { "sh", "-c", supervisorScript(), "pipeloom-supervisor",
        QFile::encodeName(plan.folder).toStdString(), plan.keepRunning ? "keep" : "end",
        plan.interruptsGroup ? "group" : "program" };
    for (const QString& word : plan.command)
        words.push_back(QFile::encodeName(word).toStdString());
    std::vector<std::string> environment = environmentWith(plan.environment);

    SpawnedSupervisor spawned;
    const int trouble = posix_spawn(&spawned.pid, "/bin/sh", &actions.files, &actions.attributes,
        pointers(words).data(), pointers(environment).data());
    ::close(ends[1]);
    spawned.line = ends[0];
    if (trouble != 0) {
        ::close(ends[0]);
        spawned = { 0, -1, QString::fromLocal8Bit(std::strerror(trouble)) };
    }
    return spawned;
}

void tellSupervisor(int line, bool keepRunning)
{
    const std::string word = keepRunning ? "keep\n" : "end\n";
    (void)::send(line, word.data(), word.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

} // namespace pipeloom::designer
