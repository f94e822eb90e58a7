// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The launcher's ranks: processes that it starts together, whose lines it passes on, whose ends it sees, and none of which
// outlives it, however it ends.

#include "core/finding/finding.h"
#include "executor/device_status.h"
#include "executor/processes/line_relay.h"

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace pipeloom::executor {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct ChildrenPlan {
    std::string program = "/proc/self/exe"; ///< a path; no search in PATH
    std::vector<std::string> arguments;     ///< past the program's own name; the same for all
    std::vector<Environment> environments;  ///< one for each child, rank 0 first; goes before this process's own
    /// Standard output and error of the children, line by line, on a thread of Children's own, which stands still
    /// meanwhile. Must not call Children, and not throw.
    OnLine onLine;
};

/// How a child ended.
struct Exit {
    enum class How : std::uint8_t {
        Exited, ///< by itself, with exit code `value`
        Killed, ///< by the signal `value`
        Lost,   ///< it is gone, and somebody else in this process has taken the way it went
    };
    int rank = 0;
    How how = How::Exited;
    int value = 0;

    friend bool operator==(const Exit&, const Exit&) = default;
};

/// `was killed by SIGKILL`, `ended with exit code 3`.
[[nodiscard]] std::string text(const Exit& exit);
/// `[rank 2] `, which stands before a rank's line where it is shown among others.
[[nodiscard]] std::string linePrefix(int rank);

/// Running children. Called by one thread at a time. Each child is the leader of a process group of its own, so Ctrl+C in
/// the terminal reaches the launcher alone; its standard input is empty; PIPELOOM_WATCH_FD names a pipe that is closed by
/// the system when the launcher is gone (launcher_watch.h); and the system kills it then, should it not end by itself.
/// With a child's end every process that it left in its group is killed.
class Children {
public:
    struct Started {
        std::unique_ptr<Children> children;
        Findings findings; ///< an error (run/launch) if one could not be started: then none runs
    };
    /// A process that was told to ignore its children's ends (SIGCHLD), as some starters do, no longer does then.
    [[nodiscard]] static Started start(const ChildrenPlan& plan);
    ~Children(); ///< as endAll without grace

    /// Who has ended since the last call of this or waitForNews, ranks ascending. Does not wait.
    [[nodiscard]] std::vector<Exit> poll();
    /// The same, but waits until one ends, at most `timeout`. Gives nothing at once where none runs any more.
    [[nodiscard]] std::vector<Exit> waitForNews(Nanoseconds timeout);

    struct Ended {
        std::vector<Exit> exits; ///< not told before, ranks ascending
        std::vector<int> left;   ///< ranks that the system could not kill within ten seconds: stuck in a driver
    };
    /// Asks all that still run to end (SIGTERM, also those that are stopped), kills those that have not after `grace`, and
    /// waits for them; all they wrote has been relayed when it gives. A second call gives nothing.
    Ended endAll(Nanoseconds grace);

    /// The signal goes to this child's process alone. False: it has ended, and poll has said so.
    bool kill(int rank, int signal);
    [[nodiscard]] std::size_t running() const;
    [[nodiscard]] pid_t pid(int rank) const { return children_[static_cast<std::size_t>(rank)].pid; }

private:
    struct Child {
        pid_t pid = -1;
        OwnedFd handle; ///< readable when it has ended (pidfd); none on old systems
        bool running = true;
    };

    explicit Children(OnLine onLine)
        : relay_(std::move(onLine))
    {
    }
    std::optional<Finding> startAll(const ChildrenPlan& plan);
    std::string spawnAll(const ChildrenPlan& plan);
    std::string spawnOne(const ChildrenPlan& plan, const Environment& own, int input);
    [[nodiscard]] std::optional<Exit> ended(int rank);
    void signalGroups(int signal);
    void waitForEnd(Nanoseconds limit, std::vector<Exit>& exits);

    Pipe watch_; ///< nobody writes; the children hold the end to read
    LineRelay relay_;
    std::vector<Child> children_;
    /// Starts the children and relays their lines. It starts them because the system ties a child's life to that of the
    /// thread that made it, and this one lives as long as they do, whichever threads call.
    std::thread thread_;
};

} // namespace pipeloom::executor
