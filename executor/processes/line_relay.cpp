// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/line_relay.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace pipeloom::executor {

namespace {

constexpr int lastReads = 64; ///< of a pipe after the stop: more than a pipe holds

} // namespace

void LineRelay::add(int rank, OwnedFd readEnd)
{
    ::fcntl(readEnd.get(), F_SETFL, ::fcntl(readEnd.get(), F_GETFL) | O_NONBLOCK);
    sources_.push_back({ rank, std::move(readEnd), {} });
}

void LineRelay::run()
{
    std::vector<pollfd> waits;
    for (;;) {
        waits.assign(1, { wakeUp_.get(), POLLIN, 0 });
        for (const auto& source : sources_)
            waits.push_back({ source.fd.get(), POLLIN, 0 });
        if (::poll(waits.data(), waits.size(), -1) < 0)
            continue;
        for (std::size_t i = 0; i < sources_.size(); ++i)
            if (waits[i + 1].revents != 0 && read(sources_[i]) == Read::Closed)
                finish(sources_[i]);
        if (waits[0].revents != 0)
            break;
        std::erase_if(sources_, [](const Source& source) { return !source.fd; });
    }
    for (auto& source : sources_) {
        for (int i = 0; i < lastReads && source.fd && read(source) == Read::Some; ++i) { }
        finish(source);
    }
    sources_.clear();
}

LineRelay::Read LineRelay::read(Source& source)
{
    const auto got = ::read(source.fd.get(), buffer_.data(), buffer_.size());
    if (got > 0) {
        take(source, { buffer_.data(), static_cast<std::size_t>(got) });
        return Read::Some;
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? Read::Nothing : Read::Closed;
}

void LineRelay::take(Source& source, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto end = std::min(bytes.find('\n'), bytes.size());
        const auto room = longestLine - source.unfinished.size();
        source.unfinished.append(bytes.substr(0, std::min(end, room)));
        if (end > room) {
            bytes.remove_prefix(room);
        } else if (end == bytes.size()) {
            return;
        } else {
            bytes.remove_prefix(end + 1);
        }
        onLine_(source.rank, source.unfinished);
        source.unfinished.clear();
    }
}

void LineRelay::finish(Source& source)
{
    if (!source.unfinished.empty())
        onLine_(source.rank, source.unfinished);
    source.unfinished.clear();
    source.fd.close();
}

} // namespace pipeloom::executor
