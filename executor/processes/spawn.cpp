// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/spawn.h"

#include "executor/processes/owned_fd.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace pipeloom::executor {

namespace {

enum class Step : int { Files, Parent, Exec };

/// What the child tells of what went wrong before the program ran.
struct Trouble {
    Step step = Step::Exec;
    int error = 0;
};

/// All that the child needs, ready to be used without memory being taken.
struct Prepared {
    const char* program = nullptr;
    char* const* arguments = nullptr;
    char* const* environment = nullptr;
    std::array<int, 3> standard {};
    int keep = -1;
    int report = -1;
    pid_t parent = -1;
    int fileLimit = 0;
};

// From here to the exec the child has one thread and a copy of memory in which others may have held locks: only calls that
// are safe in a signal handler, nothing that takes memory.

[[noreturn]] void giveUp(const Prepared& prepared, Step step)
{
    const Trouble trouble { step, errno };
    [[maybe_unused]] const auto written = ::write(prepared.report, &trouble, sizeof trouble);
    ::_exit(127);
}

void resetSignals()
{
    // A handler is reset by exec; a signal that is ignored stays so.
    struct sigaction standard { };
    standard.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; ++number)
        ::sigaction(number, &standard, nullptr); // fails for those that cannot be changed, and is not needed there
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Files of libraries are not always marked to be closed; a rank must not keep the launcher's port open.
void closeOthersOnExec(const Prepared& prepared)
{
    constexpr unsigned first = STDERR_FILENO + 1;
#ifdef SYS_close_range
    constexpr unsigned closeOnExec = 4; // CLOSE_RANGE_CLOEXEC
    if (::syscall(SYS_close_range, first, ~0U, closeOnExec) == 0)
        return;
#endif
    for (int fd = first; fd < prepared.fileLimit; ++fd)
        ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

[[noreturn]] void becomeProgram(const Prepared& prepared)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A parent that died before that call sends no signal any more.
    if (::getppid() != prepared.parent)
        giveUp(prepared, Step::Parent);
    for (int i = 0; i < 3; ++i)
        if (::dup2(prepared.standard[static_cast<std::size_t>(i)], i) < 0)
            giveUp(prepared, Step::Files);
    closeOthersOnExec(prepared);
    if (prepared.keep >= 0 && ::fcntl(prepared.keep, F_SETFD, 0) < 0)
        giveUp(prepared, Step::Files);
    resetSignals();
    ::execve(prepared.program, prepared.arguments, prepared.environment);
    giveUp(prepared, Step::Exec);
}

// The parent again.

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (auto& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

std::string reason(const Trouble& trouble, const std::string& program)
{
    const auto why = std::generic_category().message(trouble.error);
    switch (trouble.step) {
    case Step::Files:
        return "its files could not be passed on: " + why;
    case Step::Parent:
        return "this process ended meanwhile";
    case Step::Exec:
        break;
    }
    return fmt::format("`{}` could not be run: {}", program, why);
}

/// Until the other end is closed, which exec does, or something is told. False: neither within the limit.
bool readTrouble(const OwnedFd& report, Nanoseconds limit, Trouble& trouble, bool& failed)
{
    const auto deadline = Clock::now() + limit;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd wait { report.get(), POLLIN, 0 };
        const int ready = ::poll(&wait, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000)));
        if (ready == 0 && left <= 0)
            return false;
        if (ready <= 0)
            continue;
        const auto got = ::read(report.get(), &trouble, sizeof trouble);
        if (got < 0 && errno == EINTR)
            continue;
        failed = got == static_cast<ssize_t>(sizeof trouble);
        return true;
    }
}

void reap(pid_t pid)
{
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) { }
}

} // namespace

Spawned spawn(const SpawnPlan& plan, Nanoseconds limit)
{
    Pipe report = Pipe::make();
    if (!report.read)
        return { -1, "no pipe could be made: " + std::generic_category().message(errno) };

    std::vector<std::string> arguments { plan.program };
    arguments.insert(arguments.end(), plan.arguments.begin(), plan.arguments.end());
    std::vector<std::string> environment = plan.environment;
    const auto argumentPointers = pointers(arguments);
    const auto environmentPointers = pointers(environment);
    Prepared prepared;
    prepared.program = plan.program.c_str();
    prepared.arguments = argumentPointers.data();
    prepared.environment = environmentPointers.data();
    prepared.standard = { plan.input, plan.output, plan.error };
    prepared.keep = plan.keep;
    prepared.report = report.write.get();
    prepared.parent = ::getpid();
    prepared.fileLimit = static_cast<int>(std::clamp<long>(::sysconf(_SC_OPEN_MAX), 1024, 1'048'576));

    // No handler of ours may run in the child.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0)
        becomeProgram(prepared);
    const int forkError = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0)
        return { -1, "no process could be made: " + std::generic_category().message(forkError) };

    report.write.close();
    Trouble trouble;
    bool failed = false;
    const bool inTime = readTrouble(report.read, limit, trouble, failed);
    if (inTime && !failed)
        return { pid, "" };
    ::kill(pid, SIGKILL);
    reap(pid);
    if (inTime)
        return { -1, reason(trouble, plan.program) };
    return { -1,
        fmt::format(
            "`{}` was not loaded within {:.0f} s", plan.program, std::chrono::duration<double>(limit).count()) };
}

} // namespace pipeloom::executor
