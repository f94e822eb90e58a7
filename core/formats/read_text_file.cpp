// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/descriptor.h"
#include "core/formats/reports.h"
#include "core/formats/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace pipeloom {

namespace {

using formats::Descriptor;

ReadText fault(const char* rule, std::string message, std::string remedy)
{
    return { std::nullopt, { { rule, Severity::Error, { Place {} }, {}, std::move(message), std::move(remedy) } } };
}

ReadText unreadable(const std::string& name, const std::string& why, std::string remedy)
{
    return fault("file/unreadable", fmt::format("{} cannot be read: {}.", name, why), std::move(remedy));
}

/// With what the system said last.
ReadText unreadable(const std::string& name)
{
    const std::string why = std::generic_category().message(errno);
    return unreadable(name, why, "See whether the name is right and the file may be read.");
}

ReadText tooLarge(const std::string& name, std::size_t mostBytes)
{
    return fault("file/size", fmt::format("{} has more than {} bytes, the most that is read.", name, mostBytes),
        "See whether this is the right file.");
}

ReadText readAll(const Descriptor& file, const std::string& name, std::size_t mostBytes)
{
    std::string text;
    std::vector<char> chunk(std::size_t { 1 } << 18);
    while (true) {
        const ssize_t bytes = ::read(file.number(), chunk.data(), chunk.size());
        if (bytes < 0 && errno == EINTR)
            continue;
        if (bytes < 0)
            return unreadable(name);
        if (bytes == 0)
            return { std::move(text), {} };
        if (text.size() + static_cast<std::size_t>(bytes) > mostBytes)
            return tooLarge(name, mostBytes);
        text.append(chunk.data(), static_cast<std::size_t>(bytes));
    }
}

} // namespace

ReadText readTextFile(const std::string& path, std::size_t mostBytes)
{
    const bool standardInput = path == "-";
    const std::string name = standardInput ? "Standard input" : formats::quotedText(path, 200);
    const Descriptor file(standardInput ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
        standardInput ? Descriptor::Owned::No : Descriptor::Owned::Yes);
    struct stat status { };
    if (!file.isOpen() || ::fstat(file.number(), &status) != 0)
        return unreadable(name);
    if (S_ISDIR(status.st_mode))
        return unreadable(name, "it is a folder", "Name a file in it.");
    if (S_ISREG(status.st_mode) && status.st_size > 0 && static_cast<std::uintmax_t>(status.st_size) > mostBytes)
        return tooLarge(name, mostBytes);
    try {
        return readAll(file, name, mostBytes);
    } catch (const std::bad_alloc&) {
        return fault("file/size", fmt::format("There is not enough memory to read {}.", name), "Close other programs.");
    }
}

} // namespace pipeloom
