// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// A launcher's children: started together and as programs should be, heard line by line, seen as they end, and never left.
#include "child_programs.h"
#include "executor/processes/children.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <fcntl.h>
#include <sys/resource.h>

#include <cstdio>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

const std::string obeys = "trap 'exit 5' TERM; echo ready; while :; do sleep 1; done";
const std::string refuses = "trap '' TERM; echo ready; while :; do sleep 1; done";

void say(const std::string& line)
{
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

/// What the child was given: its standard input, other open files, signals that are not as at a program's start.
void tellInheritance()
{
    std::vector<char> name(256);
    const auto length = ::readlink("/proc/self/fd/0", name.data(), name.size());
    say("input " + std::string(name.data(), static_cast<std::size_t>(length)));
    for (int fd = 3; fd < 1000; ++fd)
        if (::fcntl(fd, F_GETFD) >= 0)
            say("file " + std::to_string(fd));
    sigset_t mask;
    ::sigprocmask(SIG_SETMASK, nullptr, &mask);
    for (int number = 1; number < SIGRTMIN; ++number) {
        struct sigaction now { };
        ::sigaction(number, nullptr, &now);
        if (now.sa_handler == SIG_IGN || ::sigismember(&mask, number) == 1)
            say("signal " + std::to_string(number));
    }
    say(std::string("watch ") + variable("PIPELOOM_WATCH_FD"));
}

/// A launcher whose two children know nothing of it, until it is killed.
[[noreturn]] void beLauncher()
{
    const auto started = Children::start(scripts({ "echo $$; exec sleep 1000", "echo $$; exec sleep 1000" },
        [](int, std::string_view line) { say(std::string(line)); }));
    if (!started.children)
        std::exit(9);
    waitForever();
}

/// Ends at once, and leaves a process in a session of its own that holds its pipes.
void leaveHolder()
{
    const pid_t holder = ::fork();
    if (holder == 0) {
        ::setsid();
        waitForever();
    }
    say(std::to_string(holder));
}

int openFiles()
{
    return static_cast<int>(
        QDir("/proc/self/fd").entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System).size());
}

/// The letter of the process's state: T stopped, Z a zombie, S asleep.
char stateOf(pid_t pid)
{
    QFile file(QString("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return '-';
    const QByteArray line = file.readAll();
    return line.at(line.lastIndexOf(')') + 2);
}

std::vector<std::string> textsOf(const std::vector<Exit>& exits)
{
    std::vector<std::string> result;
    for (const auto& exit : exits)
        result.push_back(std::to_string(exit.rank) + " " + text(exit));
    return result;
}

} // namespace

class ChildrenTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void exitCodesAndSignalsAreTold();
    void nobodyEndsAndTheWaitHasALimit();
    void aChildEndsWhenAskedAndOneThatRefusesIsKilled();
    void aStoppedChildHearsTheRequest();
    void eachChildHasItsOwnEnvironmentBeforeOurs();
    void onlyTheWatchPipeIsPassedOnAndSignalsAreReset();
    void eachChildLeadsAGroupOfItsOwn();
    void aProgramThatIsNotThereIsTold();
    void aStartThatFailsHalfwayEndsThoseThatRun();
    void whatAChildLeavesInItsGroupEndsWithIt();
    void whoeverHoldsAPipeDoesNotHoldUsUp();
    void childrenOutliveTheThreadThatAskedForThem();
    void aProcessThatIgnoresItsChildrenHearsOfThem();
    void theDestructorLeavesNobody();
    void aKilledLauncherTakesItsChildrenWithIt();
    void manyStartsLeaveNothing();
};

void ChildrenTest::exitCodesAndSignalsAreTold()
{
    const auto started
        = Children::start(scripts({ "exit 0", "exit 3", "kill -SEGV $$", "kill -USR1 $$" }, ignoreLines()));
    QVERIFY(started.children);
    const std::vector<std::string> expected { "0 ended with exit code 0", "1 ended with exit code 3",
        "2 was killed by SIGSEGV", "3 was killed by signal " + std::to_string(SIGUSR1) };
    QCOMPARE(textsOf(allExits(*started.children)), expected);
    QCOMPARE(started.children->running(), std::size_t { 0 });
    QVERIFY(started.children->poll().empty());
    QVERIFY(started.children->waitForNews(longTime).empty()); // at once: nobody is left
    QVERIFY(!started.children->kill(1, SIGTERM));
    QVERIFY(started.children->endAll(longTime).exits.empty());
}

void ChildrenTest::nobodyEndsAndTheWaitHasALimit()
{
    const auto started = Children::start(scripts({ "exec sleep 1000", "exec sleep 1000" }, ignoreLines()));
    QVERIFY(started.children);
    QVERIFY(started.children->poll().empty());
    QVERIFY(started.children->waitForNews(20ms).empty());
    QVERIFY(started.children->kill(1, SIGKILL));
    QCOMPARE(textsOf(started.children->waitForNews(longTime)), std::vector<std::string> { "1 was killed by SIGKILL" });
    QCOMPARE(started.children->running(), std::size_t { 1 });
}

