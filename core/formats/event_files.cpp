// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/event_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace pipeloom {

namespace {

constexpr std::size_t pieceBytes = std::size_t { 1 } << 16;

Finding unreadable(std::string message, std::string remedy)
{
    return { "file/unreadable", Severity::Error, {}, "", std::move(message), std::move(remedy) };
}

} // namespace

std::vector<std::string> eventFiles(const std::string& path)
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::is_directory(path, error))
        return fs::exists(path, error) ? std::vector { path } : std::vector<std::string>();
    std::vector<std::string> files;
    std::vector<std::string> others;
    for (auto entry = fs::directory_iterator(path, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (entry->path().extension() == ".jsonl") {
            const std::string name = entry->path().filename().string();
            const bool isOfRun = name == "events.jsonl" || name.starts_with("events-rank-");
            (isOfRun ? files : others).push_back(entry->path().string());
        }
    const auto writtenAt = [&error](const std::string& file) { return fs::last_write_time(file, error); };
    if (files.empty() && !others.empty())
        return { *std::ranges::max_element(others, {}, writtenAt) };
    const auto isFirst = [](const std::string& file) { return fs::path(file).filename() == "events.jsonl"; };
    std::ranges::sort(files,
        [&](const std::string& a, const std::string& b) { return isFirst(a) != isFirst(b) ? isFirst(a) : a < b; });
    return files;
}

struct EventFileReader::Source {
    explicit Source(std::string path)
        : name(std::move(path))
        , descriptor(name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC))
    {
    }
    ~Source()
    {
        if (descriptor > STDIN_FILENO)
            ::close(descriptor);
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    struct Waiting {
        RunEvent event;
        std::int64_t offset = 0;
    };

    std::string name;
    int descriptor;
    EventLines lines;
    std::deque<Waiting> waiting;
    std::int64_t read = 0;
    std::int64_t size = 0;
    Nanos at = 0;     ///< of the next event, or the last one that said when
    bool dry = false; ///< there was nothing more when it was read last
};

EventFileReader::EventFileReader(std::string path)
    : path_(std::move(path))
{
}

EventFileReader::~EventFileReader() = default;

Findings EventFileReader::look()
{
    replaced_ = false;
    if (path_ == "-") {
        if (sources_.empty())
            sources_.push_back(std::make_unique<Source>("-"));
        return {};
    }
    for (const auto& source : sources_) {
        struct stat opened { };
        struct stat named { };
        if (::fstat(source->descriptor, &opened) != 0)
            continue;
        const bool isAnother = ::stat(source->name.c_str(), &named) == 0
            && (named.st_ino != opened.st_ino || named.st_dev != opened.st_dev);
        source->size = opened.st_size;
        replaced_ = replaced_ || isAnother || opened.st_size < source->read;
    }
    if (replaced_)
        sources_.clear();
    const std::vector<std::string> files = eventFiles(path_);
    std::error_code error;
    if (files.empty() && sources_.empty())
        return { std::filesystem::is_directory(path_, error)
                ? unreadable(fmt::format("The folder `{}` has no events in it (*.jsonl).", path_),
                    "Name the folder or file that --events was given.")
                : unreadable(fmt::format("`{}` cannot be read: {}.", path_, std::strerror(ENOENT)),
                    "Name the file or folder that --events was given.") };
    for (const std::string& file : files) {
        if (std::ranges::any_of(sources_, [&](const auto& source) { return source->name == file; }))
            continue;
        auto source = std::make_unique<Source>(file);
        struct stat opened { };
        if (source->descriptor < 0 || ::fstat(source->descriptor, &opened) != 0)
            return { unreadable(
                fmt::format("`{}` cannot be read: {}.", file, std::strerror(errno)), "See who may read it.") };
        source->size = opened.st_size;
        sources_.push_back(std::move(source));
    }
    return {};
}

void EventFileReader::fill(Source& source)
{
    while (source.waiting.empty() && !source.dry) {
        piece_.resize(pieceBytes);
        ssize_t got = 0;
        do
            got = ::read(source.descriptor, piece_.data(), piece_.size());
        while (got < 0 && errno == EINTR);
        source.dry = got <= 0;
        if (source.dry)
            return;
        source.read += got;
        source.lines.feed({ piece_.data(), static_cast<std::size_t>(got) }, [&](RunEvent&& event, std::int64_t offset) {
            source.waiting.push_back({ std::move(event), offset });
        });
    }
    if (!source.waiting.empty())
        source.at = timeOf(source.waiting.front().event).value_or(source.at);
}

bool EventFileReader::give(const Take& take)
{
    Source* next = nullptr;
    std::size_t file = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        Source& source = *sources_[i];
        fill(source);
        if (!source.waiting.empty() && (!next || source.at < next->at)) {
            next = &source;
            file = i;
        }
    }
    if (!next)
        return false;
    Source::Waiting first = std::move(next->waiting.front());
    next->waiting.pop_front();
    if (!next->waiting.empty())
        next->at = timeOf(next->waiting.front().event).value_or(next->at);
    take(std::move(first.event), { file, first.offset });
    return true;
}

bool EventFileReader::read(std::size_t most, const Take& take)
{
    for (const auto& source : sources_)
        source->dry = false;
    for (std::size_t i = 0; i < most; ++i)
        if (!give(take))
            return false;
    return true;
}

void EventFileReader::finish(const Take& take)
{
    while (read(pieceBytes, take)) { }
    for (std::size_t i = 0; i < sources_.size(); ++i)
        sources_[i]->lines.finish([&](RunEvent&& event, std::int64_t offset) {
            take(std::move(event), { i, offset });
        });
}

std::int64_t EventFileReader::behind() const
{
    std::int64_t all = 0;
    for (const auto& source : sources_)
        all += std::max<std::int64_t>(0, source->size - source->read);
    return all;
}

std::int64_t EventFileReader::bytes() const
{
    std::int64_t all = 0;
    for (const auto& source : sources_)
        all += source->size;
    return all;
}

EventCounts EventFileReader::counts() const
{
    EventCounts all;
    for (const auto& source : sources_)
        all += source->lines.counts();
    return all;
}

std::vector<std::string> EventFileReader::files() const
{
    std::vector<std::string> names;
    for (const auto& source : sources_)
        names.push_back(source->name);
    return names;
}

} // namespace pipeloom
