// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads what several processes write into pipes, and passes it on line by line, so that lines of different ranks never mix.

#include "executor/processes/owned_fd.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pipeloom::executor {

/// A line without its end. A last one that was never ended comes when its pipe is closed; one of more than `longestLine`
/// bytes comes in pieces.
using OnLine = std::function<void(int rank, std::string_view line)>;
inline constexpr std::size_t longestLine = std::size_t { 1 } << 20U;

class LineRelay {
public:
    explicit LineRelay(OnLine onLine)
        : onLine_(std::move(onLine))
    {
    }

    /// Before run.
    void add(int rank, OwnedFd readEnd);
    /// Relays on the calling thread until `stop`, then what already stands in the pipes. Does not wait for pipes to be
    /// closed: a process that nobody knows of may hold one open.
    void run();
    void stop() { wakeUp_.wake(); } ///< by any thread

    /// False: the system gave no file for it; errno at the time of making says why.
    [[nodiscard]] bool usable() const { return wakeUp_.get() >= 0; }

private:
    struct Source {
        int rank = 0;
        OwnedFd fd;
        std::string unfinished;
    };

    enum class Read : std::uint8_t { Some, Nothing, Closed };
    Read read(Source& source);
    void take(Source& source, std::string_view bytes);
    void finish(Source& source);

    OnLine onLine_;
    WakeUp wakeUp_;
    std::vector<Source> sources_;
    std::vector<char> buffer_ = std::vector<char>(std::size_t { 1 } << 16U);
};

} // namespace pipeloom::executor
