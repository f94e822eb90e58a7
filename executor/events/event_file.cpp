// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/events/event_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace pipeloom::executor {

EventFile::EventFile(int descriptor, bool owned, std::string name)
    : descriptor_(descriptor)
    , owned_(owned)
    , name_(std::move(name))
{
}

EventFile::~EventFile()
{
    if (owned_)
        ::close(descriptor_);
}

EventFile::Opened EventFile::open(const std::string& path, bool append)
{
    if (path == "-")
        return { std::unique_ptr<EventFile>(new EventFile(STDOUT_FILENO, false, "standard output")), {} };
    std::error_code ignored;
    const std::string name
        = std::filesystem::is_directory(path, ignored) ? (std::filesystem::path(path) / "events.jsonl").string() : path;
    constexpr mode_t readableByAll = 0666; // less the user's mask
    const int descriptor
        = ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | (append ? 0 : O_TRUNC) | O_CLOEXEC, readableByAll);
    if (descriptor >= 0)
        return { std::unique_ptr<EventFile>(new EventFile(descriptor, true, name)), {} };
    Opened refused;
    refused.findings.push_back({ "run/events", Severity::Error, {}, "",
        fmt::format("The events cannot be written to `{}`: {}.", name, std::strerror(errno)),
        "Name a file, or a folder that is there, in a place that can be written to." });
    return refused;
}

void EventFile::write(std::string_view lines)
{
    const std::lock_guard held(mutex_);
    while (!lines.empty() && failure_.empty()) {
        const ssize_t written = ::write(descriptor_, lines.data(), lines.size());
        if (written >= 0)
            lines.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            failure_ = std::strerror(errno);
    }
    lost_ += std::ranges::count(lines, '\n');
}

std::optional<Finding> EventFile::failure() const
{
    const std::lock_guard held(mutex_);
    if (failure_.empty())
        return std::nullopt;
    return Finding { "run/events", Severity::Warning, {}, "",
        fmt::format("{} of events {} lost: writing to {} failed: {}.",
            lost_ == 1 ? std::string("1 line") : fmt::format("{} lines", lost_), lost_ == 1 ? "was" : "were", name_,
            failure_),
        "The run itself went on. See whether the disk is full, or the reader went away." };
}

} // namespace pipeloom::executor
