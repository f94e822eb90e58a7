// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console/output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace pipeloom::cli {

namespace {

constexpr std::size_t bufferBytes = std::size_t { 1 } << 16;

/// Waits until a descriptor that was handed over as non-blocking takes more.
void waitUntilWritable(int descriptor)
{
    pollfd wanted { .fd = descriptor, .events = POLLOUT, .revents = 0 };
    poll(&wanted, 1, -1);
}

} // namespace

void Output::write(std::string_view text)
{
    if (!open())
        return;
    buffer_ += text;
    if (buffer_.size() >= bufferBytes)
        flush();
}

void Output::flush()
{
    std::string_view rest = buffer_;
    while (!rest.empty() && open()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written >= 0)
            rest.remove_prefix(static_cast<std::size_t>(written));
        else if (errno == EAGAIN)
            waitUntilWritable(descriptor_);
        else if (errno == EPIPE)
            closed_ = true;
        else if (errno != EINTR)
            error_ = errno;
    }
    buffer_.clear();
}

} // namespace pipeloom::cli
