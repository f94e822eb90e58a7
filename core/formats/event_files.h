// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files that hold a run's events: one, or those of a folder, read together in the order of time, and followed while they
// grow.

#include "core/finding/finding.h"
#include "core/formats/event_lines.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pipeloom {

/// A file itself; of a folder `events.jsonl`, then `events-rank-*.jsonl` by name. A folder without these is one that somebody
/// collects runs in: of its `*.jsonl` only the one that was written last. Empty: there is none.
[[nodiscard]] std::vector<std::string> eventFiles(const std::string& path);

/// Reads in pieces: memory stays flat however long the files are. Lines of each file keep their order; of several files the one
/// goes on that is behind in time, as far as it has more.
class EventFileReader {
public:
    /// `-`: standard input.
    explicit EventFileReader(std::string path);
    ~EventFileReader();

    /// Where an event stands: which of files(), and the offset of its line.
    struct Origin {
        std::size_t file = 0;
        std::int64_t offset = 0;
    };
    using Take = std::function<void(RunEvent&& event, Origin origin)>;

    /// Looks for files, new ones too, and whether they are still the same. Findings (file/unreadable) say what is not there.
    [[nodiscard]] Findings look();
    /// A file was emptied or replaced since the last look(): all are read from their beginnings again, as of another run.
    [[nodiscard]] bool wasReplaced() const { return replaced_; }
    /// Gives at most about `most` events. False if there is nothing more at present.
    bool read(std::size_t most, const Take& take);
    /// Nothing more will come: gives last lines that have no end.
    void finish(const Take& take);

    /// Bytes that are there and not yet given, as of the last look().
    [[nodiscard]] std::int64_t behind() const;
    [[nodiscard]] std::int64_t bytes() const; ///< of all files, as of the last look(); 0: not known
    [[nodiscard]] EventCounts counts() const;
    [[nodiscard]] std::vector<std::string> files() const;

private:
    struct Source;
    void fill(Source& source);
    bool give(const Take& take);

    std::string path_;
    std::vector<std::unique_ptr<Source>> sources_;
    bool replaced_ = false;
    std::string piece_; ///< what was read last
};

} // namespace pipeloom
