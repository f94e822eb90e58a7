// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/descriptor.h"
#include "core/formats/reports.h"
#include "core/formats/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace pipeloom {

namespace {

namespace fs = std::filesystem;
using formats::Descriptor;

/// Writing beyond a size limit or to a pipe that nobody reads raises a signal that would end the process. While this
/// lives they are held back in this thread, so that the write fails with an error instead.
class WriteSignalsHeld {
public:
    WriteSignalsHeld()
    {
        sigset_t held;
        sigemptyset(&held);
        sigaddset(&held, SIGXFSZ);
        sigaddset(&held, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    WriteSignalsHeld(const WriteSignalsHeld&) = delete;
    WriteSignalsHeld& operator=(const WriteSignalsHeld&) = delete;
    ~WriteSignalsHeld()
    {
        const int error = errno;
        // Those that came meanwhile are taken, unless the thread held them before: then they are its own business.
        sigset_t ours;
        sigemptyset(&ours);
        for (const int signal : { SIGXFSZ, SIGPIPE }) {
            if (sigismember(&before_, signal) == 0)
                sigaddset(&ours, signal);
        }
        const timespec atOnce {};
        while (sigtimedwait(&ours, nullptr, &atOnce) > 0) { }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = error;
    }

private:
    sigset_t before_ {};
};

/// Writes all of the text; false with errno if that fails.
bool writeAll(const Descriptor& file, std::string_view text)
{
    const WriteSignalsHeld held;
    while (!text.empty()) {
        const ssize_t written = ::write(file.number(), text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::string remedyFor(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return "Free some space, or save to another disk.";
    case EFBIG:
        return "Raise the limit on file sizes (ulimit -f).";
    case EPIPE:
        return "See why the program that reads the output has ended.";
    default:
        return "Save under another name or in another folder.";
    }
}

/// `error`: errno as it was.
Findings failed(const std::string& path, int error)
{
    return { { "file/write", Severity::Error, { Place {} }, {},
        fmt::format("{} could not be written: {}.", path == "-" ? "Standard output" : formats::quotedText(path, 200),
            std::generic_category().message(error)),
        remedyFor(error) } };
}

Findings writeStandardOutput(std::string_view text)
{
    const Descriptor output(STDOUT_FILENO, Descriptor::Owned::No);
    // What was printed before stands before.
    if (std::fflush(stdout) != 0 || !writeAll(output, text))
        return failed("-", errno);
    return {};
}

/// For pipes and devices, which cannot be renamed over.
Findings writeInPlace(const std::string& path, std::string_view text)
{
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.isOpen() || !writeAll(file, text) || !file.close())
        return failed(path, errno);
    return {};
}

/// The file that a chain of symbolic links ends at, whether it is there or not.
fs::path linkTarget(fs::path path)
{
    constexpr int mostLinks = 40; // as many as Linux follows
    std::error_code error;
    for (int i = 0; i < mostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
        const fs::path next = fs::read_symlink(path, error);
        if (error)
            break;
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return path;
}

/// A new file in the folder, under a `name` that nobody has yet.
Descriptor createTemporary(const fs::path& folder, mode_t mode, std::string& name)
{
    constexpr int mostTries = 1000; // names that ended runs of the same process number may have left
    for (int i = 0; i < mostTries; ++i) {
        name = (folder / fmt::format(".pipeloom-{}-{}.tmp", ::getpid(), i)).string();
        const int number = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (number >= 0 || errno != EEXIST)
            return Descriptor(number);
    }
    return Descriptor(-1);
}

/// The new file gets the permissions of the one that it replaces and, where that is allowed, its owner.
bool keepPermissions(const Descriptor& file, const struct stat& old)
{
    if (::fchown(file.number(), old.st_uid, old.st_gid) != 0 && errno != EPERM)
        return false;
    return ::fchmod(file.number(), old.st_mode & 0777U) == 0;
}

/// After this a rename survives a crash of the machine. Some file systems cannot do it, which is no fault.
bool syncFolder(const fs::path& folder)
{
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return !descriptor.isOpen() || ::fsync(descriptor.number()) == 0 || errno == EINVAL || errno == ENOTSUP;
}

Findings replace(const std::string& path, const std::optional<struct stat>& old, std::string_view text)
{
    const fs::path target = linkTarget(path);
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    std::string temporary;
    Descriptor file = createTemporary(folder, old.has_value() ? 0600 : 0666, temporary);
    if (!file.isOpen())
        return failed(path, errno);
    const bool written = (!old.has_value() || keepPermissions(file, *old)) && writeAll(file, text)
        && ::fsync(file.number()) == 0 && file.close();
    if (!written || ::rename(temporary.c_str(), target.c_str()) != 0) {
        const int error = errno;
        (void)::unlink(temporary.c_str());
        return failed(path, error);
    }
    if (!syncFolder(folder))
        return { { "file/sync", Severity::Warning, { Place {} }, {},
            fmt::format("{} is written, but its folder could not be synced: {}.", formats::quotedText(path, 200),
                std::generic_category().message(errno)),
            "Look after the disk: the file may be gone if the machine stops now." } };
    return {};
}

} // namespace

Findings saveText(const std::string& path, std::string_view text)
{
    if (path == "-")
        return writeStandardOutput(text);
    struct stat status { };
    if (::stat(path.c_str(), &status) != 0)
        return errno == ENOENT && !path.empty() ? replace(path, std::nullopt, text) : failed(path, errno);
    if (S_ISDIR(status.st_mode))
        return failed(path, EISDIR);
    if (!S_ISREG(status.st_mode))
        return writeInPlace(path, text);
    if (::access(path.c_str(), W_OK) != 0)
        return failed(path, errno);
    return replace(path, status, text);
}

} // namespace pipeloom
