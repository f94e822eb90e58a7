// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/owned_fd.h"

#include <fcntl.h>
#include <sys/eventfd.h>

#include <array>
#include <cstdint>

namespace pipeloom::executor {

namespace {

OwnedFd aboveStandard(int fd)
{
    OwnedFd owned(fd);
    if (fd < 0 || fd > STDERR_FILENO)
        return owned;
    return OwnedFd(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

} // namespace

Pipe Pipe::make()
{
    std::array<int, 2> ends { -1, -1 };
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return {};
    Pipe pipe { aboveStandard(ends[0]), aboveStandard(ends[1]) };
    if (!pipe.read || !pipe.write)
        return {};
    return pipe;
}

OwnedFd openNull() { return aboveStandard(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

WakeUp::WakeUp()
    : fd_(aboveStandard(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)))
{
}

void WakeUp::wake() const
{
    const std::uint64_t one = 1;
    // It can only fail where so many calls stand already that one more makes no difference.
    [[maybe_unused]] const auto written = ::write(fd_.get(), &one, sizeof one);
}

} // namespace pipeloom::executor
