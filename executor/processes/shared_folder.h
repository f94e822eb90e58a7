// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that a launcher and its ranks share: the design, and the ranks' last words. They are gone from the file system as soon as
// all have them open, so that nothing is left behind however a run ends.

#include "executor/processes/status_file.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pipeloom::executor {

/// A folder in memory where that is offered, else among temporary files.
class SharedFolder {
public:
    /// Also removes folders of launchers that were killed in the moment in which theirs was there.
    SharedFolder();
    ~SharedFolder() { remove(); }
    SharedFolder(const SharedFolder&) = delete;
    SharedFolder& operator=(const SharedFolder&) = delete;

    void remove();
    [[nodiscard]] bool usable() const { return !path_.empty(); }
    /// Empty if there is no folder.
    [[nodiscard]] std::string file(const std::string& name) const;
    /// Into which a rank writes its last words.
    [[nodiscard]] std::string status(std::int32_t rank) const;

private:
    std::string path_;
};

/// The last words of all ranks, each from when it has begun to write them.
class LastWords {
public:
    explicit LastWords(std::size_t ranks)
        : readers_(ranks)
    {
    }

    /// Opens those that are there by now; true when all are. By one thread.
    bool open(const SharedFolder& folder);
    /// By any thread.
    [[nodiscard]] std::optional<DeviceStatus> of(std::int32_t rank) const;

private:
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<StatusReader>> readers_;
};

} // namespace pipeloom::executor
