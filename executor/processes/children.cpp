// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/children.h"

#include "executor/processes/spawn.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <future>
#include <string_view>
#include <system_error>

namespace pipeloom::executor {

namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds loadLimit = 60s; ///< for the system to load the program; it may come over a network
constexpr Nanoseconds killLimit = 10s;
constexpr Nanoseconds lookAgain = 10ms; ///< where the system has no handles of processes

std::string systemText(int error) { return std::generic_category().message(error); }

/// This process's environment with `own` before it.
std::vector<std::string> environmentWith(const Environment& own, int watchFd)
{
    std::vector<std::string> result { fmt::format("PIPELOOM_WATCH_FD={}", watchFd) };
    for (const auto& [name, value] : own)
        result.push_back(fmt::format("{}={}", name, value));
    const auto isNewName = [ours = result](std::string_view entry) {
        const auto name = entry.substr(0, std::min(entry.find('='), entry.size() - 1) + 1);
        return std::none_of(ours.begin(), ours.end(), [&](const std::string& have) { return have.starts_with(name); });
    };
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (**entry != '\0' && isNewName(*entry))
            result.emplace_back(*entry);
    return result;
}

/// Whoever started this process may have had it ignore its children's ends; then the system would not tell them.
void hearOfChildren()
{
    struct sigaction now { };
    if (::sigaction(SIGCHLD, nullptr, &now) != 0)
        return;
    const bool hasHandler = (now.sa_flags & SA_SIGINFO) != 0;
    if ((hasHandler || now.sa_handler != SIG_IGN) && (now.sa_flags & SA_NOCLDWAIT) == 0)
        return;
    if (!hasHandler && now.sa_handler == SIG_IGN)
        now.sa_handler = SIG_DFL;
    now.sa_flags &= ~SA_NOCLDWAIT;
    ::sigaction(SIGCHLD, &now, nullptr);
}

OwnedFd handleOf([[maybe_unused]] pid_t pid)
{
#ifdef SYS_pidfd_open
    return OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
#else
    return {};
#endif
}

int milliseconds(Nanoseconds time)
{
    return static_cast<int>(
        std::clamp<std::int64_t>(std::chrono::ceil<std::chrono::milliseconds>(time).count(), 0, 1'000'000));
}

const char* signalName(int signal)
{
    switch (signal) {
    case SIGHUP:
        return "SIGHUP";
    case SIGINT:
        return "SIGINT";
    case SIGQUIT:
        return "SIGQUIT";
    case SIGILL:
        return "SIGILL";
    case SIGTRAP:
        return "SIGTRAP";
    case SIGABRT:
        return "SIGABRT";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    case SIGKILL:
        return "SIGKILL";
    case SIGSEGV:
        return "SIGSEGV";
    case SIGPIPE:
        return "SIGPIPE";
    case SIGALRM:
        return "SIGALRM";
    case SIGTERM:
        return "SIGTERM";
    case SIGXCPU:
        return "SIGXCPU";
    case SIGXFSZ:
        return "SIGXFSZ";
    case SIGSYS:
        return "SIGSYS";
    default:
        return nullptr;
    }
}

} // namespace

std::string text(const Exit& exit)
{
    switch (exit.how) {
    case Exit::How::Exited:
        return fmt::format("ended with exit code {}", exit.value);
    case Exit::How::Killed:
        if (const char* const name = signalName(exit.value))
            return fmt::format("was killed by {}", name);
        return fmt::format("was killed by signal {}", exit.value);
    case Exit::How::Lost:
        break;
    }
    return "ended, and how was not to be learnt";
}

std::string linePrefix(int rank) { return fmt::format("[rank {}] ", rank); }

Children::Started Children::start(const ChildrenPlan& plan)
{
    hearOfChildren();
    std::unique_ptr<Children> children(new Children(plan.onLine));
    if (auto problem = children->startAll(plan)) {
        children->endAll(0s);
        return { nullptr, { std::move(*problem) } };
    }
    return { std::move(children), {} };
}

Children::~Children() { endAll(0s); }

std::optional<Finding> Children::startAll(const ChildrenPlan& plan)
{
    std::string problem;
    if (!relay_.usable()) {
        problem = "No event could be made: " + systemText(errno);
    } else {
        std::promise<std::string> started;
        auto outcome = started.get_future();
        try {
            thread_ = std::thread([this, &plan, started = std::move(started)]() mutable {
                started.set_value(spawnAll(plan));
                relay_.run();
            });
            problem = outcome.get(); // each spawn has a limit of its own
        } catch (const std::system_error& error) {
            problem = "No thread could be made: " + error.code().message();
        }
    }
    if (problem.empty())
        return std::nullopt;
    Finding finding;
    finding.rule = "run/launch";
    finding.message = std::move(problem) + ".";
    finding.remedy
        = "Mend what the message says; limits of the system are shown by `ulimit -a`, and fewer ranks need less.";
    return finding;
}

