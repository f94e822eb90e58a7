// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/shared_folder.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace pipeloom::executor {

namespace {

namespace files = std::filesystem;

constexpr const char* folderName = "pipeloom-";

/// In memory where that is offered: what is mapped from there never waits for a disk.
files::path folderOfFolders()
{
    std::error_code ignored;
    return files::is_directory("/dev/shm", ignored) ? files::path("/dev/shm") : files::temp_directory_path(ignored);
}

/// Folders of launchers that were killed in the moment in which theirs was there.
void removeLeftBehind()
{
    std::error_code ignored;
    for (const auto& entry : files::directory_iterator(folderOfFolders(), ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(folderName))
            continue;
        const auto pid = static_cast<pid_t>(std::strtol(name.c_str() + std::strlen(folderName), nullptr, 10));
        if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH)
            files::remove_all(entry.path(), ignored);
    }
}

} // namespace

SharedFolder::SharedFolder()
{
    removeLeftBehind();
    std::error_code ignored;
    for (const files::path& parent : { folderOfFolders(), files::temp_directory_path(ignored) }) {
        std::string name = (parent / fmt::format("{}{}-XXXXXX", folderName, getpid())).string();
        if (mkdtemp(name.data()) != nullptr) {
            path_ = name;
            return;
        }
    }
}

void SharedFolder::remove()
{
    std::error_code ignored;
    if (!path_.empty())
        files::remove_all(path_, ignored);
}

std::string SharedFolder::file(const std::string& name) const
{
    return path_.empty() ? std::string() : (files::path(path_) / name).string();
}

std::string SharedFolder::status(std::int32_t rank) const { return file(fmt::format("rank-{}", rank)); }

bool LastWords::open(const SharedFolder& folder)
{
    bool all = true;
    for (std::size_t r = 0; r < readers_.size(); ++r) {
        const std::lock_guard held(mutex_);
        if (!readers_[r])
            readers_[r] = StatusReader::open(folder.status(static_cast<std::int32_t>(r))).reader;
        all = all && readers_[r];
    }
    return all;
}

std::optional<DeviceStatus> LastWords::of(std::int32_t rank) const
{
    const std::lock_guard held(mutex_);
    const auto& reader = readers_[static_cast<std::size_t>(rank)];
    return reader ? reader->read() : std::nullopt;
}

} // namespace pipeloom::executor
