// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ctrl+C: ends the program with exit code 130, but never leaves half a file behind.

#include <csignal>
#include <stop_token>
#include <thread>

namespace pipeloom::cli {

/// From now on an interrupt ends the program at once with exit code 130. One that is ignored stays so (`nohup`, `&` in a
/// script). Also has a closed pipe answered by an error where it is written to, instead of by death.
void installSignals();

/// From now on the end of the terminal or session that it was started from (SIGHUP) does not end the program, unless it writes
/// its output there.
void outliveTerminal();

/// While one lives, interrupts wait. For writing files.
class HoldInterrupts {
public:
    /// `terminationToo`: SIGTERM waits as well.
    explicit HoldInterrupts(bool terminationToo = false);
    ~HoldInterrupts();
    HoldInterrupts(const HoldInterrupts&) = delete;
    HoldInterrupts& operator=(const HoldInterrupts&) = delete;

private:
    sigset_t before_ {};
};

/// While one lives, the first interrupt only asks to stop; the second ends the program at once. For long work that stops
/// when asked. So does SIGTERM, which Slurm and `kill` send, where that is asked for. Threads must be started after it, as they take over that interrupts are kept from them.
class StopOnInterrupt {
public:
    explicit StopOnInterrupt(bool terminationToo = false);

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
    /// Asks to stop as an interrupt does.
    void request() { source_.request_stop(); }

private:
    HoldInterrupts hold_;
    std::stop_source source_;
    std::jthread waiter_; ///< last, so that it ends first
};

} // namespace pipeloom::cli
