// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// File descriptors that are closed once, by their last holder, and what is made of them. All are closed on exec, and none is
// one of the three standard ones, also where this process was started without those: so a child can put any onto 0, 1 or 2.

#include <unistd.h>

#include <utility>

namespace pipeloom::executor {

class OwnedFd {
public:
    OwnedFd() = default;
    explicit OwnedFd(int fd)
        : fd_(fd)
    {
    }
    OwnedFd(OwnedFd&& other) noexcept
        : fd_(std::exchange(other.fd_, -1))
    {
    }
    OwnedFd& operator=(OwnedFd&& other) noexcept
    {
        if (this != &other) {
            close();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    OwnedFd(const OwnedFd&) = delete;
    OwnedFd& operator=(const OwnedFd&) = delete;
    ~OwnedFd() { close(); }

    [[nodiscard]] int get() const { return fd_; } ///< -1: none
    explicit operator bool() const { return fd_ >= 0; }
    void close()
    {
        if (fd_ >= 0)
            ::close(std::exchange(fd_, -1));
    }

private:
    int fd_ = -1;
};

/// Both ends empty if the system gives none; errno then says why.
struct Pipe {
    OwnedFd read;
    OwnedFd write;

    [[nodiscard]] static Pipe make();
};

/// Reads nothing; empty if the system gives none, as above.
[[nodiscard]] OwnedFd openNull();

/// A wake-up call for a thread that polls: readable from `wake` on.
class WakeUp {
public:
    WakeUp();
    [[nodiscard]] int get() const { return fd_.get(); } ///< -1 if the system gives none; errno then says why
    void wake() const;

private:
    OwnedFd fd_;
};

} // namespace pipeloom::executor
