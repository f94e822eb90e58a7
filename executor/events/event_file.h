// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the events of a run go: a file, standard output, or a file in a folder. Lines are written whole, one `write` for many
// of them; what cannot be written is told once and never holds up the run.

#include "core/finding/finding.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace pipeloom::executor {

class EventFile {
public:
    struct Opened {
        std::unique_ptr<EventFile> file; ///< none if it cannot be written
        Findings findings;               ///< run/events
    };
    /// `-`: standard output. A folder: `events.jsonl` in it. Else a file, which is emptied; `append`: to which several processes
    /// write at a time, each whole lines.
    [[nodiscard]] static Opened open(const std::string& path, bool append = false);
    ~EventFile();
    EventFile(const EventFile&) = delete;
    EventFile& operator=(const EventFile&) = delete;

    /// Appends whole lines, each ended by a line feed. By any thread. After a failure nothing is written any more.
    void write(std::string_view lines);
    /// What went wrong, if something did: a warning (run/events) that says how many lines were lost, one that was cut among them.
    [[nodiscard]] std::optional<Finding> failure() const;

private:
    EventFile(int descriptor, bool owned, std::string name);

    int descriptor_;
    bool owned_;
    std::string name_;
    mutable std::mutex mutex_;
    std::string failure_;
    std::int64_t lost_ = 0; ///< lines
};

} // namespace pipeloom::executor