void ChildrenTest::aChildEndsWhenAskedAndOneThatRefusesIsKilled()
{
    Lines lines;
    auto started = Children::start(scripts({ obeys }, lines.collect()));
    QVERIFY(started.children);
    QVERIFY(lines.has(0, 1));
    auto ended = started.children->endAll(longTime);
    QCOMPARE(textsOf(ended.exits), std::vector<std::string> { "0 ended with exit code 5" });
    QVERIFY(ended.left.empty());

    Lines others;
    started = Children::start(scripts({ refuses }, others.collect()));
    QVERIFY(started.children);
    QVERIFY(others.has(0, 1));
    ended = started.children->endAll(200ms);
    QCOMPARE(textsOf(ended.exits), std::vector<std::string> { "0 was killed by SIGKILL" });
    QVERIFY(ended.left.empty());
    QVERIFY(started.children->endAll(longTime).exits.empty());
}

void ChildrenTest::aStoppedChildHearsTheRequest()
{
    Lines lines;
    const auto started = Children::start(scripts({ obeys }, lines.collect()));
    QVERIFY(started.children);
    QVERIFY(lines.has(0, 1));
    QVERIFY(started.children->kill(0, SIGSTOP));
    QVERIFY(comesTrue([&] { return stateOf(started.children->pid(0)) == 'T'; }));
    QVERIFY(started.children->poll().empty()); // stopped is not ended
    QCOMPARE(
        textsOf(started.children->endAll(longTime).exits), std::vector<std::string> { "0 ended with exit code 5" });
}

void ChildrenTest::eachChildHasItsOwnEnvironmentBeforeOurs()
{
    ::setenv("CHILDREN_TEST", "ours", 1);
    ::setenv("CHILDREN_TEST_2", "kept", 1);
    Lines lines;
    auto plan = scripts({ "echo $CHILDREN_TEST $CHILDREN_TEST_2", "echo $CHILDREN_TEST" }, lines.collect());
    plan.environments[0].emplace_back("CHILDREN_TEST", "own");
    const auto started = Children::start(plan);
    QVERIFY(started.children);
    QCOMPARE(allExits(*started.children).size(), std::size_t { 2 });
    started.children->endAll(longTime);
    QCOMPARE(lines.of(0), std::vector<std::string> { "own kept" });
    QCOMPARE(lines.of(1), std::vector<std::string> { "ours" });
}

void ChildrenTest::onlyTheWatchPipeIsPassedOnAndSignalsAreReset()
{
    const OwnedFd careless(::open("/dev/null", O_RDONLY)); // as libraries open files
    const auto before = std::signal(SIGUSR1, SIG_IGN);
    sigset_t two;
    ::sigemptyset(&two);
    ::sigaddset(&two, SIGUSR2);
    ::pthread_sigmask(SIG_BLOCK, &two, nullptr);
    Lines lines;
    const auto started = Children::start(parts({ "tell", "tell" }, lines.collect()));
    ::pthread_sigmask(SIG_UNBLOCK, &two, nullptr);
    std::signal(SIGUSR1, before);
    QVERIFY(started.children);
    QCOMPARE(allExits(*started.children).size(), std::size_t { 2 });
    started.children->endAll(longTime);
    for (int rank = 0; rank < 2; ++rank) {
        const auto told = lines.of(rank);
        QCOMPARE(told.size(), std::size_t { 3 }); // no signal
        const auto fd = told[2].substr(std::string("watch ").size());
        QCOMPARE(told[0], std::string("input /dev/null"));
        QCOMPARE(told[1], "file " + fd);
    }
}

void ChildrenTest::eachChildLeadsAGroupOfItsOwn()
{
    const auto started = Children::start(scripts({ "exec sleep 1000", "exec sleep 1000" }, ignoreLines()));
    QVERIFY(started.children);
    for (int rank = 0; rank < 2; ++rank)
        QCOMPARE(::getpgid(started.children->pid(rank)), started.children->pid(rank));
    QVERIFY(started.children->pid(0) != started.children->pid(1));
    QVERIFY(::getpgrp() != started.children->pid(0));
}

void ChildrenTest::aProgramThatIsNotThereIsTold()
{
    auto plan = scripts({ "exit 0", "exit 0" }, ignoreLines());
    plan.program = "/no/such/program";
    const auto started = Children::start(plan);
    QVERIFY(!started.children);
    QCOMPARE(started.findings.size(), std::size_t { 1 });
    QCOMPARE(started.findings[0].rule, std::string("run/launch"));
    QCOMPARE(started.findings[0].message,
        std::string(
            "Rank 0 of 2 could not be started: `/no/such/program` could not be run: No such file or directory."));
    QVERIFY(!started.findings[0].remedy.empty());
    QCOMPARE(::waitpid(-1, nullptr, WNOHANG), -1); // nobody
}

