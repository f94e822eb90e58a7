// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A POSIX file descriptor with an owner.

#include <unistd.h>

#include <cstdint>
#include <utility>

namespace pipeloom::formats {

/// Closed when it goes out of scope; borrowed ones (standard input and output) stay open.
class Descriptor {
public:
    enum class Owned : std::uint8_t { Yes, No };

    explicit Descriptor(int number, Owned owned = Owned::Yes)
        : number_(number)
        , owned_(owned)
    {
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { (void)close(); }

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool isOpen() const { return number_ >= 0; }
    /// False, with errno, if the system finds only now that not all was written.
    [[nodiscard]] bool close()
    {
        const int number = std::exchange(number_, -1);
        return number < 0 || owned_ == Owned::No || ::close(number) == 0;
    }

private:
    int number_;
    Owned owned_;
};

} // namespace pipeloom::formats