std::string Children::spawnAll(const ChildrenPlan& plan)
{
    watch_ = Pipe::make();
    if (!watch_.read)
        return "No pipe could be made for the ranks: " + systemText(errno);
    const OwnedFd input = openNull();
    if (!input)
        return "/dev/null could not be opened: " + systemText(errno);

    children_.reserve(plan.environments.size());
    for (std::size_t rank = 0; rank < plan.environments.size(); ++rank) {
        const auto problem = spawnOne(plan, plan.environments[rank], input.get());
        if (!problem.empty())
            return fmt::format("Rank {} of {} could not be started: {}", rank, plan.environments.size(), problem);
    }
    watch_.read.close();
    return "";
}

std::string Children::spawnOne(const ChildrenPlan& plan, const Environment& own, int input)
{
    Pipe output = Pipe::make();
    Pipe error = output.read ? Pipe::make() : Pipe {};
    if (!error.read)
        return "no pipe could be made for its lines: " + systemText(errno);
    SpawnPlan one;
    one.program = plan.program;
    one.arguments = plan.arguments;
    one.environment = environmentWith(own, watch_.read.get());
    one.input = input;
    one.output = output.write.get();
    one.error = error.write.get();
    one.keep = watch_.read.get();
    auto spawned = spawn(one, loadLimit);
    if (spawned.pid < 0)
        return std::move(spawned.problem);

    const auto rank = static_cast<int>(children_.size());
    children_.push_back({ spawned.pid, handleOf(spawned.pid), true });
    relay_.add(rank, std::move(output.read));
    relay_.add(rank, std::move(error.read));
    return "";
}

std::optional<Exit> Children::ended(int rank)
{
    auto& child = children_[static_cast<std::size_t>(rank)];
    if (!child.running)
        return std::nullopt;
    siginfo_t about {};
    const auto id = static_cast<id_t>(child.pid);
    const int got = ::waitid(P_PID, id, &about, WEXITED | WNOHANG | WNOWAIT);
    if (got == 0 && about.si_pid == 0)
        return std::nullopt;
    if (got != 0 && errno != ECHILD)
        return std::nullopt;
    child.running = false;
    child.handle.close();
    if (got != 0)
        return Exit { rank, Exit::How::Lost, 0 };
    // As long as its leader is not reaped, the number of the group is nobody else's.
    ::kill(-child.pid, SIGKILL);
    ::waitid(P_PID, id, &about, WEXITED);
    return Exit { rank, about.si_code == CLD_EXITED ? Exit::How::Exited : Exit::How::Killed, about.si_status };
}

std::vector<Exit> Children::poll()
{
    std::vector<Exit> exits;
    for (std::size_t rank = 0; rank < children_.size(); ++rank)
        if (auto exit = ended(static_cast<int>(rank)))
            exits.push_back(*exit);
    return exits;
}

std::vector<Exit> Children::waitForNews(Nanoseconds timeout)
{
    const auto deadline = Clock::now() + timeout;
    for (;;) {
        auto exits = poll();
        const Nanoseconds left = deadline - Clock::now();
        if (!exits.empty() || running() == 0 || left <= 0s)
            return exits;
        std::vector<pollfd> waits;
        for (const auto& child : children_)
            if (child.running && child.handle)
                waits.push_back({ child.handle.get(), POLLIN, 0 });
        const bool all = waits.size() == running();
        ::poll(waits.data(), waits.size(), milliseconds(all ? left : std::min(left, lookAgain)));
    }
}

Children::Ended Children::endAll(Nanoseconds grace)
{
    Ended result;
    if (grace > 0s) {
        signalGroups(SIGTERM);
        signalGroups(SIGCONT); // one that is stopped gets the other signal only now
        waitForEnd(grace, result.exits);
    }
    signalGroups(SIGKILL);
    waitForEnd(killLimit, result.exits);
    std::sort(result.exits.begin(), result.exits.end(), [](const Exit& a, const Exit& b) { return a.rank < b.rank; });
    for (std::size_t rank = 0; rank < children_.size(); ++rank)
        if (std::exchange(children_[rank].running, false))
            result.left.push_back(static_cast<int>(rank));
    watch_ = {};
    if (thread_.joinable()) {
        relay_.stop();
        thread_.join();
    }
    return result;
}

bool Children::kill(int rank, int signal)
{
    const auto& child = children_[static_cast<std::size_t>(rank)];
    return child.running && ::kill(child.pid, signal) == 0;
}

std::size_t Children::running() const
{
    return static_cast<std::size_t>(
        std::count_if(children_.begin(), children_.end(), [](const Child& child) { return child.running; }));
}

void Children::signalGroups(int signal)
{
    for (const auto& child : children_)
        if (child.running)
            ::kill(-child.pid, signal);
}

void Children::waitForEnd(Nanoseconds limit, std::vector<Exit>& exits)
{
    const auto deadline = Clock::now() + limit;
    while (running() > 0) {
        const Nanoseconds left = deadline - Clock::now();
        const auto more = waitForNews(std::max<Nanoseconds>(left, 0s));
        exits.insert(exits.end(), more.begin(), more.end());
        if (left <= 0s)
            return;
    }
}

} // namespace pipeloom::executor