void ChildrenTest::aStartThatFailsHalfwayEndsThoseThatRun()
{
    const int files = openFiles();
    rlimit before {};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit few = before;
    few.rlim_cur = static_cast<rlim_t>(files) + 14; // enough for two or three, not for ten
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &few), 0);
    std::vector<std::string> texts(10, "exec sleep 1000");
    const auto started = Children::start(scripts(texts, ignoreLines()));
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
    QVERIFY(!started.children);
    const auto message = QString::fromStdString(started.findings.at(0).message);
    QVERIFY2(message.contains(" of 10 could not be started") && message.contains("Too many open files"),
        qPrintable(message));
    QVERIFY2(!message.contains("Rank 0 "), qPrintable(message));
    QCOMPARE(::waitpid(-1, nullptr, WNOHANG), -1);
    QCOMPARE(openFiles(), files);
}

void ChildrenTest::whatAChildLeavesInItsGroupEndsWithIt()
{
    const OrphansAdopted adopted;
    Lines lines;
    const auto started = Children::start(scripts({ "sleep 1000 & echo $!; exit 4" }, lines.collect()));
    QVERIFY(started.children);
    QCOMPARE(textsOf(allExits(*started.children)), std::vector<std::string> { "0 ended with exit code 4" });
    QVERIFY(lines.has(0, 1));
    QCOMPARE(text(endOfOrphan(std::stoi(lines.of(0)[0]))), std::string("was killed by SIGKILL"));
}

void ChildrenTest::whoeverHoldsAPipeDoesNotHoldUsUp()
{
    const OrphansAdopted adopted;
    Lines lines;
    const auto started = Children::start(parts({ "leave-holder" }, lines.collect()));
    QVERIFY(started.children);
    QCOMPARE(textsOf(allExits(*started.children)), std::vector<std::string> { "0 ended with exit code 0" });
    started.children->endAll(0s);
    const pid_t holder = std::stoi(lines.of(0).at(0));
    QCOMPARE(::kill(holder, SIGKILL), 0); // still there
    QCOMPARE(text(endOfOrphan(holder)), std::string("was killed by SIGKILL"));
}

void ChildrenTest::childrenOutliveTheThreadThatAskedForThem()
{
    Children::Started started;
    Lines lines;
    std::thread([&] { started = Children::start(scripts({ obeys }, lines.collect())); }).join();
    QVERIFY(started.children);
    QVERIFY(lines.has(0, 1));
    QVERIFY(started.children->waitForNews(20ms).empty());
    QCOMPARE(
        textsOf(started.children->endAll(longTime).exits), std::vector<std::string> { "0 ended with exit code 5" });
}

void ChildrenTest::aProcessThatIgnoresItsChildrenHearsOfThem()
{
    std::signal(SIGCHLD, SIG_IGN);
    const auto started = Children::start(scripts({ "exit 6" }, ignoreLines()));
    QVERIFY(started.children);
    QCOMPARE(textsOf(allExits(*started.children)), std::vector<std::string> { "0 ended with exit code 6" });
}

void ChildrenTest::theDestructorLeavesNobody()
{
    Lines lines;
    auto started = Children::start(scripts({ refuses, refuses }, lines.collect()));
    QVERIFY(started.children);
    QVERIFY(lines.has(0, 1) && lines.has(1, 1));
    QVERIFY(started.children->kill(1, SIGSTOP));
    const pid_t first = started.children->pid(0);
    const pid_t second = started.children->pid(1);
    started.children.reset();
    QCOMPARE(stateOf(first), '-');
    QCOMPARE(stateOf(second), '-');
}

void ChildrenTest::aKilledLauncherTakesItsChildrenWithIt()
{
    const OrphansAdopted adopted;
    Lines lines;
    const auto started = Children::start(parts({ "launcher" }, lines.collect()));
    QVERIFY(started.children);
    QVERIFY(lines.has(0, 2));
    QVERIFY(started.children->kill(0, SIGKILL));
    QCOMPARE(allExits(*started.children).size(), std::size_t { 1 });
    for (const auto& line : lines.of(0))
        QCOMPARE(text(endOfOrphan(std::stoi(line))), std::string("was killed by SIGKILL"));
}

void ChildrenTest::manyStartsLeaveNothing()
{
    const int before = openFiles();
    for (int i = 0; i < 50; ++i) {
        const auto started = Children::start(scripts({ "echo a", "exec sleep 1000" }, ignoreLines()));
        QVERIFY(started.children);
        if (i % 2 == 0)
            started.children->endAll(0s);
    }
    QCOMPARE(openFiles(), before);
    errno = 0;
    QCOMPARE(::waitpid(-1, nullptr, WNOHANG), -1); // neither a process nor a zombie
    QCOMPARE(errno, ECHILD);
}

int main(int argc, char** argv)
{
    const std::string me = part();
    if (me == "launcher")
        beLauncher();
    if (me == "tell")
        tellInheritance();
    if (me == "leave-holder")
        leaveHolder();
    if (!me.empty())
        return 0;
    ChildrenTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "children_test.moc"
