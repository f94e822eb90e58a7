// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console/interrupt.h"

#include "app/cli/console/exit_code.h"

#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <string_view>

namespace pipeloom::cli {

namespace {

sigset_t interrupts(bool terminationToo)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    if (terminationToo)
        sigaddset(&set, SIGTERM);
    return set;
}

void say(std::string_view text)
{
    // Where nobody reads it, it is not missed.
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

extern "C" void endInterrupted(int /*signal*/) { _exit(static_cast<int>(ExitCode::Interrupted)); }

/// One interrupt, or false if none came within a tenth of a second.
bool interruptCame(bool terminationToo)
{
    const sigset_t set = interrupts(terminationToo);
    const timespec wait { .tv_sec = 0, .tv_nsec = 100'000'000 };
    return sigtimedwait(&set, nullptr, &wait) > 0;
}

} // namespace

void installSignals()
{
    std::signal(SIGPIPE, SIG_IGN);

    struct sigaction before { };
    sigaction(SIGINT, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
        std::signal(SIGINT, endInterrupted);
}

void outliveTerminal()
{
    if (isatty(STDOUT_FILENO) == 0)
        std::signal(SIGHUP, SIG_IGN);
}

HoldInterrupts::HoldInterrupts(bool terminationToo)
{
    const sigset_t set = interrupts(terminationToo);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
}

HoldInterrupts::~HoldInterrupts() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

StopOnInterrupt::StopOnInterrupt(bool terminationToo)
    : hold_(terminationToo)
    , waiter_([this, terminationToo](const std::stop_token& over) {
        while (!over.stop_requested()) {
            if (!interruptCame(terminationToo))
                continue;
            if (source_.stop_requested()) {
                say("\nInterrupted again: ended at once.\n");
                endInterrupted(SIGINT);
            }
            source_.request_stop();
        }
    })
{
}

} // namespace pipeloom::cli
