// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// A rank whose launcher is gone learns it once, and ends even if it does nothing about it.
#include "child_programs.h"
#include "executor/processes/launcher_watch.h"

#include <QTest>
#include <fcntl.h>

#include <atomic>
#include <cstdio>
#include <system_error>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

constexpr auto never = 1h;
constexpr int goneCode = 7; ///< of a rank that ends because it was told

/// The read end of a pipe that nobody can write to any more.
int endedPipe()
{
    Pipe pipe = Pipe::make();
    return ::dup(pipe.read.get());
}

void say(const std::string& line)
{
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

/// A launcher with two ranks, whose process numbers it says, until it is killed.
[[noreturn]] void beLauncher()
{
    const auto started
        = Children::start(parts({ "rank", "rank" }, [](int, std::string_view line) { say(std::string(line)); }));
    if (!started.children)
        std::exit(9);
    waitForever();
}

/// Is not killed by the system with its launcher, so that the pipe alone can tell it.
[[noreturn]] void beRank()
{
    ::prctl(PR_SET_PDEATHSIG, 0);
    const int fd = std::stoi(variable("PIPELOOM_WATCH_FD"));
    const LauncherWatch watch(
        fd, [] { ::_exit(goneCode); }, never);
    say(std::to_string(::getpid()));
    waitForever();
}

[[noreturn]] void stayThere()
{
    const LauncherWatch watch(
        endedPipe(), [] {}, 20ms);
    waitForever();
}

[[noreturn]] void hangInTheCall()
{
    std::atomic<bool> called = false;
    {
        const LauncherWatch watch(
            endedPipe(),
            [&] {
                called = true;
                waitForever();
            },
            200ms);
        while (!called)
            std::this_thread::sleep_for(1ms);
    }
    std::exit(9); // the watch was destroyed though its call hangs
}

} // namespace

class LauncherWatchTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withItsLauncherThereNothingHappens();
    void theEndOfTheLauncherIsToldOnce();
    void aRankThatStaysIsEnded();
    void aRankThatHangsInTheCallIsEnded();
    void ranksOfAKilledLauncherLearnItByThePipe();
    void whatIsNoPipeIsRefused();
};

void LauncherWatchTest::withItsLauncherThereNothingHappens()
{
    Pipe pipe = Pipe::make();
    const int mine = ::dup(pipe.read.get());
    int calls = 0;
    for (int i = 0; i < 100; ++i) {
        const LauncherWatch watch(
            ::dup(pipe.read.get()), [&] { ++calls; }, 0s);
    }
    {
        const LauncherWatch watch(
            mine, [&] { ++calls; }, 0s);
        QVERIFY((::fcntl(mine, F_GETFD) & FD_CLOEXEC) != 0);
        // Bytes are no end.
        QCOMPARE(::write(pipe.write.get(), "x", 1), ssize_t { 1 });
    }
    QCOMPARE(calls, 0);
    QCOMPARE(::fcntl(mine, F_GETFD), -1); // closed
}

void LauncherWatchTest::theEndOfTheLauncherIsToldOnce()
{
    Pipe pipe = Pipe::make();
    std::atomic<int> calls = 0;
    {
        const LauncherWatch watch(
            ::dup(pipe.read.get()), [&] { ++calls; }, never);
        QCOMPARE(calls.load(), 0);
        pipe.write.close();
        QVERIFY(comesTrue([&] { return calls > 0; }));
    }
    QCOMPARE(calls.load(), 1);
}

void LauncherWatchTest::aRankThatStaysIsEnded()
{
    const auto started = Children::start(parts({ "stay" }, ignoreLines()));
    QVERIFY(started.children);
    QCOMPARE(text(allExits(*started.children).at(0)), std::string("ended with exit code 3"));
}

void LauncherWatchTest::aRankThatHangsInTheCallIsEnded()
{
    const auto started = Children::start(parts({ "hang" }, ignoreLines()));
    QVERIFY(started.children);
    QCOMPARE(text(allExits(*started.children).at(0)), std::string("ended with exit code 3"));
}

void LauncherWatchTest::ranksOfAKilledLauncherLearnItByThePipe()
{
    const OrphansAdopted adopted;
    Lines lines;
    const auto started = Children::start(parts({ "launcher" }, lines.collect()));
    QVERIFY(started.children);
    QVERIFY(lines.has(0, 2));
    QVERIFY(started.children->kill(0, SIGKILL));
    QCOMPARE(allExits(*started.children).size(), std::size_t { 1 });
    for (const auto& line : lines.of(0))
        QCOMPARE(text(endOfOrphan(std::stoi(line))), std::string("ended with exit code 7"));
}

void LauncherWatchTest::whatIsNoPipeIsRefused()
{
    const auto refused = [](int fd) {
        try {
            const LauncherWatch watch(
                fd, [] {}, 0s);
        } catch (const std::system_error&) {
            return true;
        }
        return false;
    };
    const OwnedFd file(::open("/dev/null", O_RDONLY));
    QVERIFY(refused(file.get()));
    QVERIFY(refused(-1));
    QVERIFY(::fcntl(file.get(), F_GETFD) >= 0);
}

int main(int argc, char** argv)
{
    if (part() == "launcher")
        beLauncher();
    if (part() == "rank")
        beRank();
    if (part() == "stay")
        stayThere();
    if (part() == "hang")
        hangInTheCall();
    LauncherWatchTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "launcher_watch_test.moc"
